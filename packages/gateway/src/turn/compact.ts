import { compactBranch } from '@epitome/store';
import { type Cause, formats, type Outcome, type Ports } from 'epitome';
import { type LateMessage, withLateMessages } from 'epitome/record';
import type { CompactionNews } from '../model/report.ts';
import { type Branch, readView } from './branch.ts';
import type { Chain } from './chain.ts';
import { takePrepared } from './prepare.ts';
import type { Compacting, Prepared } from './work.ts';

/** What a compaction did, for whoever is told. */
export type Compacted = Pick<CompactionNews, 'outcome' | 'published' | 'trigger' | 'durationMs' | 'startedAt'>;

/**
 * Compacts a branch: with what was prepared where that still holds, else now. Whoever else was faster wins, and their view is
 * the branch's (law 30).
 */
export async function compactNow(
  branch: Branch,
  compacting: Compacting,
  run: { readonly ports: Ports; readonly signal: AbortSignal },
): Promise<Compacted> {
  const startedAt = Date.now();
  const started = performance.now();
  const done = (await published(branch, compacting)) ?? (await computed(branch, compacting, run));
  const source = { ...compacting, reuse: compacting.policy.reuse };
  if (done.published !== 'nothing') await readView(branch, source);
  return { ...done, startedAt, durationMs: performance.now() - started };
}

type Done = Pick<Compacted, 'outcome' | 'published' | 'trigger'>;

async function published(branch: Branch, { log, chain, cause }: Compacting): Promise<Done | undefined> {
  if (cause !== 'automatic') return undefined;
  const prepared = await takePrepared(branch);
  if (prepared === undefined) return undefined;
  const { snapshot, outcome } = prepared;
  const records = withLateMessages(outcome.records, lateIn(chain, prepared));
  if (records === undefined) return undefined;
  const ref = { conversation: branch.conversation, branch: branch.name };
  const { kind } = await log.publish(ref, { snapshot, records });
  return { outcome, published: kind, trigger: 'prepared' };
}

/** What a client's history has behind the messages that a preparation was made from. */
function lateIn({ ids, texts }: Chain, { snapshot, format }: Prepared): readonly LateMessage[] {
  const from = snapshot.tip === undefined ? 0 : ids.lastIndexOf(snapshot.tip) + 1;
  return ids.slice(from).map((id, at) => ({
    id,
    message: formats[format].decode(JSON.parse(texts[from + at] ?? 'null'), []),
  }));
}

async function computed(
  branch: Branch,
  compacting: Compacting,
  { ports, signal }: { readonly ports: Ports; readonly signal: AbortSignal },
): Promise<Done> {
  const { log, policy, fixed, goal, calibration, cause } = compacting;
  const work = {
    log,
    conversation: branch.conversation,
    branch: branch.name,
    policy,
    cause,
    ...fixed,
    ...(goal === undefined ? {} : { goal }),
    ...(calibration === undefined ? {} : { calibration }),
  };
  const { outcome, publication } = await compactBranch(work, ports, signal);
  return {
    outcome,
    published: isChange(outcome) ? (publication?.kind ?? 'nothing') : 'nothing',
    trigger: triggerOf(cause),
  };
}

function isChange({ status }: Outcome): boolean {
  return status === 'compressed' || status === 'truncated';
}

function triggerOf(cause: Cause): CompactionNews['trigger'] {
  return cause === 'overflow' || cause === 'manual' ? cause : 'threshold';
}
