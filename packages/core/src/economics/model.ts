import type { CostModel } from '../model/cost.ts';
import { type PlannedCompaction, whenItPays } from './pays.ts';
import type { Prices } from './prices.ts';

/** What is known of a session beside its sizes. */
export type CostInput = {
  readonly prices: Prices;
  /** Calls that are expected to follow: a number, or how to tell it when it is asked for. */
  readonly callsLeft: number | (() => number);
} & Pick<PlannedCompaction, 'summarizerPrices' | 'reread' | 'gapSeconds'>;

/** A model of costs for the engine: with it decisions wait for what pays, and outcomes say what they cost. */
export function costModel({ prices, callsLeft, ...rest }: CostInput): CostModel {
  return (figures) => {
    const left = typeof callsLeft === 'number' ? callsLeft : callsLeft();
    return whenItPays({ ...rest, ...figures, callsLeft: left }, prices);
  };
}
