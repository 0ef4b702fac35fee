// How long the built command takes to show its help, and a chat to show its prompt, as ratios to `node -e 0` in the same run.
// node bench/startup.mjs [--runs N]; the pseudo-terminal is that of the tests.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { spawn } from '@lydell/node-pty';

const binary = fileURLToPath(new URL('../packages/cli/bin/epitome.js', import.meta.url));
const at = process.argv.indexOf('--runs');
const runs = at < 0 ? 15 : Number(process.argv[at + 1]);
const folder = mkdtempSync(join(tmpdir(), 'epitome-startup-'));

const bare = () => timed(() => spawnSync(process.execPath, ['-e', '0']));
const help = () => timed(() => spawnSync(process.execPath, [binary, '--help']));

/** Milliseconds until a chat in a terminal shows where to type. */
function chat(args) {
  return new Promise((resolve, reject) => {
    const from = performance.now();
    const child = spawn(process.execPath, [binary, 'chat', ...args], {
      cols: 80,
      rows: 24,
      cwd: folder,
      env: { PATH: process.env.PATH, HOME: folder, TERM: 'xterm', EPITOME_STORE: join(folder, 'chat.db') },
    });
    let shown = '';
    child.onData((data) => {
      shown += data;
      if (!shown.includes('tokens · ')) return;
      resolve(performance.now() - from);
      child.kill();
    });
    child.onExit(() => reject(new Error(`no prompt; it showed ${JSON.stringify(shown)}`)));
  });
}

const talk = () => chat(['--base-url', 'http://127.0.0.1:9/v1', '--model', 'none', '--window', '8k']);

function timed(work) {
  const from = performance.now();
  work();
  return performance.now() - from;
}

const samples = { 'node -e 0': [], 'epitome --help': [], 'epitome chat, first prompt': [] };
for (let run = 0; run < runs; run += 1) {
  // In turns, so that whatever else the machine does falls on all alike.
  samples['node -e 0'].push(bare());
  samples['epitome --help'].push(help());
  samples['epitome chat, first prompt'].push(await talk());
}
const median = (values) => [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)];
const base = median(samples['node -e 0']);
console.log('| what | median | ratio |\n|---|---|---|');
for (const [name, values] of Object.entries(samples)) {
  console.log(`| ${name} | ${median(values).toFixed(0)} ms | ${(median(values) / base).toFixed(1)} |`);
}
rmSync(folder, { recursive: true, force: true });
process.exit(0);
