// Shared by the scripts: timing, one child process per subject, tables and goals.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Where each subject's code is, and the npm package it measures. */
export const SUBJECTS = {
  epitome: { file: 'epitome' },
  'ai-sdk': { file: 'ai-sdk', package: 'ai' },
  pi: { file: 'pi', package: '@mariozechner/pi-coding-agent' },
  langchain: { file: 'langchain', package: 'langchain' },
  'gemini-cli': { file: 'gemini-cli', package: '@google/gemini-cli-core' },
  mastra: { file: 'mastra', package: '@mastra/core' },
  'openai-agents': { file: 'openai-agents', package: '@openai/agents' },
};

const CHILD_LIMIT_MS = 600_000;

/**
 * Runs a job in a process of its own: no subject warms, slows or breaks another. The answer is what the child printed
 * as its last line, or `{ error }`.
 */
export function inChild(job) {
  const script = fileURLToPath(new URL('child.mjs', import.meta.url));
  const result = spawnSync(process.execPath, ['--expose-gc', script, JSON.stringify(job)], {
    encoding: 'utf8',
    timeout: CHILD_LIMIT_MS,
    maxBuffer: 1 << 26,
  });
  if (result.error?.code === 'ETIMEDOUT') return { error: `no answer within ${CHILD_LIMIT_MS / 1000} s` };
  const last = (result.stdout ?? '').trim().split('\n').at(-1) ?? '';
  if (last.startsWith('{')) return JSON.parse(last);
  const why = (result.stderr ?? '').split('\n').find((line) => /error/i.test(line)) ?? `exit ${result.status}`;
  return { error: why.trim().slice(0, 120) };
}

/** CPU and wall milliseconds of one run. CPU time is what a busy machine falsifies least. */
export async function timed(run) {
  const wall = performance.now();
  const cpu = process.cpuUsage();
  const value = await run();
  const { user, system } = process.cpuUsage(cpu);
  return { value, cpu: (user + system) / 1000, wall: performance.now() - wall };
}

/**
 * Several runs on fresh objects: the first one, in a cold process; then, after a warm-up, the median and the least
 * disturbed one. Slow subjects run less often.
 */
export async function repeated(prepareRun, { most = 30, warmMs = 1500, budgetMs = 8000 } = {}) {
  const kept = [];
  let runs = 0;
  const runOnce = async () => {
    const prepared = await prepareRun(runs);
    // What the preparation left behind is not to be collected, nor the input moved, on the subject's time: an object
    // that has survived two minor collections is old.
    for (let times = 0; times < 2; times += 1) globalThis.gc?.({ type: 'minor' });
    const sample = await (prepared.timed ?? timed)(prepared.run);
    // Hidden classes live as long as an object of theirs: a session in use keeps them, and so does this.
    kept.push(prepared, sample.value);
    if (kept.length > 6) kept.splice(0, 2);
    runs += 1;
    return { cpu: sample.cpu, wall: sample.wall };
  };
  const started = performance.now();
  const cold = await runOnce();
  if (performance.now() - started > budgetMs) return { runs: 1, cold, best: cold, median: cold };
  while (performance.now() - started < warmMs) await runOnce();
  const warm = [await runOnce()];
  while (warm.length < most && performance.now() - started < budgetMs) warm.push(await runOnce());
  warm.sort((a, b) => a.cpu - b.cpu);
  return { runs: warm.length, cold, best: warm[0], median: warm[warm.length >> 1] };
}

/** What a subject offers to be measured: its decisions (`decide`) or whole compactions (`full`). */
export function offersOf(subject, kind) {
  const offered = inChild({ kind: 'list', subject });
  if (offered.error !== undefined) return [{ subject, name: subject, title: subject, error: offered.error }];
  return offered[kind].map((offer) => ({ subject, version: offered.version, ...offer }));
}

/** The middle one of some values; not a number where one of them is none. */
export function median(values) {
  if (values.some(Number.isNaN)) return Number.NaN;
  return [...values].sort((one, other) => one - other)[values.length >> 1];
}

/** What stands behind an option of the command line. */
export function argument(name, otherwise) {
  const at = process.argv.indexOf(name);
  return at < 0 ? otherwise : process.argv[at + 1];
}

/** Exponent of growth: the slope of the line nearest to all points on a double logarithmic scale. */
export function exponent(points) {
  const logs = points.map(({ count, cost }) => ({ x: Math.log(count), y: Math.log(cost) }));
  const mean = (pick) => logs.reduce((sum, point) => sum + pick(point), 0) / logs.length;
  const [middleX, middleY] = [mean(({ x }) => x), mean(({ y }) => y)];
  return mean(({ x, y }) => (x - middleX) * (y - middleY)) / mean(({ x }) => (x - middleX) ** 2);
}

/** Milliseconds with as many digits as say something. */
export function ms(value) {
  if (value === undefined) return '';
  return value >= 100 ? Math.round(value).toLocaleString('en') : value >= 10 ? value.toFixed(1) : value.toFixed(2);
}

/** A Markdown table; the first column is text, the others are figures. */
export function table(header, rows) {
  const lines = [header, header.map((_, column) => (column === 0 ? ':--' : '--:')), ...rows];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** A goal of the project with what was found. */
export function goal(text, found, isMet) {
  return { text, found, isMet };
}

/** Lines that say which goals are met. */
export function goalLines(goals) {
  return goals.map(({ text, found, isMet }) => `- ${isMet ? 'met' : '**missed**'}: ${text}: ${found}`).join('\n');
}

/** Runs a report where its script was started itself, prints it, and fails the process where a goal is missed. */
export async function runAsScript(url, report) {
  if (process.argv[1] !== fileURLToPath(url)) return;
  const { text, goals } = await report();
  console.log(`${text}\n\n${goalLines(goals)}`);
  if (goals.some(({ isMet }) => !isMet) && !process.argv.includes('--no-assert')) process.exitCode = 1;
}
