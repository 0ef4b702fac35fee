import type { Policy } from '../model/policy.ts';
import { type CommonOptions, commonPolicy, triggerAt } from './common.ts';
import { COMMON_RULES, type OptionRules, readOptions } from './options.ts';

/** Options of `threshold`. */
export type ThresholdOptions = CommonOptions & {
  /**
   * Factor on `len/4` before the provider has reported any usage.
   * @default 2
   */
  readonly defaultFactor?: number | undefined;
  /**
   * Most that reported usage may correct an estimate by.
   * @default 5
   */
  readonly maxFactor?: number | undefined;
  /**
   * Tokens kept free below the window; `auto` is 20,000 for windows of 200,000 and more, else a fifth.
   * @default 'auto'
   */
  readonly buffer?: number | 'auto' | undefined;
  /**
   * Share of the summarizer's window its input may take.
   * @default 0.8
   */
  readonly summarizerShare?: number | undefined;
  /**
   * How often a result that is still too large is summarized again with half the budget.
   * @default 3
   */
  readonly attempts?: number | undefined;
  /**
   * Characters of each message a mechanical summary keeps.
   * @default 200
   */
  readonly fallbackChars?: number | undefined;
};

const RULES = {
  ...COMMON_RULES,
  defaultFactor: { kind: 'number', min: 1, max: 10, default: 2 },
  maxFactor: { kind: 'number', min: 1, max: 100, default: 5 },
  buffer: { kind: 'auto-or-integer', min: 0, max: 'window', default: 'auto' },
  summarizerShare: { kind: 'number', min: 0, max: 1, above: true, default: 0.8 },
  attempts: { kind: 'integer', min: 0, max: 10, default: 3 },
  fallbackChars: { kind: 'integer', min: 1, max: 100_000, default: 200 },
} as const satisfies OptionRules;

export const THRESHOLD_RULES: OptionRules = RULES;

/** Context guard: when the corrected estimate reaches the window less a buffer, everything becomes a handover. */
export function threshold(options: ThresholdOptions): Policy {
  const given = readOptions('threshold', RULES, options);
  const { window, reserved, buffer, defaultFactor, maxFactor, summarizerShare, attempts, fallbackChars } = given;
  const own = buffer !== 'auto' ? buffer : window >= 200_000 ? 20_000 : window * 0.2;
  return {
    ...commonPolicy('threshold', { kind: 'everything' }, given),
    triggers: [triggerAt({ tokens: window - Math.max(own, reserved) }, 'buffer-reached')],
    template: { kind: 'sections' },
    handover: { role: 'user', acknowledge: 'at-end' },
    mustClear: ['buffer-reached'],
    meter: { kind: 'quarter', defaultFactor, maxFactor },
    summarizerShare,
    attempts,
    fallbackChars,
  };
}
