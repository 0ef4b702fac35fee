import type { Snapshot } from '@epitome/store';
import type { Cause, Policy, Ports } from 'epitome';
import { bytesOf, textsOf } from './bytes.ts';
import { noting, spentOn } from './calls.ts';
import { type Compacted, compactNow } from './compact.ts';
import { withCosts } from './costs.ts';
import { SUMMARY_WAIT_MS } from './deferred.ts';
import { fixedOf } from './fixed.ts';
import { meterFor } from './measured.ts';
import { isPrepared, prepare } from './prepare.ts';
import { orWait } from './rate-limit.ts';
import type { Sending } from './sending.ts';
import type { Compacting } from './work.ts';

/** A compaction that a turn asks for. */
export type Order = {
  readonly policy: Policy;
  readonly cause: Cause;
  /** The state it was decided on. */
  readonly expected: Snapshot;
  /** Whether the request can go out as it is. */
  readonly canWait?: boolean;
};

/** Compacts the branch of a turn, counts that for the caller and tells it; `undefined` where somebody was faster. */
export async function carryOut(sending: Sending, order: Order, signal: AbortSignal): Promise<Compacted | undefined> {
  const { plane, branch, ask } = sending;
  const listed = (): readonly string[] => [...ask.reading.lead, ...textsOf(branch.shown, ask)];
  const before = listed();
  const { ports, calls } = noting(portsOf(sending));
  const run = order.canWait ? orWait({ ports, signal }, SUMMARY_WAIT_MS) : { ports, signal };
  const { summarizer } = plane;
  let compacted: Compacted | undefined;
  try {
    compacted = await compactNow(branch, workOf(sending, order), { ...run, calls });
  } finally {
    // What a model was asked for counts for whoever needed it, also where they went meanwhile.
    plane.spend({ caller: ask.caller, model: summarizer.model, usage: spentOn(compacted?.calls ?? calls) });
  }
  if (compacted === undefined) return undefined;
  const { conversation, name } = branch;
  const bytes = bytesOf(before, listed());
  const whose = { caller: ask.caller, conversation, branch: name };
  plane.observer.compactionEnded({ ...compacted, ...whose, summarizer, bytes }, ask.span);
  return compacted;
}

/** Begins the same in the background, where nothing is under way for that state yet; `isDue`: not ahead of the triggers. */
export function carryOutLater(sending: Sending, order: Order & Pick<Compacting, 'isDue'>): void {
  const { isDue = false, expected } = order;
  if (isPrepared(sending.branch, expected)) return;
  prepare(sending.branch, { ...workOf(sending, order), isDue }, portsOf(sending));
}

function workOf(sending: Sending, { policy, cause, expected }: Order): Compacting {
  const { log, ask } = sending;
  const { chain } = ask;
  const { goal } = ask.resolved;
  const calibration = meterFor(sending, policy).compactor.calibration();
  return { log, chain, policy, cause, expected, goal, calibration, fixed: fixedOf(ask.reading) };
}

function portsOf({ plane, ask, branch }: Sending): Ports {
  return withCosts(plane.engine(), ask, branch.ids.length);
}
