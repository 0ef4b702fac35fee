import { CountFailure, tryCounting } from '../count/meter.ts';
import { decide, type Situation } from '../decide/decide.ts';
import { wholeTokens } from '../model/count.ts';
import type { Decision } from '../model/decision.ts';
import type { Plan } from '../model/plan.ts';
import type { TokenSpan } from '../model/record.ts';
import { UNCOUNTED } from './conclude.ts';
import { priced } from './costs.ts';
import type { OutcomeReason } from './outcome.ts';
import { boundsOf, type Due, mustShrink, type Plans, plansOf } from './plans.ts';
import { type Ports, type World, worldOf } from './ports.ts';
import { type CompactInput, readRequest } from './request.ts';
import { runsAhead } from './runs-ahead.ts';
import { renderState } from './session-state.ts';
import { currentState, type State, situationOf } from './state.ts';

/** What a dry run tells. `status` is what a run would report if its summary is good. */
export type Preview = {
  readonly status: 'compressed' | 'noop' | 'failed-token-count';
  readonly reason: OutcomeReason;
  readonly decision: Decision;
  readonly tokens: Omit<TokenSpan, 'after'>;
  readonly state?: State;
  /** Where several runs would be taken, it holds all of them. */
  readonly plan?: Plan;
};

/** What a compaction would do, without doing it. */
export function preview(input: CompactInput, ports: Ports = {}): Preview {
  const world = worldOf(ports);
  const request = readRequest(input, world);
  const state = tryCounting(() => currentState(request));
  if (state instanceof CountFailure) {
    const tokens = { before: 0, fixed: 0, basis: 'estimated' } as const;
    return { status: 'failed-token-count', reason: 'counter-failed', decision: UNCOUNTED, tokens };
  }
  const situation = situationOf(state, request, world.now());
  const decision = decide(priced(situation, request.policy, world), request.policy, request.cause);
  const { request: before, fixed, basis } = state.sizes;
  const seen = { decision, tokens: { before: wholeTokens(before), fixed: wholeTokens(fixed), basis }, state };
  if (!decision.compact) return { status: 'noop', reason: decision.reason, ...seen };
  const plans = plansOf(request, state);
  const plan = planAhead({ request, state, decision }, plans, { world, situation });
  if (plan !== undefined) return { status: 'compressed', reason: decision.reason, ...seen, plan };
  return { status: 'noop', reason: plans.result.kind === 'none' ? plans.result.reason : 'nothing-to-cut', ...seen };
}

type Ahead = { readonly world: World; readonly situation: Situation };

/** The plan a run would go by. */
function planAhead(due: Due, plans: Plans, { world, situation }: Ahead): Plan | undefined {
  const { request, state } = due;
  const { result, masked, whole } = plans;
  const bounds = boundsOf({ ...plans, request, state, behind: renderState(world.state).text });
  if (masked !== undefined && bounds.isMet(masked.tokens.fixed + masked.tokens.tail)) return masked;
  const own = bounds.fitted(result.kind === 'plan' ? result.plan : undefined);
  if (own !== undefined) return runsAhead(own, { ...due, situation, whole });
  if (!mustShrink(due)) return undefined;
  // As much as the ladder gives up first.
  const { newestBeside, roomBeside } = bounds.beyond().squeezed;
  const half = Math.ceil(request.policy.summaryMaxTokens / 2);
  const newest = newestBeside(half);
  return newest !== undefined && roomBeside(newest) >= half ? newest : whole();
}
