import { CountFailure } from '../count/meter.ts';
import { attempted } from './attempt.ts';
import { climbAndConclude } from './climb.ts';
import { announced } from './events.ts';
import { joined } from './joined.ts';
import type { Outcome } from './outcome.ts';
import { type Due, mustShrink, plansOf } from './plans.ts';
import type { World } from './ports.ts';
import { isInTheWay, sparing } from './sparing.ts';

/** Carries out a compaction that is due, and spares what a person has just brought back while it can. */
export async function carryOut(due: Due, world: World, signal: AbortSignal): Promise<Outcome> {
  const spared = sparing(due);
  if (spared === undefined) return carryOutOn(due, world, signal);
  const outcome = await carryOutOn(spared, world, signal);
  if (!isInTheWay(due, outcome)) return outcome;
  const whole = await carryOutOn(due, world, signal);
  // An attempt that asked nobody is none; what a model was asked for is told.
  return outcome.records.some(({ calls }) => calls > 0) ? joined(outcome, whole) : whole;
}

/** Where nothing can be cut, none runs and nobody is told of a start. */
async function carryOutOn(due: Due, world: World, signal: AbortSignal): Promise<Outcome> {
  const { request, state, decision } = due;
  const plans = plansOf(request, state);
  const { result, masked, whole } = plans;
  const isCut = result.kind === 'plan' || masked !== undefined;
  if (!isCut && !mustShrink(due)) {
    return attempted(due, world, { status: 'noop', reason: result.reason, findings: [] });
  }
  const run = async (): Promise<Outcome> => {
    try {
      signal.throwIfAborted();
      return await climbAndConclude({ ...due, ...plans }, world, signal);
    } catch (cause) {
      if (!(cause instanceof CountFailure)) throw cause;
      return attempted(due, world, {
        status: 'failed-token-count',
        reason: 'counter-failed',
        findings: [{ code: 'counter-failed', detail: cause.message }],
      });
    }
  };
  return isCut || whole() !== undefined ? announced(decision, world.onEvent, run) : run();
}
