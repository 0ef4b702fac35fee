import type { Job, QueuedJob } from '../model/jobs.ts';
import type { Prepare } from './statements.ts';

/** A job this process works on. `ticket` tells its claim from a later one. */
export type Held = Job & { readonly attempts: number; readonly ticket: number };

/** Asks for a job of a branch. While one runs, the next is only noted. */
export function put(prepare: Prepare, { tenant, conversation, branch, payload }: Job): void {
  prepare(
    `insert into jobs (tenant, conversation, branch, payload, state, attempts, due_at, ticket, is_asked_again)
     values (?1, ?2, ?3, ?4, 'waiting', 0, ?5, 0, 0)
     on conflict do update set payload = excluded.payload,
       is_asked_again = (state = 'running'),
       attempts = case when state = 'running' then attempts else 0 end,
       due_at = case when state = 'running' then due_at else excluded.due_at end,
       state = case when state = 'running' then state else 'waiting' end`,
  ).run(tenant, conversation, branch, JSON.stringify(payload), Date.now());
}

/** How long a worker may be silent, and how often a job is tried. */
export type Terms = { readonly leaseMs: number; readonly maxAttempts: number };

/** Takes the job that waits longest. One whose worker has not been heard of within its lease is taken over. */
export function claim(prepare: Prepare, { leaseMs, maxAttempts }: Terms): Held | undefined {
  // A job that ends its workers would end the next one too.
  prepare(
    `update jobs set state = 'dead', error = 'Its last worker was never heard of again.'
     where state = 'running' and due_at <= ? and attempts >= ?`,
  ).run(Date.now(), maxAttempts);
  const row = prepare(
    `update jobs set state = 'running', attempts = attempts + 1, ticket = ticket + 1, due_at = ?1 + ?2
     where (tenant, conversation, branch) in (
       select tenant, conversation, branch from jobs where state in ('waiting', 'running') and due_at <= ?1
       order by due_at limit 1
     ) returning tenant, conversation, branch, payload, attempts, ticket`,
  ).get(Date.now(), leaseMs) as (Held & { readonly payload: string }) | undefined;
  return row === undefined ? undefined : { ...row, payload: JSON.parse(row.payload) };
}

const OWN = 'where tenant = ? and conversation = ? and branch = ? and ticket = ?';

/** Says that the job is still being worked on. */
export function keep(prepare: Prepare, { tenant, conversation, branch, ticket }: Held, leaseMs: number): void {
  prepare(`update jobs set due_at = ? ${OWN}`).run(Date.now() + leaseMs, tenant, conversation, branch, ticket);
}

/** The job is done; one that was asked for meanwhile follows. */
export function finish(prepare: Prepare, { tenant, conversation, branch, ticket }: Held): void {
  prepare(
    `update jobs set state = 'waiting', attempts = 0, due_at = ?, is_asked_again = 0 ${OWN} and is_asked_again = 1`,
  ).run(Date.now(), tenant, conversation, branch, ticket);
  prepare(`delete from jobs ${OWN} and state = 'running'`).run(tenant, conversation, branch, ticket);
}

const FIRST_PAUSE_MS = 500;

/** The job failed: it is tried again later, or counts as dead. One that was asked for meanwhile begins anew. */
export function fail(
  prepare: Prepare,
  { tenant, conversation, branch, ticket, attempts }: Held,
  { error, maxAttempts }: { readonly error: string; readonly maxAttempts: number },
): void {
  const pause = FIRST_PAUSE_MS * 2 ** (attempts - 1) * (0.75 + Math.random() / 2);
  const state = attempts >= maxAttempts ? 'dead' : 'waiting';
  prepare(
    `update jobs set error = ?, state = case when is_asked_again then 'waiting' else ? end,
     attempts = case when is_asked_again then 0 else attempts end,
     due_at = case when is_asked_again then ? else ? end, is_asked_again = 0 ${OWN}`,
  ).run(error, state, Date.now(), Math.round(Date.now() + pause), ...[tenant, conversation, branch, ticket]);
}

type Row = Job &
  Pick<QueuedJob, 'state' | 'attempts'> & {
    readonly payload: string;
    readonly due_at: number;
    readonly error: string | null;
  };

/** What is not done yet. */
export function listed(prepare: Prepare): readonly QueuedJob[] {
  const rows = prepare(
    `select tenant, conversation, branch, payload, state, attempts, due_at, error from jobs
     order by state = 'dead', due_at limit 1000`,
  ).all() as Row[];
  return rows.map(({ payload, due_at: dueAt, error, ...row }) => ({
    ...row,
    payload: JSON.parse(payload),
    ...(row.state === 'waiting' ? { dueAt } : {}),
    ...(error === null ? {} : { error }),
  }));
}
