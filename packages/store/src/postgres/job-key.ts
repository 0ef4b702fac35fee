import type { Job } from '../model/jobs.ts';

/** Where graphile-worker keeps the queue. */
export const JOBS_SCHEMA = 'epitome_jobs';

/** What tells the job of one branch from others. */
export function jobKey({ tenant, conversation, branch }: Omit<Job, 'payload'>): string {
  return JSON.stringify([tenant, conversation, branch]);
}
