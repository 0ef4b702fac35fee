import { correctedCounter } from '../count/measure.ts';
import { CountFailure, tryCounting } from '../count/meter.ts';
import { decide } from '../decide/decide.ts';
import type { Decision } from '../model/decision.ts';
import { ACKNOWLEDGEMENT, CONTINUATION } from '../model/filler.ts';
import type { Finding } from '../model/finding.ts';
import { frameSummary } from '../model/frame.ts';
import type { Plan, PlanResult } from '../model/plan.ts';
import type { Split } from '../model/policy.ts';
import type { TokenSpan } from '../model/record.ts';
import { planMask } from '../plan/masks.ts';
import { planSplit } from '../plan/plan.ts';
import { findRuns } from '../plan/runs.ts';
import { attempted, commit, failed, UNCOUNTED, unchanged, uncounted } from './conclude.ts';
import { announced } from './events.ts';
import { climb } from './ladder.ts';
import { ceilingOf, limitsOf, missed } from './limits.ts';
import type { Outcome, OutcomeReason } from './outcome.ts';
import { type Ports, type World, worldOf } from './ports.ts';
import { type CompactInput, type Request, readRequest } from './request.ts';
import { type Beyond, rungsOf } from './rungs.ts';
import { currentState, type State, situationOf, stateOf } from './state.ts';

/**
 * Compacts a conversation if its policy says so. Never throws for what data or model do: the outcome says it, and its
 * messages can always be sent. Throws for misuse, and when the signal aborts.
 */
export async function compact(input: CompactInput, ports: Ports = {}, signal?: AbortSignal): Promise<Outcome> {
  const world = worldOf(ports);
  const request = readRequest(input, world);
  signal?.throwIfAborted();
  return compactRequest(request, world, signal ?? new AbortController().signal);
}

/** As `compact`, for a request that was read already. */
export async function compactRequest(request: Request, world: World, signal: AbortSignal): Promise<Outcome> {
  const { split, findings = [] } = request.policy;
  const first = await compactOnce(request, world, signal);
  const isRun = split.kind === 'earliest-run' && first.record !== undefined;
  const outcome = isRun ? await compactFurther(first, { request, world }, signal) : first;
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
  const decision = decide(situationOf(state, request, world.now()), request.policy, request.cause);
  const tokens = {
    before: Math.ceil(state.sizes.request),
    fixed: Math.ceil(state.sizes.fixed),
    basis: state.sizes.basis,
  };
  if (!decision.compact) return { status: 'noop', reason: decision.reason, decision, tokens, state };
  const plans = plansOf(request, state);
  const { result } = plans;
  const own = result.kind === 'plan' ? result.plan : undefined;
  const plan =
    sufficient(plans.masked, request, state) ?? own ?? (mustShrink(request, state) ? plans.whole() : undefined);
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
  const decision = decide(situationOf(state, request, world.now()), request.policy, request.cause);
  if (!decision.compact) return unchanged({ request, state, decision });
  return carryOut({ request, state, decision }, world, signal);
}

function findingOf({ message }: CountFailure): Finding {
  return { code: 'counter-failed', detail: message };
}

type Due = { readonly request: Request; readonly state: State; readonly decision: Decision };

async function carryOut(due: Due, world: World, signal: AbortSignal): Promise<Outcome> {
  const { request, state, decision } = due;
  const plans = plansOf(request, state);
  const { result } = plans;
  if (result.kind === 'none' && plans.masked === undefined && !mustShrink(request, state)) {
    return attempted(due, world, { status: 'noop', reason: result.reason, findings: [] });
  }
  return announced(decision, world.onEvent, async () => {
    try {
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

async function climbAndConclude(due: Due & Plans, world: World, signal: AbortSignal): Promise<Outcome> {
  const { request, state, decision, result, masked, whole } = due;
  const own = result.kind === 'plan' ? result.plan : undefined;
  const limits = limitsOf(state.sizes, request);
  const floor = once(() => state.sizes.fixed + (whole()?.tokens.tail ?? state.sizes.history));
  const ceiling = once(() => ceilingOf(limits, floor()));
  const least = Math.min(...limits.map(({ tokens }) => tokens));
  const beyond = (): Beyond => {
    const room = Math.floor(ceiling().tokens - floor() - frameTokens(request));
    return { whole: whole(), room, isReachable: ceiling().isReachable };
  };
  const taken = await climb(
    {
      request,
      state,
      world,
      isMet: (tokens) => tokens <= least || tokens <= ceiling().tokens,
      rungs: rungsOf(request.policy, { masked, own }, beyond),
      modelFree: decision.modelFree === true,
      mustFit: mustShrink(request, state),
    },
    signal,
  );
  signal.throwIfAborted();
  if (taken.failure !== undefined) return failed({ ...due, ...taken, failure: taken.failure }, world);
  const findings = [...taken.findings, ...missed(limits, (taken.candidate?.state ?? state).sizes.request, floor)];
  if (taken.candidate === undefined) {
    const isBroken = findings.some(({ code }) => code === 'invalid-output');
    const isUncut = result.kind === 'none' && whole() === undefined;
    const reason = isBroken ? 'invalid-output' : isUncut ? result.reason : 'unshrinkable';
    return attempted(due, world, { ...taken, status: 'noop', reason, findings });
  }
  return commit({ ...due, ...taken, findings, candidate: taken.candidate }, world);
}

/** What a hand-over takes beside its summary: tags, label, note and acknowledgement. */
function frameTokens(request: Request): number {
  return correctedCounter(request)(`${frameSummary('', CONTINUATION)} ${ACKNOWLEDGEMENT}`) + 8;
}

/** The preset's own plan, and the one that keeps only what always stays, made where it is asked for. */
type Plans = { readonly result: PlanResult; readonly masked: Plan | undefined; readonly whole: () => Plan | undefined };

function plansOf(request: Request, state: State): Plans {
  const { view, atoms, sizes, start } = state;
  const { assistantsMustAlternate } = request.format;
  const sized = { entries: view.entries, atoms, sizes, start, assistantsMustAlternate };
  const { policy } = request;
  const split = splitFor(request, state);
  const excess = sizes.request - Math.min(...limitsOf(sizes, request).map(({ tokens }) => tokens));
  const masked = policy.mask === undefined ? undefined : planMask(sized, policy.mask, excess);
  const result = withMasks(planSplit(sized, split), masked);
  const whole = once(() => planSplit(sized, { kind: 'everything' }));
  return {
    result,
    masked,
    whole: () => {
      const made = whole();
      return made.kind === 'plan' ? made.plan : undefined;
    },
  };
}

// Who asks for a compaction wants one: of a short history less is kept than the policy allows.
const MOST_KEPT_WHEN_FORCED = 0.3;

function splitFor({ policy, goal, cause }: Request, { sizes }: State): Split {
  const split = goal !== '' || cause === 'agent' ? policy.goalSplit : policy.split;
  const isForced = cause === 'manual' || cause === 'overflow';
  if (split.kind !== 'recent-tokens' || !isForced) return split;
  return { ...split, tokens: Math.min(split.tokens, sizes.history * MOST_KEPT_WHEN_FORCED) };
}

/** Placeholders alone, where they are expected to do. */
function sufficient(masked: Plan | undefined, request: Request, { sizes }: State): Plan | undefined {
  const least = Math.min(...limitsOf(sizes, request).map(({ tokens }) => tokens));
  return masked !== undefined && sizes.fixed + masked.tokens.tail <= least ? masked : undefined;
}

/** What a plan keeps is masked all the same. */
function withMasks(result: PlanResult, masked: Plan | undefined): PlanResult {
  if (masked === undefined || result.kind === 'none') return result;
  const kept = new Set(result.plan.tail);
  return { ...result, plan: { ...result.plan, masks: masked.masks.filter(({ entry }) => kept.has(entry)) } };
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** A request that cannot be sent, or misses a target it was given, goes on to the ladder even without an own plan. */
function mustShrink({ policy, cause }: Request, { sizes }: State): boolean {
  if (cause === 'overflow') return true;
  return sizes.request > Math.min(policy.window - policy.reserved, policy.target ?? Number.POSITIVE_INFINITY);
}

// More runs than this in one call would cost more than they are worth.
const MOST_RUNS = 50;

/**
 * Takes further runs: while a threshold is reached, if the policy says so, and while the request does not fit. What users
 * said is only touched where all the runs together would not do, or one of them did not shrink.
 */
async function compactFurther(
  first: Outcome,
  due: { request: Request; world: World },
  signal: AbortSignal,
): Promise<Outcome> {
  const { request, world } = due;
  const { split, window, reserved, target } = request.policy;
  const most = Math.min(window - reserved, target ?? Number.POSITIVE_INFINITY);
  const isRefused = first.status === 'failed-empty-summary' || first.status === 'failed-token-count';
  let outcome = first;
  let isWhole = isRefused;
  for (let run = 1; run < MOST_RUNS && !isWhole; run += 1) {
    const isTooLarge = outcome.tokens.after > most;
    const isWanted = split.kind === 'earliest-run' && split.runs === 'until-below' && outcome.counts.compressed > 0;
    if (!isTooLarge && !isWanted) return outcome;
    const maxCalls = world.maxCalls - outcome.records.reduce((sum, { calls }) => sum + calls, 0);
    const records = [...request.records, ...outcome.records];
    const rest: Request = { ...request, records, cause: isTooLarge ? 'manual' : 'automatic' };
    const hasStalled = run > 1 ? outcome.records.at(-1)?.covers.length === 0 : first.counts.compressed === 0;
    isWhole = isTooLarge && (hasStalled || !runsSuffice(rest, most));
    const next = await compactOnce(isWhole ? wholly(rest) : rest, { ...world, maxCalls }, signal);
    outcome = joined(outcome, next, first);
    if (!isTooLarge && next.counts.compressed === 0) return outcome;
  }
  if (isWhole) return outcome;
  const finding: Finding = { code: 'unshrinkable', detail: `a threshold is still reached after ${MOST_RUNS} runs` };
  return { ...outcome, findings: [...outcome.findings, finding] };
}

function runsSuffice(request: Request, most: number): boolean {
  const { split } = request.policy;
  const { view, atoms, sizes, start } = stateOf(request, request.records);
  const retain = split.kind === 'earliest-run' ? split.retain : 0;
  const runs = findRuns({ entries: view.entries, atoms, sizes, start }, retain).slice(0, MOST_RUNS);
  const shed = runs
    .flatMap(({ first, last }) => sizes.messages.slice(first, last + 1))
    .reduce((sum, size) => sum + size, 0);
  return sizes.request - shed <= most;
}

function wholly(request: Request): Request {
  const split = { kind: 'everything' } as const;
  return { ...request, policy: { ...request.policy, split, goalSplit: split } };
}

/** Two outcomes as one. A run that failed is recorded like any other; what was reached before it stands. */
function joined(before: Outcome, next: Outcome, first: Outcome): Outcome {
  const taken = { records: [...before.records, ...next.records], findings: [...before.findings, ...next.findings] };
  if (next.counts.compressed === 0) return { ...before, ...taken };
  const whole = first.counts.before;
  const compressed = Math.min(before.counts.compressed + next.counts.compressed, whole);
  const counts = { ...next.counts, before: whole, compressed, preserved: whole - compressed };
  const tokens = { ...next.tokens, before: first.tokens.before };
  const { reason } = first.decision;
  // Law 37: calls that came to nothing were a fault, even where a later run did without them.
  const hasFailed = before.records.some(({ calls, covers }) => calls > 0 && covers.length === 0);
  const degraded = before.degraded || next.degraded || hasFailed;
  return { ...next, ...taken, reason, tokens, counts, degraded };
}
