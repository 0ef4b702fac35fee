import type { Entry, FactKind, Ledger } from '../model/facts.ts';
import { type Extracted, type Fact, factKey, type News } from './fact.ts';

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
  const book = bookOf(ledger);
  addAll(book, found);
  return { entries: book.entries, newest: book.newest };
}

/** Opens a ledger for facts that come message by message. */
export function openLedger(ledger: Ledger = EMPTY_LEDGER): OpenLedger {
  const book = bookOf(ledger);
  return {
    add: (found) => addAll(book, found),
    read: () => ({ entries: { ...book.entries }, newest: book.newest }),
  };
}

/** Two ledgers of one conversation as one; the later one's states win. */
export function mergeLedgers(earlier: Ledger, later: Ledger): Ledger {
  const entries: Record<string, Entry> = { ...earlier.entries };
  for (const [key, entry] of Object.entries(later.entries)) {
    const known = entries[key];
    entries[key] = known === undefined ? entry : united(known, entry);
  }
  return { entries, newest: Math.max(earlier.newest, later.newest) };
}

// Statements and actions live beside identifiers of the same text; `__proto__` can then be no key either.
const APART = new Set<FactKind>(['demand', 'decision', 'todo', 'file', 'command']);

/** The key of a fact in a ledger. */
export function ledgerKey(fact: Pick<Fact, 'kind' | 'value'>): string {
  return `${APART.has(fact.kind) ? fact.kind : ''}:${factKey(fact)}`;
}

type Book = {
  readonly entries: Record<string, Entry>;
  newest: number;
  /** Entry of a command by its call, of a task by its call or number; made when first asked for. */
  calls?: Map<string, string>;
};

function bookOf({ entries, newest }: Ledger): Book {
  return { entries: { ...entries }, newest };
}

function addAll(book: Book, found: readonly Extracted[]): void {
  for (const each of found) {
    if (each.source > book.newest) book.newest = each.source;
    if (each.kind === 'news') tell(book, each);
    else enterFact(book, each);
  }
}

function enterFact({ entries, calls }: Book, fact: Fact): void {
  const key = ledgerKey(fact);
  const known = entries[key];
  const entry = known === undefined ? opened(fact) : united(known, opened(fact));
  entries[key] = entry;
  if (calls !== undefined) enter(calls, key, entry);
}

function tell(book: Book, { about, call, status, task }: News): void {
  book.calls ??= callsOf(book.entries);
  const key = book.calls.get(`${about} ${call}`);
  const known = key === undefined ? undefined : book.entries[key];
  if (key === undefined || known === undefined) return;
  book.entries[key] = {
    ...known,
    ...(status === undefined ? {} : { status }),
    ...(task === undefined ? {} : { call: task }),
  };
  if (task !== undefined) book.calls.set(`todo ${task}`, key);
}

function callsOf(entries: Readonly<Record<string, Entry>>): Map<string, string> {
  const calls = new Map<string, string>();
  for (const key in entries) {
    const entry = entries[key];
    if (entry !== undefined) enter(calls, key, entry);
  }
  return calls;
}

function enter(calls: Map<string, string>, key: string, { kind, call }: Entry): void {
  if (call !== undefined && (kind === 'command' || kind === 'todo')) calls.set(`${kind} ${call}`, key);
}

function opened(fact: Fact): Entry {
  const { kind, value, context, source, id, origin, count, among, status, call } = fact;
  const isOwn = origin === 'answer' || origin === 'call';
  const entry: Writable = {
    kind,
    value,
    context,
    first: source,
    last: source,
    lastOwn: isOwn ? source : -1,
    messages: 1,
    own: isOwn ? 1 : 0,
    counts: {
      prompt: origin === 'prompt' ? count : 0,
      answer: origin === 'answer' ? count : 0,
      call: origin === 'call' ? count : 0,
      result: origin === 'result' ? count : 0,
    },
    among,
  };
  if (id !== undefined) {
    entry.firstId = id;
    entry.lastId = id;
  }
  if (status !== undefined) entry.status = status;
  if (call !== undefined && call !== '') entry.call = call;
  return entry;
}

type Writable = { -readonly [Name in keyof Entry]: Entry[Name] };

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
  // A file read after it was changed is still a changed file.
  const status = other.status === 'read' ? (known.status ?? 'read') : (other.status ?? known.status);
  const call = other.call ?? known.call;
  const firstId = known.first <= other.first ? known.firstId : other.firstId;
  const lastId = other.last >= known.last ? other.lastId : known.lastId;
  if (firstId !== undefined) entry.firstId = firstId;
  if (lastId !== undefined) entry.lastId = lastId;
  if (status !== undefined) entry.status = status;
  if (call !== undefined) entry.call = call;
  return entry;
}
