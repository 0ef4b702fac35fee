import { type Prices, prefixRate } from './prices.ts';
import { figuresOf, type Session } from './session.ts';

/** When to compact so that a long session costs least. */
export type OptimalTrigger = {
  /** Calls between two compactions; `Infinity` where rereading the context costs nothing. */
  readonly calls: number;
  /** The context, in tokens, at which to compact. */
  readonly trigger: number;
  /** The context right after a compaction. */
  readonly base: number;
};

/**
 * The cheapest trigger in closed form: a compaction costs its summarizer and the rewriting of what stands behind the
 * fixed part; waiting costs reading `growth` tokens more with every call. At the optimum both weigh the same.
 */
export function optimalTrigger(session: Session, prices: Prices): OptimalTrigger {
  const { growth, fixed, base, rates, summarizer } = figuresOf(session, prices);
  const again = prefixRate(rates);
  const summary = summarizer.perToken * base + summarizer.output;
  const perCompaction = summary + Math.max(0, rates.write - again) * (base - fixed);
  // A session cannot compact more often than it calls.
  const calls = again === 0 ? Number.POSITIVE_INFINITY : Math.max(1, Math.sqrt((2 * perCompaction) / (again * growth)));
  return { calls, trigger: base + growth * calls, base };
}
