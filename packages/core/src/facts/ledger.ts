import { type Entry, FACT_KINDS, type FactKind, type Ledger, type LedgerScope } from '../model/facts.ts';
import { enter, openBook, read } from './book.ts';
import { entriesOf, ledgerOf, scopeOf } from './entries.ts';
import type { Extracted } from './fact.ts';
import { isPath, keyAmong, pathsOf } from './keys.ts';
import { stateOf, type Writable } from './writable.ts';

/** A ledger of nothing. */
export const EMPTY_LEDGER: Ledger = { entries: {}, newest: -1 };

/** A ledger that is being written: adding costs what the new facts cost, however many are known. */
export type OpenLedger = {
  readonly add: (found: readonly Extracted[]) => void;
  /** The ledger so far; what is added later does not change it. */
  readonly read: () => Ledger;
};

/** Adds facts of further messages; facts are joined, never reworded, so that nothing decays over rounds. */
export function mergeFacts(ledger: Ledger, found: readonly Extracted[]): Ledger {
  const open = openLedger(ledger);
  open.add(found);
  return open.read();
}

/** Opens a ledger for facts that come message by message. */
export function openLedger(ledger: Ledger = EMPTY_LEDGER): OpenLedger {
  const book = openBook(entriesOf(ledger), ledger.newest);
  return {
    add: (found) => {
      for (const each of found) enter(book, each);
    },
    read: () => ledgerOf({ ...scopeOf(ledger), newest: book.newest }, read(book)),
  };
}

/** Two ledgers of one conversation as one; the later one's states win. */
export function mergeLedgers(earlier: Ledger, later: Ledger): Ledger {
  const entries: Record<string, Entry> = { ...earlier.entries };
  const paths = pathsOf(Object.entries(entries));
  for (const [own, entry] of Object.entries(later.entries)) {
    const key = isPath(entry.kind) ? keyAmong(entries, paths, entry) : own;
    const known = entries[key];
    entries[key] = known === undefined ? entry : united(known, entry);
  }
  return { ...scopeOfBoth(earlier, later), entries };
}

function scopeOfBoth(earlier: LedgerScope, later: LedgerScope): LedgerScope {
  const left: Partial<Record<FactKind, number>> = { ...earlier.left };
  for (const kind of FACT_KINDS) {
    const more = later.left?.[kind];
    if (more !== undefined) left[kind] = (left[kind] ?? 0) + more;
  }
  const chars = (earlier.chars ?? 0) + (later.chars ?? 0);
  return {
    newest: Math.max(earlier.newest, later.newest),
    ...(chars === 0 ? {} : { chars }),
    ...(Object.keys(left).length === 0 ? {} : { left }),
  };
}

function united(known: Entry, other: Entry): Entry {
  const isNewMessage = other.first !== known.last;
  const isNewOwn = other.own > 0 && other.lastOwn !== known.lastOwn;
  const { counts } = known;
  const entry: Writable = {
    kind: known.kind,
    value: known.value,
    context: known.context,
    first: Math.min(known.first, other.first),
    last: Math.max(known.last, other.last),
    lastOwn: Math.max(known.lastOwn, other.lastOwn),
    messages: known.messages + (isNewMessage ? other.messages : other.messages - 1),
    own: known.own + (isNewOwn ? other.own : Math.max(0, other.own - 1)),
    counts: {
      prompt: counts.prompt + other.counts.prompt,
      answer: counts.answer + other.counts.answer,
      call: counts.call + other.counts.call,
      result: counts.result + other.counts.result,
    },
    among: Math.min(known.among, other.among),
  };
  const status = stateOf(known.status, other.status);
  const call = other.call ?? known.call;
  const firstId = known.first <= other.first ? known.firstId : other.firstId;
  const lastId = other.last >= known.last ? other.lastId : known.lastId;
  if (firstId !== undefined) entry.firstId = firstId;
  if (lastId !== undefined) entry.lastId = lastId;
  if (status !== undefined) entry.status = status;
  if (call !== undefined) entry.call = call;
  return entry;
}
