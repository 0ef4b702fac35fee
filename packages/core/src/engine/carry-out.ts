import { CountFailure } from '../count/meter.ts';
import { attempted } from './attempt.ts';
import { climbAndConclude } from './climb.ts';
import { announced } from './events.ts';
import type { Outcome } from './outcome.ts';
import { type Due, mustShrink, plansOf } from './plans.ts';
import type { World } from './ports.ts';

/** Carries out a compaction that is due; where nothing can be cut, none runs and nobody is told of a start. */
export async function carryOut(due: Due, world: World, signal: AbortSignal): Promise<Outcome> {
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
