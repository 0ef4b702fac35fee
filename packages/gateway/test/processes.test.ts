import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { openStore, type Store } from '@epitome/store';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chatOf, post, statusOf } from './support/chat.ts';
import { type Server, startServer } from './support/postgres.ts';
import { type Json, startUpstream, type Upstream } from './upstream/index.ts';

// Two gateways behind a load balancer: two processes, one PostgreSQL.

let server: Server;
let upstream: Upstream;
let store: Store;
const children: ChildProcess[] = [];

beforeAll(async () => {
  server = await startServer();
  upstream = await startUpstream({ window: 8_000 });
  store = await openStore({ kind: 'postgres', connectionString: server.url });
}, 120_000);

afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await store.close();
  await upstream.close();
  await server.stop();
});

const CHILD = fileURLToPath(new URL('./children/gateway.ts', import.meta.url));

async function startProcess(): Promise<{ readonly url: string; readonly child: ChildProcess }> {
  const args = ['--conditions=epitome-source', '--import', 'tsx', CHILD, server.url, upstream.url, '8000'];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  const [chunk] = await once(child.stdout, 'data');
  return { url: String(chunk).trim(), child };
}

const body = (messages: readonly Json[]): Json => ({ model: 'm', messages });

test('turns go through either process; one is killed: no turn is lost, no compaction is made twice', async () => {
  const [a, b] = await Promise.all([startProcess(), startProcess()]);
  const all = chatOf(70, 110, ' of the two');
  const killAt = 80;
  for (let length = 4; length < all.length; length += 2) {
    const asked = body(all.slice(0, length));
    if (length === killAt) {
      const dying = post(a.url, asked).catch(() => undefined);
      a.child.kill('SIGKILL');
      await dying;
    }
    const isEven = length % 4 === 0 && length < killAt;
    const answer = await post(isEven ? a.url : b.url, asked);
    expect([length, answer.status]).toEqual([length, 200]);
  }
  expect(upstream.refused()).toEqual([]);
  expect(upstream.requests.filter(({ verdict }) => verdict === 'too-long')).toEqual([]);
  const log = store.forTenant('local');
  const [conversation] = await log.conversations();
  const ref = { conversation: conversation?.id ?? '' };
  const kept = (await log.messages(ref)).map(({ native }) => native);
  // All but the system message, which belongs to each request.
  const sent = all.slice(1, all.length - 2).map((message) => JSON.stringify(message));
  expect([kept.length, kept.join() === sent.join()]).toEqual([sent.length, true]);
  const records = (await log.records(ref)).filter(({ state }) => state === 'completed');
  expect(records.length).toBeGreaterThan(2);
  const covered = records.flatMap(({ record }) => (record.kind === 'compaction' ? record.covers : []));
  expect(new Set(covered).size).toBe(covered.length);
}, 120_000);

test('the same request at both processes at once: one compaction is published, and both send the same bytes', async () => {
  const [a, b] = await Promise.all([startProcess(), startProcess()]);
  upstream.forget();
  const asked = body(chatOf(20, 200, ' at once'));
  const answers = await Promise.all(Array.from({ length: 16 }, (_, at) => post(at % 2 === 0 ? a.url : b.url, asked)));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(new Set(answers.map(statusOf))).toEqual(new Set(['compacted', 'reused']));
  expect(new Set(upstream.requests.map(({ raw }) => raw.toString('utf8'))).size).toBe(1);
  const log = store.forTenant('local');
  const conversation = decodeURIComponent(answers[0]?.told.get('x-epitome-conversation') ?? '');
  const states = (await log.records({ conversation }))
    .map(({ state }) => state)
    .filter((state) => state === 'completed');
  expect(states).toEqual(['completed']);
}, 120_000);
