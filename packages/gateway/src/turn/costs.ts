import type { CostModel, Ports } from 'epitome';
import { costModel } from 'epitome/economics';
import type { TurnAsk } from './plane.ts';

const FEWEST_CALLS_LEFT = 8;

/** What compactions cost at the model's prices; a session that has gone on for long is expected to go on as long again. */
export function costsOf({ resolved: { prices } }: TurnAsk, length: number): CostModel | undefined {
  if (prices === undefined) return undefined;
  return costModel({ prices, callsLeft: () => Math.max(FEWEST_CALLS_LEFT, Math.ceil(length / 2)) });
}

/** Ports of an engine that know what compactions cost, by their own model of it where they have one. */
export function withCosts(engine: Ports, ask: TurnAsk, length: number): Ports {
  const costs = engine.costs ?? costsOf(ask, length);
  return costs === undefined ? engine : { ...engine, costs };
}
