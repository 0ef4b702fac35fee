import type { Ledger } from '../model/facts.ts';
import { entriesOf } from './entries.ts';

/** How much of a name's parts, the rare ones first, stand in the texts that are at hand: 0 to 1. */
export type Closeness = (value: string) => number;

/** Measures names against what is at hand: `lastInteraction` is close to a request about interactions. */
export function closenessTo(texts: readonly string[], ledger: Ledger): Closeness {
  const sets = texts.map((text) => new Set(partsOf(text)));
  if (sets.length === 0) return () => 0;
  const names = new Map<string, number>();
  const parts = new Map<string, readonly string[]>();
  for (const { value } of entriesOf(ledger).values()) {
    const own = partsOf(value.slice(-LONGEST));
    parts.set(value, own);
    for (const part of own) names.set(part, (names.get(part) ?? 0) + 1);
  }
  return (value) => {
    let shared = 0;
    let all = 0;
    for (const part of parts.get(value) ?? partsOf(value.slice(-LONGEST))) {
      const rarity = Math.log((parts.size + 1) / (names.get(part) ?? 1));
      all += rarity;
      for (const set of sets) if (set.has(part)) shared += rarity / sets.length;
    }
    return all <= 0 ? 0 : shared / all;
  };
}

// A long path is known by its end.
const LONGEST = 80;

/** `lastInteractionTimes` has last, interaction and time. */
function partsOf(text: string): readonly string[] {
  const parts = new Set<string>();
  for (const word of text.match(PART) ?? []) {
    const stem = word.toLowerCase().replace(ENDING, '');
    if (stem.length > 2) parts.add(stem);
  }
  return [...parts];
}

const PART = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d{2,}/g;
const ENDING = /(?:ies|es|s|ing|ed)$/;
