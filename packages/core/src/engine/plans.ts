import { correctedCounter } from '../count/measure.ts';
import type { Decision } from '../model/decision.ts';
import { ACKNOWLEDGEMENT, CONTINUATION, leftOut } from '../model/filler.ts';
import { frameSummary } from '../model/frame.ts';
import { once } from '../model/once.ts';
import type { Plan, PlanResult } from '../model/plan.ts';
import type { Split } from '../model/policy.ts';
import { planMask } from '../plan/masks.ts';
import { planSplit } from '../plan/plan.ts';
import { type Floor, floorOf } from './floor.ts';
import { ceilingsOf, limitsOf, type SizeLimit } from './limits.ts';
import type { Request } from './request.ts';
import type { Beyond, Space } from './rungs.ts';
import type { State } from './state.ts';

/** What a result must meet, and what follows from that for plans. */
export type Bounds = {
  readonly limits: readonly SizeLimit[];
  /** What always stays. */
  readonly floor: () => Floor;
  /** Whether a request of so many tokens is small enough. */
  readonly isMet: (tokens: number) => boolean;
  readonly beyond: () => Beyond;
  /** The plan, with a shorter tail where its own would exceed the limit whatever the summary is. */
  readonly fitted: (plan: Plan | undefined) => Plan | undefined;
};

/** What bounds are derived from. */
type Bounded = Pick<Plans, 'whole' | 'newest'> &
  Pick<Due, 'request' | 'state'> & {
    /** What stands behind the summary. */
    readonly behind: string;
  };

/** Derives the bounds of a compaction. */
export function boundsOf({ request, state, whole, newest, behind }: Bounded): Bounds {
  const { sizes } = state;
  const limits = limitsOf(sizes, request);
  const floor = once(() => floorOf(state, whole()));
  const ceilings = once(() => ceilingsOf(limits, floor().tokens));
  // biome-ignore lint/plugin: a handful of limits.
  const least = Math.min(...limits.map(({ tokens }) => tokens));
  const frame = once(() => frameTokens(request, behind));
  const isMet = (tokens: number): boolean => tokens <= least || tokens <= ceilings().squeezed;
  const spaceIn = (tokens: number): Space => ({
    tokens,
    roomBeside: (plan) => Math.floor(tokens - plan.tokens.fixed - plan.tokens.tail - frame()),
    newestBeside: (summary) => newest(tokens - sizes.fixed - frame() - summary),
  });
  return {
    limits,
    floor,
    isMet,
    beyond: () => {
      const { squeezed, cleared, must, isReachable } = ceilings();
      const marker = correctedCounter(request)(leftOut(sizes.messages.length));
      const spaces = { squeezed: spaceIn(squeezed), cleared: spaceIn(cleared), must: spaceIn(must) };
      return { whole: whole(), ...spaces, marker, isReachable };
    },
    fitted: (plan) => {
      if (plan === undefined || plan.split === 'earliest-run' || isMet(plan.tokens.fixed + plan.tokens.tail))
        return plan;
      const shorter = spaceIn(ceilings().squeezed).newestBeside(request.policy.summaryMaxTokens) ?? whole();
      return shorter === undefined || shorter.head.length <= plan.head.length ? plan : shorter;
    },
  };
}

/** What a hand-over takes beside its summary: tags, label, note and acknowledgement. */
function frameTokens(request: Request, behind: string): number {
  return correctedCounter(request)(`${frameSummary('', `${behind}${CONTINUATION}`)} ${ACKNOWLEDGEMENT}`) + 8;
}

/** The preset's own plan, and those beyond it, made where they are asked for. */
export type Plans = {
  readonly result: PlanResult;
  readonly masked: Plan | undefined;
  /** Keeps only what always stays. */
  readonly whole: () => Plan | undefined;
  /** Keeps the newest atoms within so many tokens. */
  readonly newest: (tokens: number) => Plan | undefined;
};

export function plansOf(request: Request, state: State): Plans {
  const { view, atoms, sizes, start } = state;
  const { assistantsMustAlternate } = request.format;
  const sized = { entries: view.entries, atoms, sizes, start, assistantsMustAlternate };
  const { policy } = request;
  const split = splitFor(request, state);
  // biome-ignore lint/plugin: a handful of limits.
  const excess = sizes.request - Math.min(...limitsOf(sizes, request).map(({ tokens }) => tokens));
  // Who asks for a compaction is not content with placeholders.
  const isAsked = request.cause === 'manual';
  const masked = policy.mask === undefined || isAsked ? undefined : planMask(sized, policy.mask, excess);
  const result = withMasks(planSplit(sized, split), masked);
  const planned = (other: Split): Plan | undefined => {
    const made = planSplit(sized, other);
    return made.kind === 'plan' ? made.plan : undefined;
  };
  return {
    result,
    masked,
    whole: once(() => planned({ kind: 'everything' })),
    newest: (tokens) => (tokens > 0 ? planned({ kind: 'recent-tokens', tokens }) : undefined),
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

/** What a plan keeps is masked all the same. */
function withMasks(result: PlanResult, masked: Plan | undefined): PlanResult {
  if (masked === undefined || result.kind === 'none') return result;
  const kept = new Set(result.plan.tail);
  return { ...result, plan: { ...result.plan, masks: masked.masks.filter(({ entry }) => kept.has(entry)) } };
}

/** A request that cannot be sent, or misses a target it was given, goes on to the ladder even without an own plan. */
export function mustShrink({ request: { policy, cause }, state: { sizes }, decision }: Due): boolean {
  // A trigger that keeps a request from overflowing has no other purpose.
  if (cause === 'overflow' || decision.reason === 'overflow') return true;
  const { target = policy.aim ?? Number.POSITIVE_INFINITY } = policy;
  return sizes.request > Math.min(policy.window - policy.reserved, target);
}

/** A compaction that was decided on. */
export type Due = { readonly request: Request; readonly state: State; readonly decision: Decision };
