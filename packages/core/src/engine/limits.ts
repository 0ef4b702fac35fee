import { limitOf } from '../decide/decide.ts';
import { type Sizes, wholeTokens } from '../model/count.ts';
import type { Finding } from '../model/finding.ts';
import type { Policy, Trigger } from '../model/policy.ts';
import type { Request } from './request.ts';

// A provider that says a request is too long knows better than our estimate by how much; this leaves a wide margin.
const AFTER_OVERFLOW = 0.7;

/** A limit a compacted request is to meet, and whose it is. */
export type SizeLimit = { readonly what: string; readonly tokens: number; readonly isHard: boolean };

/** The limits of a compaction: the window, the target, and the triggers that must be cleared. */
export function limitsOf(sizes: Sizes, { policy, cause }: Pick<Request, 'policy' | 'cause'>): readonly SizeLimit[] {
  return [
    ...(cause === 'overflow' ? [{ what: 'the overflow', tokens: sizes.request * AFTER_OVERFLOW, isHard: true }] : []),
    { what: 'the window', tokens: policy.window - policy.reserved, isHard: true },
    ...(policy.target === undefined ? [] : [{ what: 'the target', tokens: policy.target, isHard: true }]),
    ...policy.triggers
      .filter(({ reason }) => policy.mustClear.includes(reason))
      .map((trigger) => ({
        what: `the ${trigger.reason} trigger`,
        tokens: requestLimit(trigger, sizes, policy),
        isHard: false,
      })),
  ];
}

/** What the window, a target and an overflow allow a request that was so large. */
export function mostAllowed({ policy, cause }: Pick<Request, 'policy' | 'cause'>, before: number): number {
  const behindOverflow = cause === 'overflow' ? before * AFTER_OVERFLOW : Number.POSITIVE_INFINITY;
  return Math.min(policy.window - policy.reserved, policy.target ?? Number.POSITIVE_INFINITY, behindOverflow);
}

/** How small to make the request, and whether that can be had at all. */
export type Ceiling = { readonly tokens: number; readonly isReachable: boolean };

/**
 * The least of the limits. What always stays is the floor: a window or target below it is approached as far as
 * summaries go, but nothing is left out for its sake; a trigger below it is not worth chasing.
 */
export function ceilingOf(limits: readonly SizeLimit[], floor: number): Ceiling {
  const chased = limits.filter(({ tokens, isHard }) => isHard || tokens >= floor);
  const tokens = Math.min(...chased.map((limit) => limit.tokens));
  return { tokens, isReachable: tokens >= floor };
}

/** A finding for each limit that a request of this size still exceeds. */
export function missed(limits: readonly SizeLimit[], request: number, floor: () => number): readonly Finding[] {
  return limits
    .filter(({ tokens }) => request > tokens)
    .map(({ what, tokens }) => ({
      code: 'unshrinkable',
      detail: `${what} allows ${Math.floor(tokens)} of ${wholeTokens(request)} tokens; ${wholeTokens(floor())} always stay`,
    }));
}

function requestLimit(trigger: Trigger, sizes: Sizes, policy: Policy): number {
  const limit = limitOf(trigger.limit, { tokens: sizes }, policy) + (trigger.measure === 'history' ? sizes.fixed : 0);
  return trigger.fires === 'reached' ? Math.max(limit - 1, 0) : limit;
}
