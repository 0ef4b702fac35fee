// The law tests for as long as you like: `npm run fuzz -- --seconds 600 [--seed 42]`.
// A failure prints its seed, its path and the smallest history found; keep it in packages/core/test/laws/seeds.json.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const root = fileURLToPath(new URL('..', import.meta.url));
const laws = 'packages/core/test/laws';
const { seconds, seed } = readArguments();
const files = readdirSync(join(root, laws)).filter((name) => name.endsWith('.test.ts')).length;
const workers = Math.min(availableParallelism(), files);
const scratch = mkdtempSync(join(tmpdir(), 'epitome-fuzz-'));
const report = join(scratch, 'report.jsonl');
writeFileSync(report, '');

console.log(`Holding the laws for ${seconds} s with seed ${seed}, ${files} files on ${workers} cores.`);
const { status } = spawnSync('npx', ['--no-install', 'vitest', 'run', laws, `--maxWorkers=${workers}`], {
  cwd: root,
  stdio: 'inherit',
  shell: process.platform === 'win32',
  env: {
    ...process.env,
    EPITOME_FUZZ_SECONDS: String((seconds * workers) / files),
    EPITOME_FUZZ_SEED: String(seed),
    EPITOME_FUZZ_REPORT: report,
  },
});
printReport();
rmSync(scratch, { recursive: true });
process.exit(status ?? 1);

function readArguments() {
  const { values } = parseArgs({ options: { seconds: { type: 'string' }, seed: { type: 'string' } } });
  const given = {
    seconds: Number(values.seconds ?? 60),
    seed: Number(values.seed ?? Math.floor(Math.random() * 2 ** 31)),
  };
  if (given.seconds > 0 && Number.isInteger(given.seed)) return given;
  console.error('Usage: npm run fuzz -- [--seconds N] [--seed S]   (N above 0, S a whole number)');
  process.exit(2);
}

function printReport() {
  const lines = readFileSync(report, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  for (const { experiment, format, seed: used, histories, broken } of lines) {
    const result = broken.length === 0 ? 'all laws hold' : `BROKEN: ${broken.join('; ')}`;
    console.log(
      `${experiment.padEnd(16)} ${format.padEnd(18)} seed ${used}  ${String(histories).padStart(7)} histories  ${result}`,
    );
  }
  const total = lines.reduce((sum, { histories }) => sum + histories, 0);
  console.log(`${total} histories in all.`);
}
