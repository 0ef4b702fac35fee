import { compactBranch } from '@epitome/store';
import type { Cause, Outcome } from 'epitome';
import type { CompactionNews, SummarizerCall } from '../model/report.ts';
import { type Branch, refreshAll } from './branch.ts';
import { takePrepared } from './prepare.ts';
import type { Run } from './rate-limit.ts';
import type { Compacting } from './work.ts';

/** What a compaction did, for whoever is told. */
export type Compacted = Pick<CompactionNews, 'outcome' | 'published' | 'trigger' | 'durationMs' | 'startedAt'> & Noted;

type Noted = { readonly calls: readonly SummarizerCall[] };

/** What a compaction is made with; `calls`: those its summarizer was asked so far. */
export type Making = Run & Noted;

/**
 * Compacts a branch: with what was prepared where that still holds, else now. Whoever else was faster wins, and their view is
 * the branch's (law 30): `undefined` where they were so before anything was asked.
 */
export async function compactNow(
  branch: Branch,
  compacting: Compacting,
  making: Making,
): Promise<Compacted | undefined> {
  const startedAt = Date.now();
  const started = performance.now();
  const done = (await published(branch, compacting)) ?? (await computed(branch, compacting, making));
  // Where nothing was due, another process may have compacted it a moment before we looked.
  await refreshAll(branch, { ...compacting, reuse: compacting.policy.reuse });
  return done && { ...done, startedAt, durationMs: performance.now() - started };
}

type Done = Pick<Compacted, 'outcome' | 'published' | 'trigger' | 'calls'>;

async function published(branch: Branch, { log, cause }: Compacting): Promise<Done | undefined> {
  if (cause !== 'automatic') return undefined;
  const prepared = await takePrepared(branch);
  if (prepared === undefined) return undefined;
  const { snapshot, outcome, calls, isDue } = prepared;
  const trigger = isDue ? 'threshold' : 'prepared';
  if (outcome.records.length === 0) return { outcome, published: 'nothing', trigger, calls };
  const ref = { conversation: branch.conversation, branch: branch.name };
  const { kind } = await log.publish(ref, { snapshot, records: outcome.records });
  if (kind === 'bound') return undefined;
  return { outcome, published: isChange(outcome) ? kind : 'nothing', trigger, calls };
}

async function computed(
  branch: Branch,
  compacting: Compacting,
  { ports, signal, calls }: Making,
): Promise<Done | undefined> {
  const { log, policy, fixed, goal, calibration, cause, expected } = compacting;
  const work = {
    log,
    conversation: branch.conversation,
    branch: branch.name,
    policy,
    cause,
    expected,
    ...fixed,
    ...(goal === undefined ? {} : { goal }),
    ...(calibration === undefined ? {} : { calibration }),
  };
  const { outcome, publication } = await compactBranch(work, ports, signal);
  if (outcome === undefined) return undefined;
  return {
    outcome,
    calls,
    published: publication === undefined || !isChange(outcome) ? 'nothing' : publication.kind,
    trigger: triggerOf(cause),
  };
}

function isChange({ status }: Outcome): boolean {
  return status === 'compressed' || status === 'truncated';
}

function triggerOf(cause: Cause): CompactionNews['trigger'] {
  return cause === 'overflow' || cause === 'manual' ? cause : 'threshold';
}
