import { CountFailure, tryCounting } from '../count/meter.ts';
import { decide } from '../decide/decide.ts';
import { misuse } from '../model/check.ts';
import type { Decision } from '../model/decision.ts';
import type { Finding } from '../model/finding.ts';
import type { Plan } from '../model/plan.ts';
import type { TokenSpan } from '../model/record.ts';
import { attempted, UNCOUNTED, unchanged, uncounted } from './conclude.ts';
import { priced } from './costs.ts';
import { announced } from './events.ts';
import type { Outcome, OutcomeReason } from './outcome.ts';
import { boundsOf, type Due, mustShrink, plansOf } from './plans.ts';
import { type Ports, type World, worldOf } from './ports.ts';
import { type CompactInput, type Request, readRequest } from './request.ts';
import { renderState } from './session-state.ts';
import { currentState, type State, situationOf } from './state.ts';

/**
 * Compacts a conversation if its policy says so. Never throws for what data or model do: the outcome says it, and its
 * messages can always be sent. Throws for misuse, and when the signal aborts.
 */
export async function compact(input: CompactInput, ports: Ports = {}, signal?: AbortSignal): Promise<Outcome> {
  const world = worldOf(ports);
  const request = readRequest(input, world);
  if (signal !== undefined && !('throwIfAborted' in signal)) misuse('The third argument must be an AbortSignal.');
  signal?.throwIfAborted();
  return compactRequest(request, world, signal ?? new AbortController().signal);
}

/** As `compact`, for a request that was read already. */
export async function compactRequest(request: Request, world: World, signal: AbortSignal): Promise<Outcome> {
  const { split, findings = [] } = request.policy;
  const first = await compactOnce(request, world, signal);
  const isRun = split.kind === 'earliest-run' && first.record !== undefined;
  const compactAgain = (rest: Request, maxCalls: number): Promise<Outcome> =>
    compactOnce(rest, { ...world, maxCalls }, signal);
  const using = { maxCalls: world.maxCalls, compactOnce: compactAgain };
  const outcome = isRun ? await (await import('./further.ts')).compactFurther(first, request, using) : first;
  return findings.length === 0 ? outcome : { ...outcome, findings: [...findings, ...outcome.findings] };
}

/** What a compaction would do, without doing it. */
export function preview(input: CompactInput, ports: Ports = {}): Preview {
  const world = worldOf(ports);
  const request = readRequest(input, world);
  const state = tryCounting(() => currentState(request));
  if (state instanceof CountFailure) {
    const tokens = { before: 0, fixed: 0, basis: 'estimated' } as const;
    return { status: 'failed-token-count', reason: 'counter-failed', decision: UNCOUNTED, tokens };
  }
  const decision = decide(
    priced(situationOf(state, request, world.now()), request.policy, world),
    request.policy,
    request.cause,
  );
  const tokens = {
    before: Math.ceil(state.sizes.request),
    fixed: Math.ceil(state.sizes.fixed),
    basis: state.sizes.basis,
  };
  if (!decision.compact) return { status: 'noop', reason: decision.reason, decision, tokens, state };
  const due = { request, state, decision };
  const plans = plansOf(request, state);
  const { result, masked, whole } = plans;
  const bounds = boundsOf({ ...plans, request, state, behind: renderState(world.state).text });
  const own = bounds.fitted(result.kind === 'plan' ? result.plan : undefined);
  const isMaskEnough = masked !== undefined && bounds.isMet(masked.tokens.fixed + masked.tokens.tail);
  const plan = (isMaskEnough ? masked : undefined) ?? own ?? (mustShrink(due) ? whole() : undefined);
  if (plan === undefined)
    return {
      status: 'noop',
      reason: result.kind === 'none' ? result.reason : 'nothing-to-cut',
      decision,
      tokens,
      state,
    };
  return { status: 'compressed', reason: decision.reason, decision, tokens, state, plan };
}

/** What a dry run tells. `status` is what a run would report if its summary is good. */
export type Preview = {
  readonly status: 'compressed' | 'noop' | 'failed-token-count';
  readonly reason: OutcomeReason;
  readonly decision: Decision;
  readonly tokens: Omit<TokenSpan, 'after'>;
  readonly state?: State;
  readonly plan?: Plan;
};

async function compactOnce(request: Request, world: World, signal: AbortSignal): Promise<Outcome> {
  const state = tryCounting(() => currentState(request));
  if (state instanceof CountFailure) return uncounted(request, findingOf(state));
  const decision = decide(
    priced(situationOf(state, request, world.now()), request.policy, world),
    request.policy,
    request.cause,
  );
  if (!decision.compact) return unchanged({ request, state, decision });
  return carryOut({ request, state, decision }, world, signal);
}

function findingOf({ message }: CountFailure): Finding {
  return { code: 'counter-failed', detail: message };
}

async function carryOut(due: Due, world: World, signal: AbortSignal): Promise<Outcome> {
  const { request, state, decision } = due;
  const plans = plansOf(request, state);
  const { result } = plans;
  if (result.kind === 'none' && plans.masked === undefined && !mustShrink(due)) {
    return attempted(due, world, { status: 'noop', reason: result.reason, findings: [] });
  }
  return announced(decision, world.onEvent, async () => {
    try {
      // Loaded when the first compaction is due: what only decides never needs it.
      const { climbAndConclude } = await import('./climb.ts');
      signal.throwIfAborted();
      return await climbAndConclude({ ...due, ...plans }, world, signal);
    } catch (cause) {
      if (!(cause instanceof CountFailure)) throw cause;
      return attempted(due, world, {
        status: 'failed-token-count',
        reason: 'counter-failed',
        findings: [findingOf(cause)],
      });
    }
  });
}
