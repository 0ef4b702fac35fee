// Everything a change must pass, in one command: `npm run check [-- --only name,name]`.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { packagesInOrder } from './packages.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const at = process.argv.indexOf('--only');
const only = at < 0 ? undefined : (process.argv[at + 1] ?? '').split(',');

const packages = packagesInOrder();
const each = (make) => packages.flatMap(make);

const steps = [
  ['format and lint', 'biome', ['check', '--error-on-warnings', '.']],
  ...each(({ folder }) => [
    ['types', 'tsc', ['-p', `${folder}/tsconfig.build.json`]],
    ['types', 'tsc', ['-p', `${folder}/tsconfig.json`]],
  ]),
  ['boundaries', 'depcruise', ['packages', '--config', '.dependency-cruiser.mjs']],
  ['unused', 'knip', []],
  ...each(({ folder }) => [['packages', 'publint', [folder, '--strict']]]),
  // What has no entry to import, such as the command, has no types to be wrong.
  ...each(({ folder, manifest }) =>
    manifest.exports?.['.'] ? [['packages', 'attw', ['--pack', folder, '--profile', 'esm-only']]] : [],
  ),
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
