export type { CostFigures, CostModel, Payback } from '../model/cost.ts';
export { type CostInput, costModel } from './model.ts';
export { type OptimalTrigger, optimalTrigger } from './optimal.ts';
export { type PlannedCompaction, whenItPays } from './pays.ts';
export type { Gaps, Prices } from './prices.ts';
export type { Session, SummarizerKind } from './session.ts';
export { type Bill, type SimulatedSession, type Simulation, simulate } from './simulate.ts';
