import type { Payback } from '../model/cost.ts';
import type { Decision, Settled, WaitReason } from '../model/decision.ts';
import type { Cause, Limit, Policy, Trigger } from '../model/policy.ts';

/** What a decision needs to know of a conversation; all of it can be kept up to date message by message. */
export type Situation = {
  readonly tokens: { readonly request: number; readonly history: number; readonly fixed: number };
  /** Messages of the view, and prompts among them. */
  readonly messages: number;
  readonly turns: number;
  /** Prompts and replies since the last attempt, or since the start. */
  readonly messagesSince: number;
  /** Seconds since the last attempt; absent before the first. */
  readonly secondsSince?: number;
  readonly hasPendingCall: boolean;
  readonly isRunning: boolean;
  /** History tokens at the last automatic failure that nothing has cleared. */
  readonly latchedAt?: number;
  /** How the last attempt left the request, where it was no failure. */
  readonly settled?: Settled;
  /** What a compaction is expected to cost and save, where prices are known. */
  readonly payback?: () => Payback;
};

// After a failure the history must grow by a tenth before an automatic run may cost another model call.
const LATCH_GROWTH = 1.1;

// From here on the next answer may not fit: what it costs no longer matters.
const URGENT = 0.9;

/** Decides from figures alone whether to compact now. Pure, and constant time whatever the length of the history. */
export function decide(situation: Situation, policy: Policy, cause: Cause): Decision {
  const { tokens } = situation;
  const figures = {
    tokens: tokens.request,
    utilization: tokens.request / policy.window,
    messagesSince: situation.messagesSince,
    ...(situation.secondsSince === undefined ? {} : { secondsSince: situation.secondsSince }),
  };
  const against = (trigger: Trigger | undefined): Pick<Decision, 'measure' | 'limit'> =>
    trigger === undefined ? {} : { measure: trigger.measure, limit: limitOf(trigger.limit, situation, policy) };
  const wait = (reason: WaitReason, trigger?: Trigger): Decision => ({
    compact: false,
    isSafetyValve: false,
    reason,
    ...figures,
    ...against(trigger),
  });
  if (situation.messages === 0) return wait('empty-history');
  if (situation.isRunning) return wait('in-progress');
  if (cause === 'manual') return { compact: true, isSafetyValve: false, reason: 'forced', ...figures };
  if (cause === 'overflow') return { compact: true, isSafetyValve: true, reason: 'overflow', ...figures };
  if (policy.triggers.length === 0) return wait('disabled');
  const fired = strongest(policy.triggers.filter((trigger) => hasFired(trigger, situation, policy)));
  if (fired === undefined) return wait('below-threshold', nearest(situation, policy));
  const held = heldBy(situation, policy, fired);
  // A request that cannot be sent is compacted all the same, at no further cost.
  const isTooLarge = tokens.request > policy.window - policy.reserved;
  const isModelFree = isTooLarge && (held === 'latched' || (held === 'no-growth' && situation.settled?.by !== 'noop'));
  if (held !== undefined && !isModelFree) return wait(held, fired);
  const payback = situation.payback?.();
  const isUrgent = fired.force === 'valve' || tokens.request >= (policy.window - policy.reserved) * URGENT;
  if (payback?.pays === false && cause === 'automatic' && !isUrgent) return { ...wait('does-not-pay', fired), payback };
  const modelFree = isModelFree ? ({ modelFree: true } as const) : {};
  const isSafetyValve = fired.force === 'valve';
  const paid = payback === undefined ? {} : { payback };
  return { ...modelFree, compact: true, isSafetyValve, reason: fired.reason, ...figures, ...against(fired), ...paid };
}

/** The limit of a trigger in the unit of its measure. */
export function limitOf(limit: Limit, { tokens }: Pick<Situation, 'tokens'>, policy: Policy): number {
  if ('tokens' in limit) return tidied(limit.tokens);
  if ('count' in limit) return limit.count;
  return tidied((policy.window - Math.max(policy.reserved, tokens.fixed)) * limit.ofAvailable);
}

// A share of a window such as 0.55 of 100,000 comes out a hair above 55,000.
function tidied(tokens: number): number {
  return Math.round(tokens * 1e6) / 1e6;
}

function hasFired(trigger: Trigger, situation: Situation, policy: Policy): boolean {
  const measured = measuredBy(trigger, situation);
  const limit = limitOf(trigger.limit, situation, policy);
  return trigger.fires === 'above' ? measured > limit : measured >= limit;
}

function measuredBy({ measure }: Trigger, { tokens, messages, turns }: Situation): number {
  if (measure === 'messages') return messages;
  // Whole tokens, as an outcome reports them.
  return measure === 'turns' ? turns : Math.ceil(tokens[measure]);
}

const FORCE_ORDER = ['valve', 'plain', 'guarded'] as const;

function strongest(fired: readonly Trigger[]): Trigger | undefined {
  return FORCE_ORDER.flatMap((force) => fired.filter((trigger) => trigger.force === force))[0];
}

function heldBy(situation: Situation, policy: Policy, fired: Trigger): WaitReason | undefined {
  if (policy.waitsForCalls && situation.hasPendingCall) return 'pending-tool-call';
  if (fired.force === 'guarded') {
    if (situation.messagesSince < policy.guards.minMessages) return 'message-guard';
    if ((situation.secondsSince ?? Number.POSITIVE_INFINITY) < policy.guards.minSeconds) return 'time-guard';
  }
  if (isSettled(situation, policy)) return 'no-growth';
  const grown = situation.latchedAt === undefined || situation.tokens.history >= situation.latchedAt * LATCH_GROWTH;
  return grown ? undefined : 'latched';
}

// What could not be cut is looked at again when a little came in; trying at every message would cost more with each.
const NOOP_GROWTH = 1.02;

/**
 * Law 16: a request that a success left over its trigger, that the user took back, or that could not be cut, must grow
 * before it is worth another try.
 */
function isSettled({ settled, tokens }: Situation, policy: Policy): boolean {
  if (settled === undefined) return false;
  if (settled.by === 'noop') return tokens.request < settled.tokens * NOOP_GROWTH;
  if (settled.by === 'success' && !policy.waitsForGrowth) return false;
  return tokens.request < settled.tokens * LATCH_GROWTH;
}

/** Of the limits in tokens the one that would fire first. */
function nearest(situation: Situation, policy: Policy): Trigger | undefined {
  const roomLeft = (trigger: Trigger): number =>
    limitOf(trigger.limit, situation, policy) - measuredBy(trigger, situation);
  return policy.triggers
    .filter(({ measure }) => measure === 'request' || measure === 'history')
    .sort((a, b) => roomLeft(a) - roomLeft(b))[0];
}
