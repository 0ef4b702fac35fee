import { setTimeout as sleep } from 'node:timers/promises';
import { MAIN } from '../log/reading.ts';
import type { Attempt, JobHandler, Jobs, JobsOptions, JobWorker, WorkerOptions } from '../model/jobs.ts';
import { createGate } from './gate.ts';
import { claim, fail, finish, type Held, keep, listed, put } from './jobs-table.ts';
import { openFile } from './open.ts';
import { patiently } from './patience.ts';
import { type Prepare, statementsOf } from './statements.ts';
import { atOnce } from './transaction.ts';

/** Jobs in the file of a store. Workers run in this process; other processes on the file may run some too. */
export async function sqliteJobs(path: string, options: JobsOptions = {}): Promise<Jobs> {
  const database = await openFile(path);
  const prepare = statementsOf(database);
  const { openly, close } = createGate(path);
  const workers = new Set<JobWorker>();
  const table: Table = (work) => openly((askedAt) => patiently(() => atOnce(prepare, () => work(prepare)), askedAt));
  const maxAttempts = options.maxAttempts ?? 5;
  return {
    enqueue: ({ tenant, conversation, branch = MAIN, payload = null }) =>
      table((on) => put(on, { tenant, conversation, branch, payload })),
    startWorker: (handler, { concurrency = 2 }: WorkerOptions = {}) =>
      openly(async () => {
        const worker = startWorker({ table, handler, maxAttempts }, concurrency);
        workers.add(worker);
        return worker;
      }),
    list: () => table(listed),
    close: async () => {
      await Promise.all([...workers].map((worker) => worker.stop()));
      await close(() => database.close());
    },
  };
}

type Table = <T>(work: (prepare: Prepare) => T) => Promise<T>;

type Context = { readonly table: Table; readonly handler: JobHandler; readonly maxAttempts: number };

// A job asked for by another process is found by looking; one asked for here is found no later.
const LOOK_EVERY_MS = 200;
const LEASE_MS = 30_000;
const PATIENCE_MS = 30_000;

function startWorker(context: Context, concurrency: number): JobWorker {
  const stopped = new AbortController();
  const aborted = new AbortController();
  const lanes = Array.from({ length: concurrency }, () => work(context, stopped.signal, aborted.signal));
  return {
    stop: async () => {
      stopped.abort();
      const timer = setTimeout(() => aborted.abort(), PATIENCE_MS);
      await Promise.all(lanes);
      clearTimeout(timer);
    },
  };
}

async function work(context: Context, stopped: AbortSignal, aborted: AbortSignal): Promise<void> {
  while (!stopped.aborted) {
    // A file that is locked or gone for a while must not end the worker.
    const held = await context
      .table((on) => claim(on, { leaseMs: LEASE_MS, maxAttempts: context.maxAttempts }))
      .catch(() => undefined);
    if (held === undefined) await sleep(LOOK_EVERY_MS, undefined, { signal: stopped }).catch(() => {});
    else await attempt(context, held, aborted);
  }
}

async function attempt({ table, handler, maxAttempts }: Context, held: Held, aborted: AbortSignal): Promise<void> {
  const { tenant, conversation, branch, payload, attempts } = held;
  const job: Attempt = { tenant, conversation, branch, payload, attempt: attempts, isLast: attempts >= maxAttempts };
  const renewal = setInterval(() => void table((on) => keep(on, held, LEASE_MS)).catch(() => {}), LEASE_MS / 3);
  try {
    await handler(job, aborted);
    await table((on) => finish(on, held));
  } catch (error) {
    await table((on) =>
      fail(on, held, { error: error instanceof Error ? error.message : String(error), maxAttempts }),
    ).catch(() => {});
  } finally {
    clearInterval(renewal);
  }
}
