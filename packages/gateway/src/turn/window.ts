import type { Policy, Trigger } from 'epitome';

/** A policy for a window that turned out to be smaller: every figure in tokens shrinks with it. */
export function within(policy: Policy, limit: number | undefined): Policy {
  if (limit === undefined || limit >= policy.window) return policy;
  const scaled = (tokens: number): number => Math.max(1, Math.floor((tokens * limit) / policy.window));
  const { target, aim, prepareAt, mask, triggers } = policy;
  return {
    ...policy,
    window: limit,
    reserved: Math.min(scaled(policy.reserved + 1), limit - 1),
    triggers: triggers.map((trigger) => scaledTrigger(trigger, scaled)),
    split: scaledSplit(policy.split, scaled),
    goalSplit: scaledSplit(policy.goalSplit, scaled),
    summaryMaxTokens: Math.max(16, scaled(policy.summaryMaxTokens)),
    ...(target === undefined ? {} : { target: scaled(target) }),
    ...(aim === undefined ? {} : { aim: scaled(aim) }),
    ...(prepareAt === undefined ? {} : { prepareAt: scaled(prepareAt) }),
    ...(mask === undefined ? {} : { mask: { ...mask, protectTokens: scaled(mask.protectTokens) } }),
  };
}

type Scale = (tokens: number) => number;

function scaledTrigger(trigger: Trigger, scaled: Scale): Trigger {
  return 'tokens' in trigger.limit ? { ...trigger, limit: { tokens: scaled(trigger.limit.tokens) } } : trigger;
}

function scaledSplit(split: Policy['split'], scaled: Scale): Policy['split'] {
  return split.kind === 'recent-tokens' ? { ...split, tokens: scaled(split.tokens) } : split;
}
