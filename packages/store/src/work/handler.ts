import type { Cause, Policy, Ports } from 'epitome';
import { isStoreError } from '../model/errors.ts';
import type { Attempt, JobHandler } from '../model/jobs.ts';
import type { Store } from '../model/port.ts';
import { type BranchOutcome, type BranchWork, compactBranch } from './compact-branch.ts';

/** How the jobs of a queue are done. */
export type CompactionJobs = Pick<BranchWork, 'model' | 'price'> & {
  readonly store: Store;
  readonly policyOf: (job: Attempt) => Policy | Promise<Policy>;
  /** Told how each job ended; `gone` where its conversation was forgotten meanwhile. */
  readonly onEnd?: (job: Attempt, end: BranchOutcome | 'gone') => void;
};

/** What the payload of a job may say of its compaction. */
export type CompactionOrder = Pick<BranchWork, 'goal' | 'focus' | 'system' | 'tools'> & { readonly cause?: Cause };

/**
 * A handler that compacts the branch of each job. A summarizer that fails makes the job fail, so that it is tried again; the
 * last try publishes what can be had without it.
 */
export function compactionHandler({ store, policyOf, onEnd, ...rest }: CompactionJobs, ports: Ports = {}): JobHandler {
  return async (job, signal) => {
    const { tenant, conversation, branch, isLast } = job;
    const policy = await policyOf(job);
    const where = { log: store.forTenant(tenant), conversation, branch };
    const whenDegraded = isLast ? 'publish' : 'throw';
    const work = { ...rest, ...orderOf(job.payload), ...where, policy, whenDegraded } as const;
    onEnd?.(job, await unlessGone(() => compactBranch(work, ports, signal)));
  };
}

/** Reads a payload; what it does not say, or says in another shape, is left to the defaults. */
function orderOf(payload: unknown): CompactionOrder {
  if (typeof payload !== 'object' || payload === null) return {};
  const { cause, goal, focus, system, tools } = payload as Readonly<Record<string, unknown>>;
  return {
    ...(cause === 'manual' || cause === 'automatic' ? { cause } : {}),
    ...(typeof goal === 'string' ? { goal } : {}),
    ...(typeof focus === 'string' ? { focus } : {}),
    ...(system === undefined ? {} : { system }),
    ...(tools === undefined ? {} : { tools }),
  };
}

async function unlessGone(run: () => Promise<BranchOutcome>): Promise<BranchOutcome | 'gone'> {
  try {
    return await run();
  } catch (error) {
    const isGone = isStoreError(error) && (error.code === 'unknown-conversation' || error.code === 'unknown-branch');
    if (isGone) return 'gone';
    throw error;
  }
}
