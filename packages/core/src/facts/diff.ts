import { type Entry, FACT_KINDS, type FactKind, type Ledger, type PackedLedger } from '../model/facts.ts';
import { once } from '../model/once.ts';
import { ledgerKey } from './keys.ts';
import { scanText } from './scan.ts';
import { stretchesOf } from './stretches.ts';
import { unpackLedger } from './unpack.ts';

/** How many facts of a kind there were and are kept, which are lost, and how many more the record had no room for. */
export type Survival = {
  readonly total: number;
  readonly kept: number;
  readonly lost: readonly Entry[];
  readonly left: number;
};

/** What of a ledger survives in a text, per kind; kinds without facts are left out. */
export function diffFacts(facts: Ledger | PackedLedger, text: string): Readonly<Partial<Record<FactKind, Survival>>> {
  const ledger = unpackLedger(facts);
  const holds = holder(text);
  const all = Object.entries(ledger.entries);
  return Object.fromEntries(
    FACT_KINDS.flatMap((kind) => {
      const ofKind = all.filter(([, entry]) => entry.kind === kind);
      const lost = ofKind.filter(([key, entry]) => !holds(key, entry)).map(([, entry]) => entry);
      const left = ledger.left?.[kind] ?? 0;
      const total = ofKind.length + left;
      const survival: Survival = { total, kept: ofKind.length - lost.length, lost, left };
      return total === 0 ? [] : [[kind, survival]];
    }),
  );
}

/** Tells whether a text holds an entry as whole words; who has the keys of the text gives them. */
export function holder(
  text: string,
  present: ReadonlySet<string> = keysOf(text),
): (key: string, entry: Entry) => boolean {
  const flat = text.replace(/\s+/g, ' ');
  const words = once(() => new Set(flat.match(WORDS)));
  const mayHold = once(() => stretchesOf(flat));
  return (key, { kind, value }) => {
    if (present.has(key)) return true;
    // A text names a file by a path; only a call tells what was done to it.
    if (kind === 'file' && present.has(ledgerKey({ kind: 'path', value }))) return true;
    // Nearly all entries of a long ledger begin or end with something that the text does not have.
    if (!mayHold()(value)) return false;
    const first = FIRST_WORD.exec(value)?.[1];
    if (first !== undefined && !words().has(first)) return false;
    const last = LAST_WORD.exec(value.slice(-LONG_WORD))?.[1];
    if (last !== undefined && !words().has(last)) return false;
    return hasWords(flat, value.replace(/\s+/g, ' ').trim());
  };
}

const WORDS = /[\p{L}\p{N}_]+/gu;
const FIRST_WORD = /^\s*([\p{L}\p{N}_]+)/u;
// With what stands in front, so that it is whole.
const LAST_WORD = /[^\p{L}\p{N}_]([\p{L}\p{N}_]+)[^\p{L}\p{N}_]*$/u;
const LONG_WORD = 40;

/** True where a text holds another that is no part of a longer word, number or path. */
function hasWords(text: string, words: string): boolean {
  for (let at = text.indexOf(words); at >= 0 && words !== ''; at = text.indexOf(words, at + 1)) {
    const isCut = PART.test(words.charAt(0)) && goesOn(text, at - 1, -1);
    const end = at + words.length;
    if (!isCut && !(PART.test(words.charAt(words.length - 1)) && goesOn(text, end, 1))) return true;
  }
  return false;
}

/** A letter or digit goes on with a word; so does a dot, slash or dash with a digit behind it. */
function goesOn(text: string, at: number, step: number): boolean {
  const next = text.charAt(at);
  return PART.test(next) || (/[./-]/.test(next) && /\d/.test(text.charAt(at + step)));
}

const PART = /[\p{L}\p{N}_]/u;

/** Ledger keys of the identifiers in a text. */
export function keysOf(text: string): ReadonlySet<string> {
  const keys = new Set<string>();
  scanText(text, (kind, start, end) => {
    keys.add(ledgerKey({ kind, value: text.slice(start, end) }));
  });
  return keys;
}
