// How long the built command takes to show its help, and a chat to show its prompt, as ratios to `node -e 0` in the same run.
// node bench/startup.mjs by itself; `npm run bench` has it, too. The pseudo-terminal is that of the tests.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { median, runAsScript } from './harness.mjs';

const { spawn } = createRequire(new URL('../packages/cli/package.json', import.meta.url))('@lydell/node-pty');
const binary = fileURLToPath(new URL('../packages/cli/bin/epitome.js', import.meta.url));
const RUNS = 15;

const BARE = 'node -e 0';
const HELP = 'epitome --help';
const CHAT = 'epitome chat, first prompt';
// What people should feel, in milliseconds, on a machine where a bare Node takes USUAL_MS.
const LIMITS = { [HELP]: 150, [CHAT]: 500 };
const USUAL_MS = 40;

/** Measures, and says whether the goals are met. */
export async function report() {
  const folder = mkdtempSync(join(tmpdir(), 'epitome-startup-'));
  const samples = { [BARE]: [], [HELP]: [], [CHAT]: [] };
  for (let run = 0; run <= RUNS; run += 1) {
    // In turns, so that whatever else the machine does falls on all alike.
    const taken = { [BARE]: bare(), [HELP]: help(), [CHAT]: await chat(folder) };
    // The first round only fills the caches of the disk.
    if (run > 0) for (const [name, milliseconds] of Object.entries(taken)) samples[name].push(milliseconds);
  }
  rmSync(folder, { recursive: true, force: true });
  const base = median(samples[BARE]);
  const rows = Object.entries(samples).map(([name, values]) => {
    return `| ${name} | ${median(values).toFixed(0)} ms | ${(median(values) / base).toFixed(1)} |`;
  });
  return {
    title: 'Start-up',
    text: `Medians of ${RUNS} runs in turns; the chat in a pseudo-terminal of 80 columns, until there is where to type.\n\n| what | median | ratio |\n|---|---|---|\n${rows.join('\n')}`,
    goals: Object.entries(LIMITS).map(([name, limit]) => goalOf(name, { limit, taken: median(samples[name]), base })),
  };
}

/** Met in milliseconds, or in ratios where the machine itself is slow at the moment. */
function goalOf(name, { limit, taken, base }) {
  const ratio = limit / USUAL_MS;
  return {
    text: `${name} under ${limit} ms, or ${ratio.toFixed(1)} times a bare Node`,
    found: `${taken.toFixed(0)} ms, ${(taken / base).toFixed(1)} times`,
    isMet: taken < limit || taken / base < ratio,
  };
}

const bare = () => timed(() => spawnSync(process.execPath, ['-e', '0']));
const help = () => timed(() => spawnSync(process.execPath, [binary, '--help']));

/** Milliseconds until a chat in a terminal shows where to type. */
function chat(folder) {
  const args = ['chat', '--base-url', 'http://127.0.0.1:9/v1', '--model', 'none', '--window', '8k'];
  return new Promise((resolve, reject) => {
    const from = performance.now();
    const child = spawn(process.execPath, [binary, ...args], {
      cols: 80,
      rows: 24,
      cwd: folder,
      env: { PATH: process.env.PATH, HOME: folder, TERM: 'xterm', EPITOME_STORE: join(folder, 'chat.db') },
    });
    let shown = '';
    let isShown = false;
    child.onData((data) => {
      shown += data;
      if (isShown || !shown.includes('tokens · ')) return;
      isShown = true;
      const taken = performance.now() - from;
      // Not in the way of the next.
      child.onExit(() => resolve(taken));
      child.kill('SIGKILL');
    });
    child.onExit(() => isShown || reject(new Error(`no prompt; it showed ${JSON.stringify(shown)}`)));
  });
}

function timed(work) {
  const from = performance.now();
  work();
  return performance.now() - from;
}

await runAsScript(import.meta.url, () => report());
