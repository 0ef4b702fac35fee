import { CompactionError } from '../model/errors.ts';
import { checkNumber } from './check.ts';
import { type Gaps, type Prices, type Rates, ratesOf } from './prices.ts';

/** A session of calls that each resend the whole context; sizes in tokens. */
export type Session = {
  /** What one call adds to the context: answer, tool results, next prompt. */
  readonly growth: number;
  /** System prompt and tools: they stay cached over a compaction. */
  readonly fixed: number;
  /** The summary a compaction leaves behind. */
  readonly summary: number;
  /** What a compaction keeps verbatim. */
  readonly tail: number;
  /**
   * What is read again after a compaction because it was dropped.
   * @default 0
   */
  readonly reread?: number;
  /**
   * Who writes the summary: a model that is sent the context anew, one that finds it in the cache, or no model at all.
   * @default 'fresh'
   */
  readonly summarizer?: SummarizerKind;
  /**
   * Prices of the model that summarizes.
   * @default the same model
   */
  readonly summarizerPrices?: Prices;
  /**
   * Idle seconds in front of each call, against `prices.cacheSeconds`.
   * @default 0
   */
  readonly gapSeconds?: Gaps;
};

/** How the summarizer comes by what it reads; `none` is the digest, which costs nothing. */
export type SummarizerKind = 'fresh' | 'cached' | 'none';

/** A session checked, in figures. `base` is the context right after a compaction. */
export type Figures = {
  readonly growth: number;
  readonly fixed: number;
  readonly base: number;
  readonly rates: Rates;
  /** Cost of the summarizer's input, per token, and of its whole output. */
  readonly summarizer: { readonly perToken: number; readonly output: number };
};

/** Checks a session and fills in its defaults; throws `CompactionError` on a size that cannot be one. */
export function figuresOf(session: Session, prices: Prices): Figures {
  const { growth, fixed, summary, tail, reread = 0, summarizer = 'fresh', gapSeconds = 0 } = session;
  checkNumber('growth', growth, { min: 0, max: MOST_TOKENS, above: true });
  for (const [name, tokens] of Object.entries({ fixed, summary, tail, reread })) {
    checkNumber(name, tokens, { min: 0, max: MOST_TOKENS });
  }
  const { input, read, output } = ratesOf(session.summarizerPrices ?? prices);
  const perToken = { fresh: input, cached: read, none: 0 }[summarizer];
  if (perToken === undefined) throw unknownSummarizer(summarizer);
  return {
    growth,
    fixed,
    base: fixed + summary + tail + reread,
    rates: ratesOf(prices, gapSeconds),
    summarizer: { perToken, output: summarizer === 'none' ? 0 : output * summary },
  };
}

function unknownSummarizer(summarizer: unknown): CompactionError {
  const found = JSON.stringify(summarizer);
  return new CompactionError('option-out-of-range', `\`summarizer\` is ${found}; it takes fresh, cached or none.`);
}

/** No context and no count of calls is larger than this. */
export const MOST_TOKENS = 1_000_000_000;
