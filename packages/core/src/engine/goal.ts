import { limitOf } from '../decide/decide.ts';
import type { Sizes } from '../model/count.ts';
import type { Policy, Trigger } from '../model/policy.ts';
import type { Finding } from '../model/record.ts';
import type { Request } from './request.ts';

// A provider that says a request is too long knows better than our estimate by how much; this leaves a wide margin.
const AFTER_OVERFLOW = 0.7;

/** How small a request must become, and what stands in the way. */
export type SizeGoal = {
  /** Most tokens of the request; the least of the limits that can be met at all. */
  readonly tokens: number;
  readonly findings: readonly Finding[];
};

/**
 * The limits a compaction must meet: the window, the target, the triggers that must be cleared. A limit below the floor
 * (fixed part and what always survives) cannot be met by any rung: it is reported, and the others still count.
 */
export function sizeGoal(sizes: Sizes, floor: number, { policy, cause }: Pick<Request, 'policy' | 'cause'>): SizeGoal {
  const limits = [
    ...(cause === 'overflow' ? [{ what: 'the overflow', tokens: sizes.request * AFTER_OVERFLOW }] : []),
    { what: 'the window', tokens: policy.window - policy.reserved },
    ...(policy.target === undefined ? [] : [{ what: 'the target', tokens: policy.target }]),
    ...policy.triggers
      .filter(
        ({ reason, measure }) => policy.mustClear.includes(reason) && (measure === 'request' || measure === 'history'),
      )
      .map((trigger) => ({ what: `the ${trigger.reason} trigger`, tokens: requestLimit(trigger, sizes, policy) })),
  ];
  const missed = limits.filter(({ tokens }) => tokens < floor);
  return {
    tokens: Math.min(...limits.filter(({ tokens }) => tokens >= floor).map(({ tokens }) => tokens)),
    findings: missed.map(({ what, tokens }) => ({
      code: 'unshrinkable',
      detail: `${what} allows ${Math.floor(tokens)} tokens; system prompt, tools and what always stays take ${Math.ceil(floor)}, ${Math.ceil(sizes.fixed)} of them fixed`,
    })),
  };
}

function requestLimit(trigger: Trigger, sizes: Sizes, policy: Policy): number {
  const limit = limitOf(trigger.limit, { tokens: sizes }, policy) + (trigger.measure === 'history' ? sizes.fixed : 0);
  return trigger.fires === 'reached' ? limit - 1 : limit;
}
