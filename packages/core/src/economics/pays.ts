import type { Payback } from '../model/cost.ts';
import { checkNumber } from './check.ts';
import { type Gaps, type Prices, prefixRate, type Rates, ratesOf } from './prices.ts';
import { MOST_TOKENS } from './session.ts';

/** One compaction that could be done now; sizes in tokens. */
export type PlannedCompaction = {
  /** The request as it would go out without it. */
  readonly before: number;
  /** The request as it would go out after it. */
  readonly after: number;
  /** Tokens in front of the first message that changes: they stay in the provider's cache. */
  readonly unchanged: number;
  /** Calls that are expected to follow. */
  readonly callsLeft: number;
  /** Tokens the summarizer writes; 0 without a model. */
  readonly summary: number;
  /** Tokens the summarizer is sent; 0 without a model. */
  readonly summarizerInput: number;
  /**
   * Those of them that it finds in the cache.
   * @default 0
   */
  readonly summarizerCached?: number;
  /**
   * Prices of the model that summarizes.
   * @default the same model
   */
  readonly summarizerPrices?: Prices;
  /**
   * What is read again after the compaction because it was dropped.
   * @default 0
   */
  readonly reread?: number;
  /**
   * Seconds since the last call, against `prices.cacheSeconds`: whether the cache is still there.
   * @default 0
   */
  readonly idleSeconds?: number;
  /**
   * Idle seconds in front of each call after the next.
   * @default 0
   */
  readonly gapSeconds?: Gaps;
};

/** Whether one compaction pays over the calls that are expected to follow, and from which call on. */
export function whenItPays(compaction: PlannedCompaction, prices: Prices): Payback {
  checkSizes(compaction);
  const { before, unchanged, callsLeft, idleSeconds = 0, gapSeconds = 0 } = compaction;
  const after = compaction.after + (compaction.reread ?? 0);
  const next = ratesOf(prices, idleSeconds);
  const later = prefixRate(ratesOf(prices, gapSeconds));
  const again = prefixRate(next);
  // Growth is the same with and without the compaction, so it cancels out.
  const first = again * unchanged + next.write * (after - unchanged) - again * before;
  const perCall = later * (before - after);
  const spent = summarizerCost(compaction, ratesOf(compaction.summarizerPrices ?? prices));
  const netCost = callsLeft === 0 ? spent : spent + first - (callsLeft - 1) * perCall;
  return {
    tokensShed: before - after,
    tokensRebilled: again < next.write ? after - unchanged : 0,
    breakEvenCall: breakEven(spent + first, perCall),
    netCost,
    pays: netCost < 0,
  };
}

function checkSizes(compaction: PlannedCompaction): void {
  const { before, after, unchanged, callsLeft, summary, summarizerInput } = compaction;
  const { summarizerCached = 0, reread = 0, idleSeconds = 0 } = compaction;
  const sizes = { before, after, callsLeft, summary, summarizerInput, reread };
  for (const [name, size] of Object.entries(sizes)) checkNumber(name, size, { min: 0, max: MOST_TOKENS });
  checkNumber('unchanged', unchanged, { min: 0, max: Math.min(before, after) });
  checkNumber('idleSeconds', idleSeconds, { min: 0, max: Number.POSITIVE_INFINITY });
  checkNumber('summarizerCached', summarizerCached, { min: 0, max: summarizerInput });
}

function summarizerCost(compaction: PlannedCompaction, { input, read, output }: Rates): number {
  const { summary, summarizerInput, summarizerCached = 0 } = compaction;
  return input * (summarizerInput - summarizerCached) + read * summarizerCached + output * summary;
}

function breakEven(afterFirst: number, perCall: number): number | undefined {
  if (afterFirst <= 0) return 1;
  return perCall > 0 ? 1 + Math.ceil(afterFirst / perCall) : undefined;
}
