import type { CostModel } from 'epitome';
import { costModel } from 'epitome/economics';
import type { TurnAsk } from './plane.ts';

const FEWEST_CALLS_LEFT = 8;

/** What compactions cost at the model's prices; a session that has gone on for long is expected to go on as long again. */
export function costsOf({ resolved: { prices } }: TurnAsk, length: number): CostModel | undefined {
  if (prices === undefined) return undefined;
  return costModel({ prices, callsLeft: () => Math.max(FEWEST_CALLS_LEFT, Math.ceil(length / 2)) });
}
