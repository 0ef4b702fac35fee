// Everything a change must pass, in one command: `npm run check [-- --only name,name]`.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const at = process.argv.indexOf('--only');
const only = at < 0 ? undefined : (process.argv[at + 1] ?? '').split(',');

const steps = [
  ['format and lint', 'biome', ['check', '--error-on-warnings', '.']],
  ['types', 'tsc', ['-p', 'packages/core/tsconfig.build.json']],
  ['types', 'tsc', ['-p', 'packages/core/tsconfig.json']],
  ['types', 'tsc', ['-p', 'packages/cli/tsconfig.build.json']],
  ['types', 'tsc', ['-p', 'packages/cli/tsconfig.json']],
  ['types', 'tsc', ['-p', 'packages/store/tsconfig.build.json']],
  ['types', 'tsc', ['-p', 'packages/store/tsconfig.json']],
  ['types', 'tsc', ['-p', 'packages/transcripts/tsconfig.build.json']],
  ['types', 'tsc', ['-p', 'packages/transcripts/tsconfig.json']],
  ['boundaries', 'depcruise', ['packages', '--config', '.dependency-cruiser.mjs']],
  ['unused', 'knip', []],
  ['packages', 'publint', ['packages/core', '--strict']],
  ['packages', 'publint', ['packages/cli', '--strict']],
  ['packages', 'publint', ['packages/store', '--strict']],
  ['packages', 'publint', ['packages/transcripts', '--strict']],
  ['packages', 'attw', ['--pack', 'packages/core', '--profile', 'esm-only']],
  ['packages', 'attw', ['--pack', 'packages/store', '--profile', 'esm-only']],
  ['packages', 'attw', ['--pack', 'packages/transcripts', '--profile', 'esm-only']],
  ['size', 'node', ['scripts/size.mjs']],
  ['tests', 'vitest', ['run']],
];

const names = [...new Set(steps.map(([name]) => name))];
const unknown = only?.find((name) => !names.includes(name));
if (unknown !== undefined) {
  console.error(`There is no check ${JSON.stringify(unknown)}; there are ${names.join(', ')}.`);
  process.exit(2);
}

const started = Date.now();
for (const [name, command, args] of steps) {
  if (only && !only.includes(name)) continue;
  const from = Date.now();
  const bin = command === 'node' ? process.execPath : 'npx';
  const full = command === 'node' ? args : ['--no-install', command, ...args];
  const isTests = name === 'tests';
  const result = spawnSync(bin, full, {
    cwd: root,
    stdio: isTests ? 'inherit' : 'pipe',
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  if (result.status !== 0) {
    if (!isTests) process.stdout.write(`${result.stdout}${result.stderr}`);
    console.error(`✗ ${name}: ${command} ${args.join(' ')}`);
    process.exit(1);
  }
  console.log(
    `✓ ${name}: ${command} ${args[args.length > 1 && command === 'tsc' ? 1 : 0] ?? ''} (${((Date.now() - from) / 1000).toFixed(1)} s)`,
  );
}
console.log(`All checks passed in ${((Date.now() - started) / 1000).toFixed(0)} s.`);
