// `npm run bench`: installs what is measured, builds what ships, runs every benchmark and writes results.md.
// `--no-assert` only reports; `--only decide,compact` runs some and leaves results.md alone; `--no-setup` takes packages and
// build as they are.
import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { argument, goalLines } from './harness.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));
const root = fileURLToPath(new URL('..', import.meta.url));
const NAMES = ['decide', 'compact', 'facts', 'hostile', 'store', 'transcripts', 'gateway', 'startup'];
const only = argument('--only', undefined)?.split(',');
const unknown = only?.find((name) => !NAMES.includes(name));
if (unknown !== undefined) {
  console.error(`There is no benchmark ${JSON.stringify(unknown)}; there are ${NAMES.join(', ')}.`);
  process.exit(2);
}

if (!process.argv.includes('--no-setup')) {
  run('node', ['scripts/ready.mjs', '--build'], root);
  if (!existsSync(`${here}node_modules/ai`)) run('npm', ['ci', '--no-audit', '--no-fund', '--ignore-scripts'], here);
}

const sections = [];
const goals = [];
for (const name of only ?? NAMES) {
  const { report } = await import(`./${name}.mjs`);
  const { title, text, goals: found } = await report();
  const section = `## ${title}\n\n${text}\n\n${goalLines(found)}`;
  console.log(`${section}\n`);
  sections.push(section);
  goals.push(...found);
}

if (only === undefined) {
  const machine = `${cpus()[0]?.model ?? 'unknown CPU'}, ${cpus().length} cores, Node ${process.version}`;
  const intro = `Measured on ${new Date().toISOString().slice(0, 10)}: ${machine}. Made by \`npm run bench\`; the peers are the published npm packages of \`bench/package.json\`.`;
  writeFileSync(`${here}results.md`, `# Benchmarks\n\n${intro}\n\n${sections.join('\n\n')}\n`);
}
const missed = goals.filter(({ isMet }) => !isMet);
console.log(`${goals.length - missed.length} of ${goals.length} goals met.`);
if (missed.length > 0 && !process.argv.includes('--no-assert')) process.exitCode = 1;

function run(command, args, cwd) {
  const { status } = spawnSync(command, args, { cwd, stdio: 'inherit', shell: process.platform === 'win32' });
  if (status !== 0) process.exit(status ?? 1);
}
