import type { Pool, PoolClient } from 'pg';
import { JOBS_SCHEMA } from './job-key.ts';

/** Signs of life of this process: the queue itself would wait four hours for a worker that was killed. */
export type Leases = {
  /** Says that the holder of a job is alive, until it is released or the connection is lost. */
  readonly take: (holder: string) => Promise<{ readonly lost: AbortSignal; readonly release: () => Promise<void> }>;
  readonly close: () => Promise<void>;
};

// Any number, the same in every process.
const LEASES = 7_308_622;
const LOOK_EVERY_MS = 5_000;

// Between taking a job and taking its lease there are milliseconds.
const DEAD = `select distinct locked_by as holder from ${JOBS_SCHEMA}._private_jobs
  where locked_at < now() - interval '5 seconds' and pg_try_advisory_xact_lock(${LEASES}, hashtext(locked_by))`;

/**
 * Opens a connection whose locks are the leases: the server frees them when the process dies, whatever it dies of. Now and then
 * jobs whose holder has no lease any more are freed.
 */
export async function openLeases(pool: Pool, free: (dead: readonly string[]) => Promise<void>): Promise<Leases> {
  let session = await openSession(pool);
  const look = async (): Promise<void> => {
    const { rows } = await pool.query<{ holder: string }>(DEAD);
    if (rows.length > 0) await free(rows.map(({ holder }) => holder));
  };
  const lookGently = (): void => void look().catch(() => {});
  lookGently();
  const timer = setInterval(lookGently, LOOK_EVERY_MS);
  return {
    take: async (holder) => {
      if (session.lost.aborted) session = await openSession(pool);
      const { client, lost } = session;
      await client.query('select pg_advisory_lock_shared($1, hashtext($2))', [LEASES, holder]);
      const release = async (): Promise<void> => {
        if (lost.aborted) return;
        await client.query('select pg_advisory_unlock_shared($1, hashtext($2))', [LEASES, holder]).catch(() => {});
      };
      return { lost, release };
    },
    close: async () => {
      clearInterval(timer);
      session.end();
    },
  };
}

type Session = { readonly client: PoolClient; readonly lost: AbortSignal; readonly end: () => void };

async function openSession(pool: Pool): Promise<Session> {
  const client = await pool.connect();
  const lost = new AbortController();
  const end = (): void => {
    if (lost.signal.aborted) return;
    lost.abort(new Error('The connection that held the leases was lost.'));
    client.release(true);
  };
  client.on('error', end);
  return { client, lost: lost.signal, end };
}
