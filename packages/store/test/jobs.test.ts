import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Attempt } from '../src/index.ts';
import { postgresJobs } from '../src/postgres/index.ts';
import { sqliteJobs } from '../src/sqlite/index.ts';
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

describe('on SQLite', () => jobLaws((options) => sqliteJobs(join(folder, 'log.db'), options)));
describe('on PostgreSQL', () => jobLaws((options) => postgresJobs({ ...options, connectionString: server.url })));
