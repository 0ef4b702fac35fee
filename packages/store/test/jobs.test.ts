import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe } from 'vitest';
import { postgresJobs } from '../src/postgres/index.ts';
import { sqliteJobs } from '../src/sqlite/index.ts';
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
});

describe('on SQLite', () => jobLaws((options) => sqliteJobs(join(folder, 'log.db'), options)));
describe('on PostgreSQL', () => jobLaws((options) => postgresJobs({ ...options, connectionString: server.url })));
