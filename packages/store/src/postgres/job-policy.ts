import type { Pool } from 'pg';
import { JOBS_SCHEMA } from './job-key.ts';

const TABLE = `${JOBS_SCHEMA}._private_jobs`;

// Workers are bound to no tenant and take the jobs of all; a transaction of a log is, and must see no other's payload.
const OWN = `coalesce(current_setting('epitome.tenant', true), '') = ''
  or payload ->> 'tenant' = current_setting('epitome.tenant', true)`;

const SECURE = `alter table ${TABLE} enable row level security, force row level security;
  create policy own_jobs on ${TABLE} using (${OWN})`;

/** Forces row-level security on the queue, once. */
export async function secureJobs(pool: Pool): Promise<void> {
  const { rows } = await pool.query(
    `select 1 from pg_policies where schemaname = $1 and tablename = '_private_jobs' and policyname = 'own_jobs'`,
    [JOBS_SCHEMA],
  );
  if (rows.length > 0) return;
  try {
    await pool.query(SECURE);
  } catch (error) {
    // Another process was a moment faster; both statements are one transaction.
    const isDone = error instanceof Error && 'code' in error && (error.code === '42710' || error.code === 'XX000');
    if (!isDone) throw error;
  }
}
