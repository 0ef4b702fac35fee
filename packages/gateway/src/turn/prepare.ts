import { setTimeout as sleep } from 'node:timers/promises';
import type { Snapshot } from '@epitome/store';
import { type CompactInput, compact, type Policy, type Ports } from 'epitome';
import { type Branch, stampOf } from './branch.ts';
import { noting } from './calls.ts';
import { SUMMARY_WAIT_MS } from './deferred.ts';
import { orWait } from './rate-limit.ts';
import type { Compacting, Prepared } from './work.ts';

/** Begins a compaction in the background, in place of one for another state. */
export function prepare(branch: Branch, compacting: Compacting, ports: Ports): void {
  const { expected: snapshot, isDue = false } = compacting;
  branch.preparation?.stop.abort();
  const stop = new AbortController();
  const done = begin(branch, { compacting, ports }, stop.signal).catch(() => undefined);
  branch.preparation = { snapshot, tip: branch.ids.at(-1), startedAt: performance.now(), isDue, done, stop };
}

/** Whether a compaction is under way for a state, or done. */
export function isPrepared({ preparation }: Pick<Branch, 'preparation'>, snapshot: Snapshot): boolean {
  return preparation !== undefined && stampOf(preparation.snapshot) === stampOf(snapshot);
}

/** Waits until what is prepared is done, no longer than a request that still fits may wait for it. */
export async function isReady({ preparation }: Branch, signal: AbortSignal): Promise<boolean> {
  if (preparation === undefined) return true;
  const left = Math.max(0, preparation.startedAt + SUMMARY_WAIT_MS - performance.now());
  const over = new AbortController();
  const late = sleep(left, false, { signal: AbortSignal.any([signal, over.signal]) });
  try {
    return await Promise.race([preparation.done.then(() => true), late]);
  } finally {
    over.abort();
    late.catch(() => undefined);
  }
}

type Beginning = { readonly compacting: Compacting; readonly ports: Ports };

async function begin(
  { conversation, name }: Branch,
  { compacting, ports }: Beginning,
  signal: AbortSignal,
): Promise<Prepared | undefined> {
  const { log, policy, fixed, goal, calibration, expected, isDue } = compacting;
  const { input, snapshot } = await log.workOf({ conversation, branch: name }, { reuse: policy.reuse });
  if (stampOf(snapshot) !== stampOf(expected)) return undefined;
  const asked: CompactInput = {
    ...input,
    ...fixed,
    policy: isDue ? policy : early(policy),
    ...(goal === undefined ? {} : { goal }),
    ...(calibration === undefined ? {} : { calibration }),
  };
  // The request fits: a summarizer that has too much to do is asked again later.
  const noted = noting(ports);
  const run = orWait({ ports: noted.ports, signal });
  const outcome = await compact(asked, run.ports, run.signal);
  return { outcome, snapshot, calls: noted.calls };
}

/** Due now, whatever the triggers say; what it has to meet is the policy's target all the same. */
function early(policy: Policy): Policy {
  const now = {
    measure: 'messages',
    limit: { count: 0 },
    fires: 'reached',
    reason: 'prepared',
    force: 'plain',
  } as const;
  return { ...policy, triggers: [now] };
}

/** What was prepared, and whether it was due when it was begun. */
export type Taken = Prepared & { readonly isDue: boolean };

/** Takes what was prepared, once it is done; `undefined` where the view has changed since, or more may come of it now. */
export async function takePrepared(branch: Branch): Promise<Taken | undefined> {
  const { preparation } = branch;
  branch.preparation = undefined;
  if (preparation === undefined || !isPrepared({ preparation }, branch.snapshot)) {
    preparation?.stop.abort();
    return undefined;
  }
  const { isDue, tip } = preparation;
  const prepared = await preparation.done;
  const isLasting =
    prepared !== undefined && (prepared.outcome.records.length > 0 || (isDue && tip === branch.ids.at(-1)));
  return isLasting ? { ...prepared, isDue } : undefined;
}
