import { type CompactInput, compact, type Policy, type Ports } from 'epitome';
import type { Branch } from './branch.ts';
import { noting } from './calls.ts';
import { orWait } from './rate-limit.ts';
import type { Compacting, Prepared } from './work.ts';

/** Begins a compaction in the background, if none is under way for this state. */
export function prepare(branch: Branch, compacting: Compacting, ports: Ports): void {
  if (branch.preparation?.stamp === branch.stamp) return;
  branch.preparation?.stop.abort();
  const stop = new AbortController();
  const done = begin(branch, { compacting, ports }, stop.signal).catch(() => undefined);
  branch.preparation = { stamp: branch.stamp, done, stop };
}

type Beginning = { readonly compacting: Compacting; readonly ports: Ports };

async function begin(
  { conversation, name }: Branch,
  { compacting, ports }: Beginning,
  signal: AbortSignal,
): Promise<Prepared | undefined> {
  const { log, policy, fixed, goal, calibration } = compacting;
  const { input, snapshot } = await log.workOf({ conversation, branch: name }, { reuse: policy.reuse });
  const asked: CompactInput = {
    ...input,
    ...fixed,
    policy: early(policy),
    ...(goal === undefined ? {} : { goal }),
    ...(calibration === undefined ? {} : { calibration }),
  };
  // Nothing is due yet: a summarizer that has too much to do is asked again later.
  const noted = noting(ports);
  const run = orWait({ ports: noted.ports, signal });
  const outcome = await compact(asked, run.ports, run.signal);
  return outcome.records.length === 0 ? undefined : { outcome, snapshot, calls: noted.calls };
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

/** Takes what was prepared, once it is done; `undefined` where the view has changed since. */
export async function takePrepared(branch: Branch): Promise<Prepared | undefined> {
  const { preparation } = branch;
  branch.preparation = undefined;
  if (preparation === undefined || preparation.stamp !== branch.stamp) {
    preparation?.stop.abort();
    return undefined;
  }
  return preparation.done;
}
