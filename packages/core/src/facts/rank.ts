import type { Entry, FactKind, Ledger } from '../model/facts.ts';
import { type Entries, entriesOf } from './entries.ts';
import type { Closeness } from './focus.ts';

/** An entry with how likely the assistant is to use it again. */
export type Ranked = { readonly key: string; readonly entry: Entry; readonly use: number };

/** Where the conversation stands, for judging how old an entry is. */
export type Standing = {
  /** Index of the newest message; the ledger's own unless given. */
  readonly newest?: number;
  /** Index of the newest prompt. */
  readonly newestPrompt?: number;
};

/** Entries by expected use, most likely first; equal ones in the order they came. */
export function rankFacts(ledger: Ledger, standing: Standing = {}): readonly Ranked[] {
  const { newest = ledger.newest, newestPrompt } = standing;
  const entries = entriesOf(ledger);
  const known = last.get(entries);
  if (known !== undefined && known.newest === newest && known.newestPrompt === newestPrompt) return known.ranked;
  const at = { newest, ...(newestPrompt === undefined ? {} : { newestPrompt }) };
  const ranked: Ranked[] = [];
  for (const [key, entry] of entries) ranked.push({ key, entry, use: expectedUse(entry, at) });
  ranked.sort((left, right) => right.use - left.use || left.entry.first - right.entry.first);
  last.set(entries, { ...at, ranked });
  return ranked;
}

// Who renders a ledger and then packs it asks twice for the same order of thousands.
const last = /* @__PURE__ */ new WeakMap<Entries, Standing & { readonly ranked: readonly Ranked[] }>();

/**
 * How likely the assistant is to use an entry again before it is shown again: often, lately, in the assistant's own hands,
 * close to what is at hand, and not one of a long listing. A logistic form with weights rounded by hand from fits to
 * recorded agent sessions: good for order, no calibrated probability.
 */
export function expectedUse(
  entry: Entry,
  { newest = entry.last, newestPrompt }: Standing,
  closeTo: Closeness = () => 0,
): number {
  const { counts, own, last, among, kind, value } = entry;
  const count = counts.prompt + counts.answer + counts.call + counts.result;
  const score =
    KIND_WEIGHTS[kind] -
    // `-v` or `12` alone tells little.
    (value.length < 4 ? 1 : 0) +
    0.4 * Math.log1p(count) +
    // What the user names is what it is about.
    (counts.prompt > 0 ? 0.7 : 0) +
    (own > 0 ? 0.6 : 0) -
    0.35 * Math.log1p(Math.max(0, newest - last)) -
    0.35 * Math.log1p(among) +
    1.7 * closeTo(value) +
    (newestPrompt !== undefined && last >= newestPrompt ? 0.5 : 0);
  return 1 / (1 + Math.exp(-score));
}

const KIND_WEIGHTS: Readonly<Record<FactKind, number>> = {
  demand: 1,
  decision: 0,
  todo: 1,
  file: 0,
  command: -0.5,
  error: -2,
  path: -1,
  url: -2.4,
  id: -1,
  symbol: -1.7,
  constant: -1.4,
  flag: -1.1,
  version: -1.5,
  number: -1.6,
  date: -1.6,
  name: -2.9,
};
