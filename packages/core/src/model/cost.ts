/** What one compaction saves and costs. */
export type Payback = {
  /** Tokens that every later call no longer sends. */
  readonly tokensShed: number;
  /** Tokens the next call writes to the cache because the edit made the provider forget them. */
  readonly tokensRebilled: number;
  /** The first call, counted from 1, by which the compaction has paid for itself; `undefined`: never. */
  readonly breakEvenCall: number | undefined;
  /** What the compaction costs over the calls left, in the currency of the prices; below 0 it saves. */
  readonly netCost: number;
  readonly pays: boolean;
};

/** What a compaction would do to the bill; sizes in tokens. */
export type CostFigures = {
  /** The request as it would go out without it, and after it. */
  readonly before: number;
  readonly after: number;
  /** Tokens in front of the first message that changes: they stay in the provider's cache. */
  readonly unchanged: number;
  /** Tokens the summarizer is sent and writes; 0 without a model. */
  readonly summarizerInput: number;
  readonly summary: number;
};

/** Tells what a compaction costs and saves, by prices it knows. */
export type CostModel = (figures: CostFigures) => Payback;
