import { CompactionError } from '../model/errors.ts';
import type { Policy } from '../model/policy.ts';

/** Options every preset takes. */
export type CommonOptions = {
  /** The model's context window, in tokens. */
  readonly window: number;
  /** Tokens the compacted request must fit. */
  readonly target?: number;
  /**
   * Tokens kept free for the answer.
   * @default 0
   */
  readonly reserved?: number;
  /**
   * Length the summary is asked to have, in tokens.
   * @default a twentieth of the window, from 1,000 to 8,000, but no more than a quarter of it
   */
  readonly summaryMaxTokens?: number;
};

/** What the presets share; each overrides what makes it different. */
export function commonPolicy(preset: string, options: Partial<CommonOptions>): CommonPolicy {
  const { window, target } = options;
  if (window === undefined) {
    throw new CompactionError(
      'missing-window',
      `Preset ${preset} needs \`window\`, the model's context window in tokens.`,
    );
  }
  return {
    window,
    ...(target === undefined ? {} : { target }),
    reserved: options.reserved ?? 0,
    guards: { minMessages: 0, minSeconds: 0 },
    waitsForCalls: false,
    summaryMaxTokens: options.summaryMaxTokens ?? defaultSummaryTokens(window),
    meter: { kind: 'script' },
    summarizerShare: 0.8,
    attempts: 0,
    fallbackChars: 200,
    reuse: 'strict',
    waitsForGrowth: true,
    showsRecent: false,
  };
}

function defaultSummaryTokens(window: number): number {
  const twentieth = Math.min(Math.max(Math.floor(window / 20), 1000), 8000);
  return Math.max(Math.min(twentieth, Math.floor(window / 4)), 16);
}

type CommonPolicy = Omit<Policy, 'preset' | 'triggers' | 'split' | 'goalSplit' | 'template' | 'handover' | 'mustClear'>;
