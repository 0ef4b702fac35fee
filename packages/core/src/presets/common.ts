import type { Limit, Policy, PresetName, Split, Trigger } from '../model/policy.ts';
import type { COMMON_RULES, Filled } from './options.ts';

/** Options every preset takes. */
export type CommonOptions = {
  /** The model's context window, in tokens. */
  readonly window: number;
  /**
   * Tokens the compacted request must fit; `off`: it need only fit the window and clear its triggers.
   * @default 'off' (of `epitome` half the trigger)
   */
  readonly target?: number | 'off' | undefined;
  /**
   * Tokens kept free for the answer.
   * @default 0
   */
  readonly reserved?: number | undefined;
  /**
   * Length the summary is asked to have, in tokens; `off`: as long as the window and the target leave room for.
   * @default a twentieth of the window (of `epitome` a tenth), from 1,000 to 8,000, but no more than a quarter of it
   */
  readonly summaryMaxTokens?: number | 'off' | undefined;
};

/** What the presets share; each overrides what makes it different. */
export function commonPolicy(
  preset: PresetName,
  split: Split,
  given: Filled<CommonOptions, typeof COMMON_RULES>,
): CommonPolicy {
  const { window, target, reserved, summaryMaxTokens = summaryTokens(window / 20, window) } = given;
  return {
    preset,
    window,
    split,
    goalSplit: split,
    handover: { role: 'user', acknowledge: 'before-user' },
    ...(target === undefined || target === 'off' ? {} : { target }),
    reserved,
    guards: { minMessages: 0, minSeconds: 0 },
    waitsForCalls: false,
    summaryMaxTokens: summaryMaxTokens === 'off' ? Math.max(window - reserved, 16) : summaryMaxTokens,
    meter: { kind: 'script' },
    summarizerShare: 0.8,
    attempts: 0,
    fallbackChars: 200,
    reuse: 'strict',
    waitsForGrowth: true,
    showsRecent: false,
  };
}

/** A trigger that is plain and fires where its limit is reached, unless it is told otherwise. */
export function triggerAt<Of extends Limit>(
  limit: Of,
  reason: Trigger['reason'],
  measure: Trigger['measure'] = 'request',
): Trigger & { readonly limit: Of } {
  return { measure, limit, fires: 'reached', reason, force: 'plain' };
}

/** A summary's length by default: so many tokens, within what is worth reading and a quarter of the window. */
export function summaryTokens(tokens: number, window: number): number {
  const bounded = Math.min(Math.max(Math.floor(tokens), 1000), 8000);
  return Math.max(Math.min(bounded, Math.floor(window / 4)), 16);
}

type CommonPolicy = Omit<Policy, 'triggers' | 'template' | 'mustClear'>;
