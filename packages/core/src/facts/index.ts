export type { Entry, Ledger } from '../model/facts.ts';
export { FACT_KINDS, type FactKind, type FactOrigin } from '../model/facts.ts';
export { diffFacts, type Survival } from './diff.ts';
export { extractFacts, type MessagePlace } from './extract.ts';
export { type Extracted, type Fact, factKey, type News } from './fact.ts';
export { EMPTY_LEDGER, ledgerKey, mergeFacts, mergeLedgers, type OpenLedger, openLedger } from './ledger.ts';
export { expectedUse, type Ranked, rankFacts, type Standing } from './rank.ts';
export { type FactsBlock, type FactsBudget, renderFacts } from './render.ts';
