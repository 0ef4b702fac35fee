// The gateway beside a bare proxy, the same with a look at the body, and a peer: `node bench/gateway.mjs [--requests 100000] [--quick]`.
// Each runs in a process of its own; they take turns in short slices, so that a busy machine weighs on all alike.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { Agent, request } from 'node:http';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { argument, goal, median, ms, runAsScript, table } from './harness.mjs';

const isQuick = process.argv.includes('--quick');
const SLICES = isQuick ? 6 : 30;
const SLICE = 10;
// A server is measured once its code is compiled: requests until its figures stay where they are.
const WARM = isQuick ? 100 : 3000;
// Requests over which the time of the processor is taken.
const BUSY = isQuick ? 100 : 1500;
const LOAD_MS = isQuick ? 700 : 3000;
const WORKERS = 16;
const MEMORY_REQUESTS = Number(argument('--requests', isQuick ? 500 : 5000));
const NAMES = ['bare', 'parsing', 'epitome', 'portkey'];

export async function report() {
  const upstream = await start('upstream');
  const subjects = [];
  try {
    for (const name of NAMES) {
      const subject = await start(name, upstream.port);
      if (subject.port !== undefined) subjects.push(subject);
      else subject.stop();
    }
    return await measure({ name: 'direct', port: upstream.port }, subjects);
  } finally {
    for (const { stop } of [...subjects, upstream]) stop();
  }
}

async function measure(direct, subjects) {
  const all = [direct, ...subjects];
  for (const subject of all) {
    const bodies = conversation(200_000, { name: 'warm' });
    for (let at = 0; at < WARM; at += 1) await post(subject, bodies.next().value);
  }
  const plain = await latencies(all, { stream: false });
  const streamed = await latencies(all, { stream: true });
  const cpu = await processorTime(subjects.filter(({ name }) => name !== 'portkey'));
  const load = await throughput(all);
  const long = await longHistory(all.filter(({ name }) => name !== 'portkey'));
  const memory = await memoryOf(subjects.find(({ name }) => name === 'epitome'));
  const added = (figures, name) => figures.get(name) - figures.get('direct');
  const rows = subjects.map(({ name }) => [
    LABELS[name],
    ms(added(plain, name)),
    (added(plain, name) / added(plain, 'parsing')).toFixed(2),
    cpu.has(name) ? ms(cpu.get(name)) : '',
    Number.isNaN(streamed.get(name)) ? 'fails' : ms(added(streamed, name)),
    Math.round(load.get(name)),
    (load.get(name) / load.get('parsing')).toFixed(2),
    long.has(name) ? ms(added(long, name)) : '',
  ]);
  const header = [
    '',
    'added p50, ms',
    'in shares of the parsing proxy',
    'processor time, ms',
    'added p50 of a stream, ms',
    'requests/s',
    'in shares of the parsing proxy',
    'added by 5 MB, ms',
  ];
  const hashing = hashMs();
  return {
    title: 'The gateway',
    text: `${table(header, rows)}\n\n${explanation(hashing, memory)}`,
    goals: goalsOf({ plain, load, long, hashing, memory, added, hasPeer: plain.has('portkey') }),
  };
}

const LABELS = {
  bare: 'bare `node:http` proxy',
  parsing: 'the same, parsing the body',
  epitome: 'epitome gateway, SQLite',
  portkey: 'Portkey gateway',
};

function goalsOf({ plain, load, long, hashing, memory, added, hasPeer }) {
  const ratio = added(plain, 'epitome') / added(plain, 'parsing');
  const share = load.get('epitome') / load.get('parsing');
  const resent = (long.get('epitome') - long.get('parsing')) / hashing;
  const growth = memory.end / memory.start;
  return [
    goal('added p50 at most 1.3 times a proxy that parses the body', `${ratio.toFixed(2)} times`, ratio <= 1.3),
    goal('at least 70% of its requests/s', `${(100 * share).toFixed(0)}%`, share >= 0.7),
    ...(hasPeer ? [peerGoal(added(plain, 'epitome') / added(plain, 'portkey'))] : []),
    goal(
      'a history of 5 MB sent again costs, beyond parsing it, at most one pass of hashing',
      `${resent.toFixed(2)} passes`,
      resent <= 1,
    ),
    goal(
      `flat memory over ${MEMORY_REQUESTS.toLocaleString('en')} requests (heap at most 1.25 times that after the first fifth)`,
      `${growth.toFixed(2)} times`,
      growth <= 1.25,
    ),
  ];
}

function peerGoal(ratio) {
  return goal("at most a third of the peer's added p50", `${ratio.toFixed(2)}`, ratio <= 1 / 3);
}

function explanation(hashing, { start: first, end }) {
  const mb = (bytes) => `${(bytes / 1e6).toFixed(0)} MB`;
  return (
    'A conversation of 200 kB that grows by a turn with each request; added: the median less that of requests without a proxy. ' +
    `Processor time: of the proxy alone, by request. Streams: 200 events, until the last. Requests/s: ${WORKERS} clients at once, each with a conversation of its own. ` +
    `One pass of SHA-256 over 5 MB takes ${ms(hashing)} ms here. Heap of the gateway after a fifth of ` +
    `${MEMORY_REQUESTS.toLocaleString('en')} requests ${mb(first)}, at their end ${mb(end)}.`
  );
}

/** A child process of a role; `port` is absent where the role is. */
async function start(name, upstreamPort = '') {
  const script = fileURLToPath(new URL('gateway-child.mjs', import.meta.url));
  const child = spawn(process.execPath, ['--expose-gc', script, name, String(upstreamPort)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const subject = {
    name,
    states: [],
    stop: () => child.stdin.end(),
    ask: (what) => child.stdin.write(`${what}\n`),
    upstreamPort,
  };
  const lines = createInterface({ input: child.stdout });
  const port = await new Promise((resolve, reject) => {
    child.once('exit', () => reject(new Error(`${name} did not start`)));
    lines.on('line', (line) => {
      if (line.startsWith('{')) subject.states.push(JSON.parse(line));
      else resolve(line === 'absent' ? undefined : Number(line));
    });
  });
  return { ...subject, port };
}

/** Heap and processor time of a child. */
async function stateOf({ states, ask }, what) {
  const had = states.length;
  ask(what);
  while (states.length === had) await new Promise((resolve) => setTimeout(resolve, 20));
  return states.at(-1);
}

const agent = new Agent({ keepAlive: true, maxSockets: 64 });

function post({ name, port, upstreamPort }, body) {
  const peer =
    name === 'portkey'
      ? { 'x-portkey-provider': 'openai', 'x-portkey-custom-host': `http://127.0.0.1:${upstreamPort}/v1` }
      : {};
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    authorization: 'Bearer bench-key',
    ...peer,
  };
  return new Promise((resolve, reject) => {
    const sent = request(
      { agent, host: '127.0.0.1', port, path: '/v1/chat/completions', method: 'POST', headers },
      (response) => {
        let last = '';
        response.on('data', (chunk) => {
          last = chunk.toString('latin1').slice(-200);
        });
        response.on('end', () =>
          response.statusCode === 200 ? resolve(last) : reject(new Error(`${name}: ${response.statusCode} ${last}`)),
        );
        response.on('error', reject);
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}

/** Bodies of a conversation of so many bytes that grows by a turn each time. */
function* conversation(bytes, { name, stream = false }) {
  const messages = [];
  for (let size = 0; size < bytes; size += messages.at(-1).length) {
    messages.push(
      JSON.stringify({
        role: messages.length % 2 === 0 ? 'user' : 'assistant',
        content: textOf(`${name} ${messages.length}`, 1500),
      }),
    );
  }
  if (messages.length % 2 === 0) messages.push(JSON.stringify({ role: 'user', content: 'Go on.' }));
  for (let turn = 0; ; turn += 1) {
    yield `{"model":"bench","stream":${stream},"messages":[${messages.join(',')}]}`;
    messages.push(
      JSON.stringify({ role: 'assistant', content: `Fine, ${turn}.` }),
      JSON.stringify({ role: 'user', content: `And ${turn}?` }),
    );
  }
}

function textOf(seed, length) {
  let text = `${seed}: `;
  for (let at = 0; text.length < length; at += 1) text += `line ${at} of "src/part-${(at * 7919) % 997}.ts"\n`;
  return text;
}

/** Median milliseconds by subject, one request at a time. */
async function latencies(subjects, { stream }) {
  const bodies = new Map(
    subjects.map(({ name }) => [name, conversation(200_000, { name: `latency ${stream}`, stream })]),
  );
  const samples = new Map(subjects.map(({ name }) => [name, []]));
  for (let slice = 0; slice < SLICES; slice += 1) {
    // What one leaves behind for the processor to do falls on each of the others alike.
    for (const subject of inTurns(subjects, slice)) {
      for (let at = 0; at < SLICE; at += 1) {
        const body = bodies.get(subject.name).next().value;
        const from = performance.now();
        const isWhole = await post(subject, body).then(
          (last) => !stream || last.includes('[DONE]'),
          () => false,
        );
        // The first slices warm everything up.
        if (slice >= SLICES / 3) samples.get(subject.name).push(isWhole ? performance.now() - from : Number.NaN);
      }
    }
  }
  return new Map([...samples].map(([name, own]) => [name, median(own)]));
}

/** Subjects in an order in which, over as many slices as there are subjects and as many backwards, each follows each other alike. */
function inTurns(subjects, slice) {
  const { length } = subjects;
  // Of n places: 0, 1, n-1, 2, n-2, … and the same moved on by one with each slice.
  const zigzag = subjects.map((_, at) => (at % 2 === 1 ? (at + 1) / 2 : (length - at / 2) % length));
  const order = zigzag.map((place) => subjects[(place + slice) % length]);
  return Math.floor(slice / length) % 2 === 0 ? order : order.reverse();
}

/** Milliseconds of the processor by subject and request: what a busy machine falsifies least. */
async function processorTime(subjects) {
  const times = new Map();
  for (const subject of subjects) {
    const bodies = conversation(200_000, { name: 'processor' });
    for (let at = 0; at < BUSY; at += 1) await post(subject, bodies.next().value);
    const before = (await stateOf(subject, 'processor')).cpuMs;
    for (let at = 0; at < BUSY; at += 1) await post(subject, bodies.next().value);
    times.set(subject.name, ((await stateOf(subject, 'processor')).cpuMs - before) / BUSY);
  }
  return times;
}

/** Requests per second by subject, many clients at once. */
async function throughput(subjects) {
  const rates = new Map(subjects.map(({ name }) => [name, []]));
  for (let round = 0; round < 3; round += 1) {
    for (const subject of subjects) {
      let [count, isOver] = [0, false];
      const from = performance.now();
      const timer = setTimeout(() => {
        isOver = true;
      }, LOAD_MS);
      await Promise.all(
        Array.from({ length: WORKERS }, async (_, worker) => {
          const bodies = conversation(200_000, { name: `load ${worker}, ${round}` });
          while (!isOver) {
            await post(subject, bodies.next().value);
            count += 1;
          }
        }),
      );
      clearTimeout(timer);
      rates.get(subject.name).push((1000 * count) / (performance.now() - from));
    }
  }
  return new Map([...rates].map(([name, own]) => [name, median(own)]));
}

/** Median milliseconds of a turn whose history is 5 MB. */
async function longHistory(subjects) {
  const bodies = new Map(subjects.map(({ name }) => [name, conversation(5_000_000, { name: 'long' })]));
  const samples = new Map(subjects.map(({ name }) => [name, []]));
  for (let turn = 0; turn < (isQuick ? 6 : 16); turn += 1) {
    for (const subject of subjects) {
      const body = bodies.get(subject.name).next().value;
      const from = performance.now();
      await post(subject, body);
      if (turn >= 3) samples.get(subject.name).push(performance.now() - from);
    }
  }
  return new Map([...samples].map(([name, own]) => [name, median(own)]));
}

/**
 * Heap of the gateway, collected, after a fifth of the requests and at their end: conversations of twenty kB, each of which
 * was seen by then, takes some turns and begins again.
 */
async function memoryOf(subject) {
  const heap = async () => {
    // What is done behind the answers is done by then.
    await new Promise((resolve) => setTimeout(resolve, 1500));
    return (await stateOf(subject, 'heap')).heapUsed;
  };
  const count = Math.max(1, Math.min(500, Math.floor(MEMORY_REQUESTS / 5 / TURNS)));
  const bodyAt = (at) => {
    const bodies = conversation(20_000, { name: `memory ${at % count}` });
    for (let turn = Math.floor(at / count) % TURNS; turn > 0; turn -= 1) bodies.next();
    return bodies.next().value;
  };
  const send = async (from, to) => {
    for (let at = from; at < to; at += WORKERS) {
      const batch = Array.from({ length: Math.min(WORKERS, to - at) }, (_, own) => bodyAt(at + own));
      await Promise.all(batch.map((body) => post(subject, body)));
    }
  };
  await send(0, MEMORY_REQUESTS / 5);
  const first = await heap();
  await send(MEMORY_REQUESTS / 5, MEMORY_REQUESTS);
  return { start: first, end: await heap() };
}

const TURNS = 8;

function hashMs() {
  const text = conversation(5_000_000, { name: 'long' }).next().value;
  const times = Array.from({ length: 9 }, () => {
    const from = performance.now();
    createHash('sha256').update(text).digest();
    return performance.now() - from;
  });
  return median(times);
}

await runAsScript(import.meta.url, report);
