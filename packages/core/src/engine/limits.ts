import { limitOf } from '../decide/decide.ts';
import type { Sizes } from '../model/count.ts';
import type { Policy, Trigger } from '../model/policy.ts';
import type { Request } from './request.ts';

// A provider that says a request is too long knows better than our estimate by how much; this leaves a wide margin.
const AFTER_OVERFLOW = 0.7;

/**
 * A limit a compacted request is to meet, and whose it is. `must`: the request cannot be sent otherwise, or somebody asked
 * for it. `aim`: the policy's own target. `trigger`: one the policy wants cleared.
 */
export type SizeLimit = {
  readonly what: string;
  readonly tokens: number;
  readonly force: 'must' | 'aim' | 'trigger';
};

/** The limits of a compaction: the window, the target, and the triggers that must be cleared. */
export function limitsOf(sizes: Sizes, { policy, cause }: Pick<Request, 'policy' | 'cause'>): readonly SizeLimit[] {
  return [
    ...(cause === 'overflow'
      ? [{ what: 'the overflow', tokens: sizes.request * AFTER_OVERFLOW, force: 'must' as const }]
      : []),
    { what: 'the window', tokens: policy.window - policy.reserved, force: 'must' },
    ...targetOf(policy),
    ...policy.triggers
      .filter(({ reason }) => policy.mustClear.includes(reason))
      .map((trigger) => ({
        what: `the ${trigger.reason} trigger`,
        tokens: requestLimit(trigger, sizes, policy),
        force: 'trigger' as const,
      })),
  ];
}

/** What the window, a target and an overflow allow a request that was so large. */
export function mostAllowed({ policy, cause }: Pick<Request, 'policy' | 'cause'>, before: number): number {
  const behindOverflow = cause === 'overflow' ? before * AFTER_OVERFLOW : Number.POSITIVE_INFINITY;
  return Math.min(policy.window - policy.reserved, policy.target ?? Number.POSITIVE_INFINITY, behindOverflow);
}

function targetOf({ target, aim }: Policy): readonly SizeLimit[] {
  if (target !== undefined) return [{ what: 'the target', tokens: target, force: 'must' }];
  return aim === undefined ? [] : [{ what: 'the target', tokens: aim, force: 'aim' }];
}

/** How small to make the request: what summaries and tails shrink for, a summary of a few lines, and leaving out. */
export type Ceilings = {
  readonly squeezed: number;
  readonly cleared: number;
  readonly must: number;
  /** Whether what must be met can be had at all. */
  readonly isReachable: boolean;
};

/**
 * The least of the limits. What always stays is the floor: a window or target below it is approached as far as summaries go,
 * a trigger below it is not worth chasing. Nothing is left out without a summary but for what must be met and can be.
 */
export function ceilingsOf(limits: readonly SizeLimit[], floor: number): Ceilings {
  // biome-ignore lint/plugin: a handful of limits.
  const least = (chased: readonly SizeLimit[]): number => Math.min(...chased.map(({ tokens }) => tokens));
  const must = least(limits.filter(({ force }) => force === 'must'));
  const worthIt = limits.filter(({ force, tokens }) => force !== 'trigger' || tokens >= floor);
  const cleared = least(worthIt.filter(({ force }) => force !== 'aim'));
  return { squeezed: least(worthIt), cleared, must, isReachable: must >= floor };
}

function requestLimit(trigger: Trigger, sizes: Sizes, policy: Policy): number {
  const limit = limitOf(trigger.limit, { tokens: sizes }, policy) + (trigger.measure === 'history' ? sizes.fixed : 0);
  return trigger.fires === 'reached' ? Math.max(limit - 1, 0) : limit;
}
