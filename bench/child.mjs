// One subject, one measurement, in a process of its own: `node child.mjs '{"kind":"decide",…}'`. Prints one JSON line.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { repeated, SUBJECTS, timed } from './harness.mjs';
import { measureSpeed } from './retention/speed.mjs';
import { chatSession } from './session.mjs';

const job = JSON.parse(process.argv[2] ?? '{}');
const jobs = { list, decide, append, full, facts };
const result = await jobs[job.kind](job).catch((cause) => ({ error: String(cause?.message ?? cause).slice(0, 120) }));
console.log(`\n${JSON.stringify(result)}`);
process.exit(0);

/** What a subject offers. */
async function list({ subject }) {
  const { decide: decides, full: fulls } = await load(subject);
  const titles = (all) =>
    Object.entries(all).map(([name, { title, start, measures = true, compacts = true }]) => ({
      name,
      title,
      start,
      measures,
      compacts,
    }));
  return { version: versionOf(SUBJECTS[subject].package), decide: titles(decides), full: titles(fulls) };
}

/** Total cost of a decision after each message of a growing session. */
async function decide({ subject, name, count, most, budgetMs }) {
  const { open } = (await load(subject)).decide[name];
  return repeated(
    async (seed) => {
      const session = await open(chatSession(count, seed + 1));
      return session.append === undefined
        ? { run: () => decideAll(session), session }
        : { run: () => session, timed: timedDecisions, session };
    },
    { most, budgetMs },
  );
}

async function decideAll({ messages, decide: decideOn }) {
  const growing = [];
  for (const message of messages) {
    growing.push(message);
    const decision = decideOn(growing);
    if (decision instanceof Promise) await decision;
  }
  return growing;
}

/** Subjects that store messages themselves: only their decisions are counted. */
async function timedDecisions(run) {
  const { messages, append: add, decide: decideOn } = run();
  const total = { cpu: 0, wall: 0 };
  for (const message of messages) {
    await add(message);
    const { cpu, wall } = await timed(decideOn);
    total.cpu += cpu;
    total.wall += wall;
  }
  return total;
}

/** Median cost of one more message and its decision, in a session of `count` messages. */
async function append({ subject, name, count, preset }) {
  const { open } = (await load(subject)).decide[name];
  const extra = 2000;
  const session = await open(chatSession(count + extra), preset);
  const growing = session.messages.slice(0, count);
  session.decide(growing);
  const samples = session.messages.slice(count).map((message) => {
    const from = performance.now();
    growing.push(message);
    session.decide(growing);
    return (performance.now() - from) * 1000;
  });
  samples.sort((a, b) => a - b);
  return { medianUs: samples[samples.length >> 1], p99Us: samples[Math.floor(samples.length * 0.99)] };
}

/** One whole compaction. */
async function full({ subject, name, count, most }) {
  const { prepare, check } = (await load(subject)).full[name];
  return repeated(
    async (seed) => {
      const compactNow = await prepare(chatSession(count, seed + 1));
      return {
        run: async () => {
          const value = await compactNow();
          if (!check(value)) throw new Error('did not compact');
          return value;
        },
      };
    },
    { most },
  );
}

/** Speed of taking facts, from recorded sessions where they are there. */
async function facts() {
  const [{ formats }, { extractFacts }] = await Promise.all([
    import('../packages/core/dist/index.js'),
    import('../packages/core/dist/facts/index.js'),
  ]);
  const recorded = recordedSessions();
  const sessions = recorded ?? [chatSession(10_000)];
  const messages = sessions.flatMap((natives) => {
    const decoded = [];
    for (const native of natives) decoded.push(formats['openai-chat'].decode(native, decoded));
    return decoded;
  });
  const source = recorded === undefined ? 'a made session (../shared/data is not there)' : 'recorded agent sessions';
  return { source, ...measureSpeed(messages, extractFacts) };
}

function recordedSessions() {
  const folder = new URL('../../shared/data/', import.meta.url);
  if (!existsSync(folder)) return undefined;
  return readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl'))
    .flatMap((name) => readFileSync(new URL(name, folder), 'utf8').split('\n'))
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line).messages);
}

function load(subject) {
  return import(`./subjects/${SUBJECTS[subject].file}.mjs`);
}

function versionOf(name) {
  if (name === undefined) return '';
  const path = fileURLToPath(new URL(`node_modules/${name}/package.json`, import.meta.url));
  return `${name} ${JSON.parse(readFileSync(path, 'utf8')).version}`;
}
