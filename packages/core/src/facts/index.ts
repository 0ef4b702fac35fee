export { diffFacts, type Survival } from './diff.ts';
export { extractFacts } from './extract.ts';
export { FACT_KINDS, type Fact, type FactKind, type FactOrigin, factKey } from './fact.ts';
export { EMPTY_LEDGER, type Entry, type Ledger, ledgerKey, mergeFacts, mergeLedgers } from './ledger.ts';
export { expectedUse, type Ranked, rankFacts, type Standing } from './rank.ts';
export { type FactsBlock, type FactsBudget, renderFacts } from './render.ts';
