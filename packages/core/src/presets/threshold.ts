import type { Policy } from '../model/policy.ts';
import { type CommonOptions, commonPolicy } from './common.ts';
import { COMMON_RULES, checkOptions, type OptionRules } from './options.ts';

/** Options of `threshold`. */
export type ThresholdOptions = CommonOptions & {
  /**
   * Factor on `len/4` before the provider has reported any usage.
   * @default 2
   */
  readonly defaultFactor?: number;
  /**
   * Most that reported usage may correct an estimate by.
   * @default 5
   */
  readonly maxFactor?: number;
  /**
   * Tokens kept free below the window; `auto` is 20,000 for windows of 200,000 and more, else a fifth.
   * @default 'auto'
   */
  readonly buffer?: number | 'auto';
  /**
   * Share of the summarizer's window its input may take.
   * @default 0.8
   */
  readonly summarizerShare?: number;
  /**
   * How often a result that is still too large is summarized again with half the budget.
   * @default 3
   */
  readonly attempts?: number;
  /**
   * Characters of each message a mechanical summary keeps.
   * @default 200
   */
  readonly fallbackChars?: number;
};

export const THRESHOLD_RULES: OptionRules = {
  ...COMMON_RULES,
  defaultFactor: { kind: 'number', min: 1, max: 10 },
  maxFactor: { kind: 'number', min: 1, max: 100 },
  buffer: { kind: 'auto-or-integer', min: 0, max: 1_000_000_000 },
  summarizerShare: { kind: 'number', min: 0, max: 1, above: true },
  attempts: { kind: 'integer', min: 0, max: 10 },
  fallbackChars: { kind: 'integer', min: 1, max: 100_000 },
};

/** Context guard: when the corrected estimate reaches the window less a buffer, everything becomes a handover. */
export function threshold(options: ThresholdOptions): Policy {
  checkOptions('threshold', THRESHOLD_RULES, options);
  const { defaultFactor = 2, maxFactor = 5, summarizerShare = 0.8, attempts = 3, fallbackChars = 200 } = options;
  const common = commonPolicy('threshold', options);
  const buffer = Math.max(bufferOf(common.window, options.buffer), common.reserved);
  return {
    ...common,
    preset: 'threshold',
    triggers: [
      {
        measure: 'request',
        limit: { tokens: common.window - buffer },
        fires: 'reached',
        reason: 'buffer-reached',
        force: 'plain',
      },
    ],
    split: { kind: 'everything' },
    goalSplit: { kind: 'everything' },
    template: { kind: 'sections' },
    handover: { role: 'user', acknowledge: 'at-end' },
    mustClear: ['buffer-reached'],
    meter: { kind: 'quarter', defaultFactor, maxFactor },
    summarizerShare,
    attempts,
    fallbackChars,
  };
}

function bufferOf(window: number, buffer: number | 'auto' = 'auto'): number {
  if (buffer !== 'auto') return buffer;
  return window >= 200_000 ? 20_000 : window * 0.2;
}
