import type { Prices } from 'epitome/economics';
import type { Caller, Refusal } from '../model/call.ts';
import type { Budget, ClientKey } from '../model/config.ts';
import type { Hold, Holding } from '../model/parts.ts';
import type { Spending, Usage } from '../model/report.ts';

/** What was spent, by key. It lives as long as the process and is not shared between processes. */
export type Ledger = {
  readonly check: (caller: Caller, keys: readonly ClientKey[]) => Refusal | undefined;
  /** Sets aside what a request may take until it is known what it took. */
  readonly hold: (holding: Holding, keys: readonly ClientKey[]) => Hold | Refusal;
  readonly spend: (spending: Spending, keys: readonly ClientKey[]) => void;
};

/** What a ledger takes from the world. */
export type LedgerPorts = {
  /** Milliseconds that never go back: a clock that is set must not give anybody more. */
  readonly now: () => number;
  readonly pricesOf: (model: string) => Prices | undefined;
};

type Figure = keyof Budget;
const PERIODS: Readonly<Record<Figure, number>> = {
  tokensPerDay: 86_400_000,
  dollarsPerDay: 86_400_000,
  requestsPerMinute: 60_000,
};
const NAMES: Readonly<Record<Figure, string>> = {
  tokensPerDay: 'tokens for today',
  dollarsPerDay: 'budget for today',
  requestsPerMinute: 'requests for this minute',
};

/** What is left of a figure, and when that was true; what of it is set aside. Below zero is what the last request took too much. */
type Bucket = { left: number; at: number; held: number };

const NOTHING_HELD: Hold = { adjust: () => {}, release: () => {} };

/** A ledger in which nothing is spent. */
export function createLedger({ now, pricesOf }: LedgerPorts): Ledger {
  const buckets = new Map<string, Bucket>();
  const bucketOf = (key: ClientKey, figure: Figure): Bucket | undefined => {
    const most = key.budget?.[figure];
    if (most === undefined) return undefined;
    const name = `${figure} ${key.id}`;
    const at = now();
    const bucket = buckets.get(name) ?? { left: most, at, held: 0 };
    bucket.left = Math.min(most, bucket.left + (most * Math.max(0, at - bucket.at)) / PERIODS[figure]);
    bucket.at = at;
    buckets.set(name, bucket);
    return bucket;
  };
  return {
    check: ({ keyId }, keys) => {
      const key = keys.find(({ id }) => id === keyId);
      if (key === undefined) return undefined;
      for (const figure of FIGURES) {
        const bucket = bucketOf(key, figure);
        const least = figure === 'requestsPerMinute' ? 1 : Number.MIN_VALUE;
        if (bucket && bucket.left < least)
          return spent(figure, { left: bucket.left, least, most: key.budget?.[figure] ?? 1 });
      }
      const requests = bucketOf(key, 'requestsPerMinute');
      if (requests) requests.left -= 1;
      return undefined;
    },
    hold: ({ caller, model, estimate }, keys) => {
      const key = keys.find(({ id }) => id === caller.keyId);
      if (key?.budget === undefined) return NOTHING_HELD;
      const figures = SPENT.flatMap((figure) => {
        const bucket = bucketOf(key, figure);
        return bucket === undefined ? [] : [{ figure, bucket }];
      });
      const short = figures.find(({ bucket: { left, held } }) => held > 0 && left - held <= 0);
      if (short !== undefined) return takenUp(short.figure);
      const holds = figures.map(({ figure, bucket }) =>
        holdIn(bucket, figure === 'tokensPerDay' ? tokensOf : (usage) => costOf(usage, pricesOf(model) ?? FREE)),
      );
      let latest = NOTHING;
      const adjust = (usage: Usage): void => {
        latest = usage;
        for (const hold of holds) hold.set(usage);
      };
      adjust(estimate());
      return { adjust, held: () => latest, release: () => adjust(NOTHING) };
    },
    spend: ({ caller, usage, model = '' }, keys) => {
      const key = keys.find(({ id }) => id === caller.keyId);
      if (key?.budget === undefined || usage === undefined) return;
      const tokens = bucketOf(key, 'tokensPerDay');
      if (tokens) tokens.left -= tokensOf(usage);
      const dollars = bucketOf(key, 'dollarsPerDay');
      const prices = dollars && pricesOf(model);
      if (dollars && prices) dollars.left -= costOf(usage, prices);
    },
  };
}

const NOTHING: Usage = { input: 0 };
const FREE: Prices = { input: 0, output: 0 };

/** Sets aside in one bucket, in place of what was set aside there before by the same. */
function holdIn(bucket: Bucket, amountOf: (usage: Usage) => number): { readonly set: (usage: Usage) => void } {
  let held = 0;
  return {
    set: (usage) => {
      const amount = amountOf(usage);
      bucket.held += amount - held;
      held = amount;
    },
  };
}

function tokensOf({ input, output = 0 }: Usage): number {
  return input + output;
}

const SPENT = ['tokensPerDay', 'dollarsPerDay'] as const;
const FIGURES = ['requestsPerMinute', 'tokensPerDay', 'dollarsPerDay'] as const;

/** Dollars of one call. */
function costOf({ input, output = 0, cacheRead = 0, cacheWrite = 0 }: Usage, prices: Prices): number {
  const { cachedRead = prices.input, cacheWrite: write = prices.input } = prices;
  const plain = Math.max(0, input - cacheRead - cacheWrite);
  return (plain * prices.input + cacheRead * cachedRead + cacheWrite * write + output * prices.output) / 1_000_000;
}

function spent(figure: Figure, { left, least, most }: { left: number; least: number; most: number }): Refusal {
  const wait = ((least - left) / most) * (PERIODS[figure] / 1000);
  return {
    status: 429,
    code: 'budget-spent',
    message: `This key has used up its ${NAMES[figure]}; wait as long as retry-after says, or raise its budget in the configuration.`,
    retryAfterSeconds: Math.max(1, Math.ceil(wait)),
  };
}

/** Enough is left for a request, but those under way may take it. */
function takenUp(figure: Figure): Refusal {
  return {
    status: 429,
    code: 'budget-spent',
    message: `Requests of this key that are under way may take what is left of its ${NAMES[figure]}; send this one again when they have ended, or raise its budget in the configuration.`,
    retryAfterSeconds: 1,
  };
}
