import type { Inspection, Session, Usage } from '@epitome/transcripts';
import { presets } from 'epitome';
import { type Prices, simulate } from 'epitome/economics';
import { costAt, type KnownModel, knownModel, readPrices } from './models/prices.ts';
import { positive } from './options.ts';

/** At what prices, as the command line gave it. */
export type CostOptions = { readonly model?: string; readonly prices?: string; readonly window?: string };

/** What a session costs in dollars. */
export type Costs = {
  /** What the computed figures are at; the model of most requests unless one was named. */
  readonly model: string;
  readonly prices: Prices;
  /** For the tokens that the program noted, each request at the prices of its own model. */
  readonly reported?: ReportedCost;
  /** All messages sent again with every call. */
  readonly plain: number;
  /** The same, compacted without a model by our own preset. */
  readonly compacted: number;
  readonly compactions: number;
  readonly calls: number;
  readonly window: number;
  /** Whether the window is one that was named or is in the table. */
  readonly isWindowKnown: boolean;
  /** Tokens at which our own preset compacts in that window. */
  readonly trigger: number;
  /** The smaller window of those tried in which it costs least; absent where none costs less. */
  readonly cheapest?: Pick<Costs, 'compacted' | 'compactions' | 'window' | 'trigger'>;
};

/** Dollars by model, and the models that no prices are known for. */
export type ReportedCost = {
  readonly total: number;
  readonly byModel: readonly { readonly model: string; readonly cost: number }[];
  readonly unpriced: readonly string[];
};

const WINDOW = 128_000;

/** Costs at the prices given, or those of the session's models; `undefined` where neither is known. */
export async function costsOf(
  inspection: Inspection,
  session: Session,
  options: CostOptions,
): Promise<Costs | undefined> {
  const given = options.prices === undefined ? undefined : readPrices(options.prices);
  const { name, known } = await pricedModel(inspection, session, options);
  const prices = given ?? known?.prices;
  if (prices === undefined) return undefined;
  const window = options.window === undefined ? known?.window : positive('--window', options.window);
  const reported = await reportedCost(inspection, session, { ...options, given });
  const own = simulated(inspection, prices, window ?? WINDOW);
  const cheapest = cheapestOf(inspection, prices, own);
  return {
    model: given === undefined ? name : 'the prices given',
    prices,
    ...(reported === undefined ? {} : { reported }),
    ...own,
    isWindowKnown: window !== undefined,
    ...(cheapest === undefined ? {} : { cheapest }),
  };
}

/** The model meant; where the table does not know the usual one of a session, the next that it knows. */
async function pricedModel(
  { reported }: Inspection,
  session: Session,
  { model: named }: CostOptions,
): Promise<{ readonly name: string; readonly known?: KnownModel }> {
  const own = [session.model ?? '', ...(reported?.byModel ?? []).flatMap(({ model }) => model ?? [])];
  const names = named === undefined ? own : [named];
  for (const name of names) {
    const known = await knownModel(name);
    if (known !== undefined) return { name, known };
  }
  return { name: names[0] ?? '' };
}

type Simulated = Pick<Costs, 'plain' | 'compacted' | 'compactions' | 'calls' | 'window' | 'trigger'>;

/** Requests of the same number and growth, without compaction and with ours. */
function simulated({ tokens, calibration, requests, answers }: Inspection, prices: Prices, window: number): Simulated {
  // Some programs note the tokens of their last request alone: that is no count of them.
  const calls = Math.max(1, requests * 2 < answers ? answers : requests);
  // What the provider counted says better than an estimate how much stands in front of the messages.
  const { fixed = tokens.fixed, ratio = 1 } = calibration ?? {};
  const { assistant, thinking, calls: called } = tokens.shares;
  const { trigger, tail, summary } = limitsOf(window);
  const run = {
    growth: Math.max(1, ((tokens.total - tokens.fixed) * ratio) / calls),
    fixed,
    summary,
    tail,
    calls,
    output: ((assistant + thinking + called) * ratio) / calls,
    summarizer: 'none',
  } as const;
  const isRoomy = run.fixed + run.summary + run.tail < trigger;
  const plain = simulate(run, prices);
  const compacted = isRoomy ? simulate({ ...run, trigger }, prices) : plain;
  return { plain: plain.cost, compacted: compacted.cost, compactions: compacted.compactions, calls, window, trigger };
}

// Windows people have, or give a session that is to stay short.
const TRIED = [32_000, 64_000, 128_000, 200_000, 400_000];

/** A large window is seldom filled, and every call pays for what is in it: what a smaller one would cost. */
function cheapestOf(inspection: Inspection, prices: Prices, own: Simulated): Costs['cheapest'] {
  const smaller = TRIED.filter((window) => window < own.window).map((window) => simulated(inspection, prices, window));
  const [best] = smaller.sort((one, other) => one.compacted - other.compacted);
  if (best === undefined || best.compactions === 0 || best.compacted >= own.compacted) return undefined;
  const { compacted, compactions, window, trigger } = best;
  return { compacted, compactions, window, trigger };
}

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

type Priced = CostOptions & { readonly given: Prices | undefined };

async function reportedCost(
  { reported }: Inspection,
  session: Session,
  options: Priced,
): Promise<ReportedCost | undefined> {
  if (reported === undefined) return undefined;
  const { given, model: named } = options;
  // A sum over requests tells nothing of how long each was: it goes by the price of short ones.
  const isSummed = session.totals.length > 0;
  const requests = isSummed ? session.totals : session.requests;
  const costIn = (known: KnownModel, usage: Usage): number =>
    isSummed ? costAt(known.prices, usage) : known.costOf(usage);
  const costs = new Map<string, number>();
  const unpriced = new Set<string>();
  const known = new Map<string, KnownModel | undefined>();
  for (const { usage, model: own } of requests) {
    const model = named ?? own ?? session.model ?? '';
    if (!known.has(model)) known.set(model, await knownModel(model));
    const table = known.get(model);
    const cost = given !== undefined ? costAt(given, usage) : table === undefined ? undefined : costIn(table, usage);
    if (cost === undefined) unpriced.add(model);
    else costs.set(model, (costs.get(model) ?? 0) + cost);
  }
  const byModel = [...costs].map(([model, cost]) => ({ model, cost })).sort((one, other) => other.cost - one.cost);
  return { total: byModel.reduce((sum, { cost }) => sum + cost, 0), byModel, unpriced: [...unpriced] };
}
