import type { Inspection, Session } from '@epitome/transcripts';
import { presets } from 'epitome';
import { type Prices, simulate } from 'epitome/economics';
import { pricesOf, readPrices } from './models/prices.ts';
import { positive } from './options.ts';

/** At what prices, as the command line gave it. */
export type CostOptions = { readonly model?: string; readonly prices?: string; readonly window?: string };

/** What a session costs in dollars; `reported` from the tokens the program noted, the others computed alike. */
export type Costs = {
  readonly model: string;
  readonly prices: Prices;
  readonly reported?: number;
  /** All messages sent again with every call. */
  readonly plain: number;
  /** The same, compacted without a model by our own preset. */
  readonly compacted: number;
  readonly compactions: number;
  readonly window: number;
};

const WINDOW = 128_000;

/** What our own preset compacts at, and what it leaves. */
function limitsOf(window: number): { trigger: number; tail: number; summary: number } {
  const { triggers, split, summaryMaxTokens } = presets.epitome({ window });
  const [limit] = triggers.flatMap((trigger) => ('tokens' in trigger.limit ? [trigger.limit.tokens] : []));
  return {
    trigger: limit ?? window,
    tail: split.kind === 'recent-tokens' ? split.tokens : 0,
    summary: summaryMaxTokens,
  };
}

/** Costs at the prices given, or those of the session's model; `undefined` where neither is known. */
export async function costsOf(
  inspection: Inspection,
  session: Session,
  options: CostOptions,
): Promise<Costs | undefined> {
  const model = options.model ?? session.model ?? '';
  const prices = options.prices === undefined ? await knownPrices(model) : readPrices(options.prices);
  if (prices === undefined) return undefined;
  const window = options.window === undefined ? WINDOW : positive('--window', options.window);
  const calls = Math.max(1, inspection.reported?.requests || answersIn(inspection));
  const { total, shares } = inspection.tokens;
  const { trigger, tail, summary } = limitsOf(window);
  const run = {
    growth: Math.max(1, (total - shares.system) / calls),
    fixed: shares.system,
    summary,
    tail,
    calls,
    output: (shares.assistant + shares.thinking + shares.calls) / calls,
    summarizer: 'none',
  } as const;
  const isRoomy = run.fixed + run.summary + run.tail < trigger;
  const plain = simulate(run, prices);
  const compacted = isRoomy ? simulate({ ...run, trigger }, prices) : plain;
  const reported = reportedCost(inspection, prices);
  return {
    model: options.prices === undefined ? model : 'the prices given',
    prices,
    ...(reported === undefined ? {} : { reported }),
    plain: plain.cost,
    compacted: compacted.cost,
    compactions: compacted.compactions,
    window,
  };
}

async function knownPrices(model: string): Promise<Prices | undefined> {
  return model === '' ? undefined : pricesOf(model);
}

function answersIn({ turns, calls }: Inspection): number {
  return turns + calls;
}

function reportedCost({ reported }: Inspection, prices: Prices): number | undefined {
  if (reported === undefined) return undefined;
  const { prompt, output, cached = 0, written = 0 } = reported.usage;
  const { input, cachedRead = input, cacheWrite = input } = prices;
  const sum = (prompt - cached - written) * input + cached * cachedRead + written * cacheWrite + output * prices.output;
  return sum / 1e6;
}
