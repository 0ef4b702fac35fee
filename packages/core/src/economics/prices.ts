import { checkNumber } from './check.ts';

/** What a model charges, in any currency, per million tokens. */
export type Prices = {
  /** Input tokens that no cache holds. */
  readonly input: number;
  readonly output: number;
  /**
   * Input tokens read from the provider's prompt cache.
   * @default `input`: no cache
   */
  readonly cachedRead?: number;
  /**
   * Input tokens written to that cache.
   * @default `input`
   */
  readonly cacheWrite?: number;
  /**
   * How long the cache outlives the last call, in seconds.
   * @default it never expires
   */
  readonly cacheSeconds?: number;
};

/** Prices per token with the defaults filled in. `cold` is the share of calls that find the cache gone. */
export type Rates = {
  readonly input: number;
  readonly output: number;
  readonly read: number;
  readonly write: number;
  readonly cold: number;
};

/** Idle seconds in front of each call: one number for all, or a list that is gone through again and again. */
export type Gaps = number | readonly number[];

/** Checks prices and gaps and gives them per token; throws `CompactionError` on what cannot be a price. */
export function ratesOf(prices: Prices, gaps: Gaps = 0): Rates {
  const { input, output, cachedRead = input, cacheWrite = input, cacheSeconds = Number.POSITIVE_INFINITY } = prices;
  for (const [name, price] of Object.entries({ input, output, cachedRead, cacheWrite })) {
    checkNumber(`prices.${name}`, price, { min: 0, max: MOST });
  }
  checkNumber('prices.cacheSeconds', cacheSeconds, { min: 0, max: Number.POSITIVE_INFINITY });
  const each = typeof gaps === 'number' ? [gaps] : gaps;
  for (const gap of each) checkNumber('gapSeconds', gap, { min: 0, max: Number.POSITIVE_INFINITY });
  return {
    input: input / MILLION,
    output: output / MILLION,
    read: cachedRead / MILLION,
    write: cacheWrite / MILLION,
    cold: each.length === 0 ? 0 : each.filter((gap) => gap >= cacheSeconds).length / each.length,
  };
}

/** What one token of a prefix costs that was sent before: read from the cache, or written again where it is gone. */
export function prefixRate({ read, write, cold }: Rates): number {
  return (1 - cold) * read + cold * write;
}

const MILLION = 1_000_000;
const MOST = 1_000_000_000;
