import { createHash } from 'node:crypto';
import { Logger, makeWorkerUtils, run, type SharedOptions, type Task, type WorkerUtils } from 'graphile-worker';
import pg from 'pg';
import { createClosing } from '../log/closing.ts';
import { MAIN } from '../log/reading.ts';
import type { Job, JobHandler, Jobs, JobsOptions, JobWorker, QueuedJob, WorkerOptions } from '../model/jobs.ts';
import { asStoreError } from './errors.ts';
import { JOBS_SCHEMA, jobKey } from './job-key.ts';
import { secureJobs } from './job-policy.ts';
import { type Leases, openLeases } from './leases.ts';
import { outliving } from './open.ts';

const TASK = 'branch';
// A queue of its own for every branch would fill the table of queues; branches that share one merely wait for each other.
const QUEUES = 4096;

/**
 * Jobs in a PostgreSQL database, for workers on any number of machines. Workers see the jobs of all tenants; what is bound to a
 * tenant sees its own.
 */
export async function postgresJobs({
  connectionString,
  maxAttempts = 5,
}: JobsOptions & { readonly connectionString: string }): Promise<Jobs> {
  const pool = outliving(new pg.Pool({ connectionString }));
  const shared: SharedOptions = { pgPool: pool, schema: JOBS_SCHEMA, logger: new Logger(() => () => {}) };
  const utils = await openQueue(pool, shared).catch(async (error: unknown) => {
    await pool.end();
    throw asStoreError(error);
  });
  const workers = new Set<JobWorker>();
  const { openly, close } = createClosing(async () => {
    await Promise.all([...workers].map((worker) => worker.stop()));
    await utils.release();
    await pool.end();
  });
  return {
    enqueue: ({ tenant, conversation, branch = MAIN, payload = null }) => {
      const job: Job = { tenant, conversation, branch, payload };
      const spec = { jobKey: jobKey(job), queueName: queueOf(job), maxAttempts };
      return openly(async () => void (await utils.addJob(TASK, job, spec).catch(sayWhy)));
    },
    startWorker: (handler, options = {}) =>
      openly(() => startWorker({ pool, utils, shared, workers, handler }, options)),
    list: () => openly(() => listed(pool).catch(sayWhy)),
    close,
  };
}

async function openQueue(pool: pg.Pool, shared: SharedOptions): Promise<WorkerUtils> {
  const utils = await makeWorkerUtils(shared);
  await utils.migrate();
  await secureJobs(pool);
  return utils;
}

function sayWhy(error: unknown): never {
  throw asStoreError(error);
}

function queueOf(job: Job): string {
  const hash = createHash('sha256').update(jobKey(job)).digest().readUInt32BE(0);
  return `q${hash % QUEUES}`;
}

type Context = {
  readonly pool: pg.Pool;
  readonly utils: WorkerUtils;
  readonly shared: SharedOptions;
  readonly workers: Set<JobWorker>;
  readonly handler: JobHandler;
};

async function startWorker(context: Context, { concurrency = 2 }: WorkerOptions): Promise<JobWorker> {
  const { pool, utils, shared, workers } = context;
  const leases = await openLeases(pool, (dead) => utils.forceUnlockWorkers([...dead]));
  const ended: Ended = { isStopping: false, jobs: [], holders: [] };
  const runner = await run({
    ...shared,
    concurrency,
    pollInterval: 1000,
    gracefulShutdownAbortTimeout: PATIENCE_MS,
    noHandleSignals: true,
    taskList: { [TASK]: taskOf(context.handler, leases, ended) },
  });
  const worker: JobWorker = {
    stop: async () => {
      if (!workers.delete(worker)) return;
      ended.isStopping = true;
      await runner.stop();
      // A runner that stops does not write down any more that its last jobs are done.
      if (ended.jobs.length > 0) {
        await utils.forceUnlockWorkers(ended.holders);
        await utils.completeJobs(ended.jobs);
      }
      await leases.close();
    },
  };
  workers.add(worker);
  return worker;
}

const PATIENCE_MS = 30_000;

/** Jobs that were done while their worker was being stopped, and who held them. */
type Ended = { isStopping: boolean; readonly jobs: string[]; readonly holders: string[] };

function taskOf(handler: JobHandler, leases: Leases, ended: Ended): Task {
  return async (payload, { job, abortSignal }) => {
    const { attempts: attempt, max_attempts: most, locked_by: holder } = job;
    const lease = await leases.take(holder ?? '');
    try {
      const signal = AbortSignal.any([abortSignal, lease.lost]);
      await handler({ ...(payload as Job), attempt, isLast: attempt >= most }, signal);
      if (ended.isStopping) {
        ended.jobs.push(job.id);
        ended.holders.push(holder ?? '');
      }
    } finally {
      await lease.release();
    }
  };
}

type Row = {
  readonly payload: Job;
  readonly attempts: number;
  readonly state: QueuedJob['state'];
  readonly due: number;
  readonly error: string | null;
};

async function listed(pool: pg.Pool): Promise<readonly QueuedJob[]> {
  const { rows } = await pool.query<Row>(
    `select payload, attempts, last_error as error, (extract(epoch from run_at) * 1000)::float8 as due,
     case when locked_at is not null then 'running' when attempts >= max_attempts then 'dead' else 'waiting' end as state
     from ${JOBS_SCHEMA}._private_jobs order by attempts >= max_attempts and locked_at is null, run_at limit 1000`,
  );
  return rows.map(({ payload, attempts, state, due, error }) => ({
    ...payload,
    state,
    attempts,
    ...(state === 'waiting' ? { dueAt: Math.round(due) } : {}),
    ...(error === null ? {} : { error }),
  }));
}
