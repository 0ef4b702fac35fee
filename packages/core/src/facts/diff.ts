import { type Entry, FACT_KINDS, type FactKind, type Ledger } from '../model/facts.ts';
import { ledgerKey } from './ledger.ts';
import { scanText } from './scan.ts';

/** How many facts of a kind there were, how many are left, and which are lost. */
export type Survival = { readonly total: number; readonly kept: number; readonly lost: readonly Entry[] };

/** What of a ledger survives in a text, per kind; kinds without facts are left out. */
export function diffFacts(ledger: Ledger, text: string): Readonly<Partial<Record<FactKind, Survival>>> {
  const present = keysOf(text);
  const flat = text.replace(/\s+/g, ' ');
  const survives = (key: string, { value }: Entry): boolean =>
    present.has(key) || flat.includes(value.replace(/\s+/g, ' ').trim());
  const all = Object.entries(ledger.entries);
  return Object.fromEntries(
    FACT_KINDS.flatMap((kind) => {
      const ofKind = all.filter(([, entry]) => entry.kind === kind);
      const lost = ofKind.filter(([key, entry]) => !survives(key, entry)).map(([, entry]) => entry);
      const survival: Survival = { total: ofKind.length, kept: ofKind.length - lost.length, lost };
      return ofKind.length === 0 ? [] : [[kind, survival]];
    }),
  );
}

/** Ledger keys of the identifiers in a text. */
export function keysOf(text: string): ReadonlySet<string> {
  const keys = new Set<string>();
  scanText(text, (kind, start, end) => {
    keys.add(ledgerKey({ kind, value: text.slice(start, end) }));
  });
  return keys;
}
