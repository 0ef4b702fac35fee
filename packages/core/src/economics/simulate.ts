import { checkNumber } from './check.ts';
import type { Gaps, Prices } from './prices.ts';
import { type Figures, figuresOf, MOST_TOKENS, type Session } from './session.ts';

/** A session to bill call by call. */
export type SimulatedSession = Session & {
  readonly calls: number;
  /**
   * The context at which a compaction follows a call, in tokens.
   * @default no compaction
   */
  readonly trigger?: number;
  /**
   * The context in front of the first call.
   * @default `fixed`
   */
  readonly start?: number;
  /**
   * Tokens the model writes per call, billed as output; `growth` holds them as input of the next call.
   * @default 0
   */
  readonly output?: number;
};

/** What one call was billed. */
export type Bill = {
  /** The context the call sent. */
  readonly context: number;
  readonly read: number;
  readonly written: number;
  readonly cost: number;
  /** What the compaction after this call cost; 0 without one. */
  readonly compaction: number;
};

/** A whole session's bill. */
export type Simulation = {
  readonly cost: number;
  /** The part of `cost` that summarizers took. */
  readonly summarizerCost: number;
  readonly compactions: number;
  readonly bills: readonly Bill[];
};

/** Bills a session call by call: what the cache holds is read, the rest is written; a compaction empties it but for `fixed`. */
export function simulate(session: SimulatedSession, prices: Prices): Simulation {
  const { calls, trigger = Number.POSITIVE_INFINITY, start = session.fixed, output = 0 } = session;
  const using = figuresOf(session, prices);
  checkNumber('calls', calls, { min: 0, max: MOST_CALLS });
  checkNumber('trigger', trigger, { min: using.base, max: Number.POSITIVE_INFINITY });
  for (const [name, tokens] of Object.entries({ start, output })) {
    checkNumber(name, tokens, { min: 0, max: MOST_TOKENS });
  }
  const isCold = coldness(session.gapSeconds ?? 0, prices.cacheSeconds ?? Number.POSITIVE_INFINITY);
  const bills: Bill[] = [];
  let context = start;
  let cached = 0;
  for (let call = 0; call < calls; call += 1) {
    context += using.growth;
    const read = isCold(call) ? 0 : cached;
    const compaction = context >= trigger ? using.summarizer.perToken * context + using.summarizer.output : undefined;
    bills.push(billOf(using, { context, read, output, compaction: compaction ?? 0 }));
    cached = compaction === undefined ? context : Math.min(using.fixed, context);
    if (compaction !== undefined) context = using.base;
  }
  return summed(bills, trigger);
}

const MOST_CALLS = 1_000_000;

function coldness(gaps: Gaps, cacheSeconds: number): (call: number) => boolean {
  if (typeof gaps === 'number') return () => gaps >= cacheSeconds;
  return (call) => gaps.length > 0 && (gaps[call % gaps.length] ?? 0) >= cacheSeconds;
}

type Sent = {
  readonly context: number;
  readonly read: number;
  readonly output: number;
  readonly compaction: number;
};

function billOf({ rates }: Figures, { context, read, output, compaction }: Sent): Bill {
  const written = context - read;
  const cost = rates.read * read + rates.write * written + rates.output * output + compaction;
  return { context, read, written, cost, compaction };
}

function summed(bills: readonly Bill[], trigger: number): Simulation {
  return {
    cost: bills.reduce((sum, { cost }) => sum + cost, 0),
    summarizerCost: bills.reduce((sum, { compaction }) => sum + compaction, 0),
    compactions: bills.filter(({ context }) => context >= trigger).length,
    bills,
  };
}
