import { createHash } from 'node:crypto';
import { Logger, makeWorkerUtils, type Runner, run, type SharedOptions } from 'graphile-worker';
import pg from 'pg';
import { MAIN } from '../log/reading.ts';
import type { DeadJob, Job, JobHandler, Jobs, JobsOptions, JobWorker, WorkerOptions } from '../model/jobs.ts';
import { asStoreError } from './errors.ts';

const TASK = 'branch';
const SCHEMA = 'epitome_jobs';
// A queue of its own for every branch would fill the table of queues; branches that share one merely wait for each other.
const QUEUES = 4096;

/** Jobs in a PostgreSQL database, for workers on any number of machines. Payloads are seen by workers of all tenants. */
export async function postgresJobs({
  connectionString,
  maxAttempts = 5,
}: JobsOptions & { readonly connectionString: string }): Promise<Jobs> {
  const pool = new pg.Pool({ connectionString });
  pool.on('error', () => {});
  const shared: SharedOptions = { pgPool: pool, schema: SCHEMA, logger: new Logger(() => () => {}) };
  const utils = await makeWorkerUtils(shared).catch(async (error: unknown) => {
    await pool.end();
    throw asStoreError(error);
  });
  await utils.migrate();
  const runners = new Set<Runner>();
  return {
    enqueue: async ({ tenant, conversation, branch = MAIN, payload = null }) => {
      const job: Job = { tenant, conversation, branch, payload };
      const spec = { jobKey: keyOf(job), queueName: queueOf(job), maxAttempts };
      await utils.addJob(TASK, job, spec);
    },
    startWorker: (handler, options = {}) => startWorker({ shared, runners, handler }, options),
    dead: () => deadJobs(pool),
    close: async () => {
      await Promise.all([...runners].map((runner) => runner.stop()));
      await utils.release();
      await pool.end();
    },
  };
}

function keyOf({ tenant, conversation, branch }: Job): string {
  return JSON.stringify([tenant, conversation, branch]);
}

function queueOf(job: Job): string {
  const hash = createHash('sha256').update(keyOf(job)).digest().readUInt32BE(0);
  return `q${hash % QUEUES}`;
}

type Context = { readonly shared: SharedOptions; readonly runners: Set<Runner>; readonly handler: JobHandler };

async function startWorker(
  { shared, runners, handler }: Context,
  { concurrency = 2 }: WorkerOptions,
): Promise<JobWorker> {
  const runner = await run({
    ...shared,
    concurrency,
    pollInterval: 1000,
    noHandleSignals: true,
    taskList: {
      [TASK]: (payload, { job, abortSignal }) => handler({ ...(payload as Job), attempt: job.attempts }, abortSignal),
    },
  });
  runners.add(runner);
  return {
    stop: async () => {
      if (!runners.delete(runner)) return;
      await runner.stop();
    },
  };
}

async function deadJobs(pool: pg.Pool): Promise<readonly DeadJob[]> {
  const { rows } = await pool.query<{ payload: Job; attempts: number; error: string | null }>(
    `select payload, attempts, last_error as error from ${SCHEMA}._private_jobs
     where attempts >= max_attempts and locked_at is null order by id`,
  );
  return rows.map(({ payload, attempts, error }) => ({ ...payload, attempts, error: error ?? '' }));
}
