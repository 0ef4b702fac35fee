import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Attempt } from '../src/index.ts';
import { postgresJobs, postgresStore } from '../src/postgres/index.ts';
import { sqliteJobs, sqliteStore } from '../src/sqlite/index.ts';
import { claim, finish, listed, put } from '../src/sqlite/jobs-table.ts';
import { openFile } from '../src/sqlite/open.ts';
import { statementsOf } from '../src/sqlite/statements.ts';
import { bundleChild, bundleFolder, startChild } from './support/children.ts';
import { jobLaws } from './support/job-laws.ts';
import { type Server, startServer } from './support/postgres.ts';

const folder = mkdtempSync(join(tmpdir(), 'epitome-jobs-'));
let server: Server;

beforeAll(async () => {
  server = await startServer();
});
afterAll(async () => {
  await server?.stop();
  rmSync(folder, { recursive: true });
  rmSync(bundleFolder('jobs'), { recursive: true, force: true });
});

test('a job of a PostgreSQL worker that was killed is taken up by another one within seconds', async () => {
  const program = await bundleChild('worker', bundleFolder('jobs'));
  const jobs = await postgresJobs({ connectionString: server.url });
  await jobs.enqueue({ tenant: 't', conversation: 'left behind' });
  let isTaken: () => void = () => {};
  const taken = new Promise<void>((resolve) => {
    isTaken = resolve;
  });
  const child = startChild(program, [server.url], () => isTaken());
  await taken;
  child.process.kill('SIGKILL');
  await child.ended;
  const seen = await new Promise<Attempt>((resolve) => {
    void jobs.startWorker(async (job) => resolve(job));
  });
  expect(seen).toMatchObject({ conversation: 'left behind', attempt: 2 });
  await jobs.close();
}, 40_000);

test('what is bound to a tenant sees the jobs of that tenant and no other in the queue of PostgreSQL', async () => {
  const both = await Promise.all([1, 2].map(() => postgresJobs({ connectionString: server.url })));
  const [jobs] = both;
  for (const tenant of ['one', 'two'])
    await jobs?.enqueue({ tenant, conversation: 'c', payload: { goal: `of ${tenant}` } });
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  const seen = async (tenant: string): Promise<readonly string[]> => {
    await client.query(`select set_config('epitome.tenant', $1, false)`, [tenant]);
    const { rows } = await client.query(
      `select payload ->> 'tenant' as tenant from epitome_jobs._private_jobs order by 1`,
    );
    return rows.map((row: { tenant: string }) => row.tenant);
  };
  expect(await seen('one')).toEqual(['one']);
  expect(await seen('two')).toEqual(['two']);
  expect(await seen('three')).toEqual([]);
  expect(await seen('')).toEqual(['one', 'two']);
  await client.end();
  const done: string[] = [];
  await jobs?.startWorker(async ({ tenant }) => void done.push(tenant));
  await expect.poll(() => done.toSorted(), { timeout: 20_000 }).toEqual(['one', 'two']);
  for (const each of both) await each.close();
}, 40_000);

test('a job of a SQLite worker that was not heard of is taken over once its lease is over, and dies with its third worker', async () => {
  const prepare = statementsOf(await openFile(join(folder, 'leases.db')));
  const terms = { leaseMs: -1, maxAttempts: 3 };
  put(prepare, { tenant: 't', conversation: 'c', branch: 'main', payload: 1 });
  const [first, second] = [claim(prepare, terms), claim(prepare, terms)];
  expect([first?.attempts, second?.attempts]).toEqual([1, 2]);
  if (first !== undefined) finish(prepare, first);
  expect(listed(prepare)).toMatchObject([{ state: 'running', attempts: 2 }]);
  expect(claim(prepare, terms)?.attempts).toBe(3);
  expect(claim(prepare, terms)).toBeUndefined();
  expect(listed(prepare)).toMatchObject([{ state: 'dead', error: 'Its last worker was never heard of again.' }]);
});

test.each(['sqlite', 'postgres'])('jobs of a forgotten conversation are gone, on every branch: %s', async (kind) => {
  const path = join(folder, 'forgotten.db');
  const options = { connectionString: server.url };
  const jobs = await (kind === 'sqlite' ? sqliteJobs(path) : postgresJobs(options));
  const store = await (kind === 'sqlite' ? sqliteStore(path) : postgresStore(options));
  const logs = ['one', 'two'].map((tenant) => store.forTenant(tenant));
  for (const log of logs) for (const id of ['gone', 'stays']) await log.create({ format: 'openai-chat', id });
  for (const branch of ['main', 'renamed since']) {
    for (const { tenant } of logs)
      await jobs.enqueue({ tenant, conversation: 'gone', branch, payload: { goal: 'secret' } });
  }
  await jobs.enqueue({ tenant: 'one', conversation: 'stays' });
  await logs[0]?.forget('gone');
  const left = (await jobs.list()).map(({ tenant, conversation, branch }) => `${tenant} ${conversation} ${branch}`);
  expect(left.toSorted()).toEqual(['one stays main', 'two gone main', 'two gone renamed since']);
  // The queue is that of the tests below, too.
  for (const log of logs) for (const id of ['gone', 'stays']) await log.forget(id);
  expect(await jobs.list()).toEqual([]);
  await jobs.close();
  await store.close();
});

test('a role that may not see the queue of PostgreSQL forgets a conversation with its jobs', async () => {
  const [jobs, owner] = [await postgresJobs({ connectionString: server.url }), new pg.Client(server.adminUrl)];
  await (await postgresStore({ connectionString: server.url })).close();
  await owner.connect();
  // As the guide grants it.
  await owner.query(`create role guest login password 'guest';
    grant usage on schema epitome to guest; grant all on all tables in schema epitome to guest;
    grant all on all sequences in schema epitome to guest; grant execute on all functions in schema epitome to guest`);
  const store = await postgresStore({ connectionString: server.url.replace('app:app', 'guest:guest') });
  const [log, other] = ['mine', 'yours'].map((tenant) => store.forTenant(tenant));
  await log?.create({ format: 'openai-chat', id: 'c' });
  await other?.create({ format: 'openai-chat', id: 'c' });
  for (const tenant of ['mine', 'yours']) await jobs.enqueue({ tenant, conversation: 'c' });
  expect(await log?.forget('c')).toBe(true);
  expect((await jobs.list()).map(({ tenant }) => tenant)).toEqual(['yours']);
  expect(await other?.forget('c')).toBe(true);
  await store.close();
  await jobs.close();
  await owner.query('drop owned by guest; drop role guest');
  await owner.end();
});

describe('on SQLite', () => jobLaws((options) => sqliteJobs(join(folder, 'log.db'), options)));
describe('on PostgreSQL', () => jobLaws((options) => postgresJobs({ ...options, connectionString: server.url })));
