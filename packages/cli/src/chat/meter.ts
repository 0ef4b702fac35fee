import type { Basis } from 'epitome';
import type { Prices } from 'epitome/economics';
import type { Usage } from './model/stream.ts';

/** How full the window is, and what the chat has cost. */
export type Meter = {
  readonly tokens: number;
  readonly basis: Basis;
  readonly window: number;
  /** Dollars so far; absent where a model's prices are not known. */
  readonly cost?: number;
  /** Share of all input that came from the provider's cache; absent before the first report. */
  readonly cachedShare?: number;
};

/** Everything spent in a chat. */
export type Spending = Usage & { readonly cost: number; readonly isPriced: boolean };

/** Nothing spent yet. */
export const NOTHING_SPENT: Spending = { input: 0, output: 0, cached: 0, written: 0, cost: 0, isPriced: true };

/** What it comes to with one more answer. */
export function spendMore(spent: Spending, usage: Usage, prices: Prices | undefined): Spending {
  return {
    input: spent.input + usage.input,
    output: spent.output + usage.output,
    cached: spent.cached + usage.cached,
    written: spent.written + usage.written,
    cost: spent.cost + (prices === undefined ? 0 : costOf(usage, prices)),
    isPriced: spent.isPriced && prices !== undefined,
  };
}

/** What it comes to with a summary: its tokens were never part of the conversation. */
export function spendBeside(spent: Spending, usage: Usage, prices: Prices | undefined): Spending {
  const cost = prices === undefined ? 0 : costOf(usage, prices);
  return { ...spent, cost: spent.cost + cost, isPriced: spent.isPriced && prices !== undefined };
}

/** Dollars of an answer. */
export function costOf({ input, output, cached, written }: Usage, prices: Prices): number {
  const { input: fresh, cachedRead = fresh, cacheWrite = fresh } = prices;
  const plain = Math.max(input - cached - written, 0);
  return (plain * fresh + cached * cachedRead + written * cacheWrite + output * prices.output) / 1e6;
}

/** The figures of a status line. */
export function meterOf(size: Pick<Meter, 'tokens' | 'basis' | 'window'>, spent: Spending): Meter {
  return {
    ...size,
    ...(spent.isPriced ? { cost: spent.cost } : {}),
    ...(spent.input === 0 ? {} : { cachedShare: spent.cached / spent.input }),
  };
}
