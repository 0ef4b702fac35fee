import {
  type Entry,
  FACT_KINDS,
  type FactKind,
  type FactOrigin,
  type Ledger,
  type LedgerScope,
} from '../model/facts.ts';
import { type Extracted, type Fact, factKey, type News } from './fact.ts';
import { isReader } from './outcome.ts';
import { PathKeys } from './paths.ts';

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
  const book: Book = {
    kept: new Map(Object.entries(ledger.entries)),
    own: new Map(),
    newest: ledger.newest,
  };
  return {
    add: (found) => {
      for (const each of found) {
        if (each.source > book.newest) book.newest = each.source;
        if (each.kind === 'news') tell(book, each);
        else enterFact(book, each);
      }
    },
    read: () => {
      for (const [key, entry] of book.own) book.kept.set(key, entry);
      book.own.clear();
      return { ...ledger, entries: Object.fromEntries(book.kept), newest: book.newest };
    },
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
  return { ...scopeOf(earlier, later), entries };
}

function scopeOf(earlier: LedgerScope, later: LedgerScope): LedgerScope {
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

// Statements and actions live beside identifiers of the same text; `__proto__` can then be no key either.
const APART = new Set<FactKind>(['demand', 'decision', 'todo', 'file', 'command']);

/** The key of a fact in a ledger. */
export function ledgerKey(fact: Named): string {
  return `${APART.has(fact.kind) ? fact.kind : ''}:${factKey(fact)}`;
}

/** Under which key an entry goes among others: two files whose paths only end alike have two. */
export function keyAmong(entries: Readonly<Record<string, Entry>>, paths: PathKeys, fact: Named): string {
  const key = ledgerKey(fact);
  return isPath(fact.kind) ? paths.keyOf(fact, key, (at) => entries[at]?.value) : key;
}

type Named = Pick<Fact, 'kind' | 'value'>;

const isPath = (kind: FactKind): boolean => kind === 'path' || kind === 'file';

type Book = {
  /** Entries that somebody may hold, and those nobody has seen yet: only these are written to. */
  readonly kept: Map<string, Entry>;
  readonly own: Map<string, Writable>;
  newest: number;
  /** Made when first two files share the end of their paths. */
  paths?: PathKeys;
  /** Entry of a command by its call, of a task by its call or number; made when first asked for. */
  calls?: Map<string, string>;
};

function ownEntry({ kept, own }: Book, key: string): Writable | undefined {
  const written = own.get(key);
  if (written !== undefined) return written;
  const known = kept.get(key);
  if (known === undefined) return undefined;
  const copy = { ...known, counts: { ...known.counts } };
  own.set(key, copy);
  return copy;
}

function enterFact(book: Book, fact: Fact): void {
  const shared = ledgerKey(fact);
  const first = ownEntry(book, shared);
  const isOther = first !== undefined && first.value !== fact.value && isPath(fact.kind);
  const key = isOther ? pathKey(book, fact, shared) : shared;
  const known = key === shared ? first : ownEntry(book, key);
  const entry = known ?? opened(fact);
  if (known === undefined) book.own.set(key, entry);
  else join(known, fact);
  if (book.calls !== undefined) enter(book.calls, key, entry);
}

function pathKey(book: Book, fact: Fact, shared: string): string {
  const { own, kept } = book;
  book.paths ??= pathsOf([...kept, ...own]);
  return book.paths.keyOf(fact, shared, (key) => (own.get(key) ?? kept.get(key))?.value);
}

function pathsOf(entries: Iterable<readonly [string, Entry]>): PathKeys {
  const paths = new PathKeys();
  for (const [key, entry] of entries) if (isPath(entry.kind)) paths.note(key, ledgerKey(entry));
  return paths;
}

function tell(book: Book, { about, call, status, task, isSaid }: News): void {
  book.calls ??= callsOf(book);
  const key = book.calls.get(`${about} ${call}`);
  const entry = key === undefined ? undefined : ownEntry(book, key);
  if (key === undefined || entry === undefined) return;
  if (status !== undefined && !(isSaid && isReader(entry.value))) entry.status = status;
  if (task === undefined) return;
  entry.call = task;
  book.calls.set(`todo ${task}`, key);
}

function callsOf({ kept, own }: Book): Map<string, string> {
  const calls = new Map<string, string>();
  for (const entries of [kept, own]) for (const [key, entry] of entries) enter(calls, key, entry);
  return calls;
}

function enter(calls: Map<string, string>, key: string, { kind, call }: Entry): void {
  if (call !== undefined && (kind === 'command' || kind === 'todo')) calls.set(`${kind} ${call}`, key);
}

function opened(fact: Fact): Writable {
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

type Writable = { -readonly [Name in keyof Entry]: Name extends 'counts' ? Record<FactOrigin, number> : Entry[Name] };

/** Adds one more fact to an entry, as `united` would. */
function join(entry: Writable, fact: Fact): void {
  const { source, id, origin, count, among, status, call } = fact;
  if (source !== entry.last) entry.messages += 1;
  if ((origin === 'answer' || origin === 'call') && source !== entry.lastOwn) {
    entry.own += 1;
    entry.lastOwn = Math.max(entry.lastOwn, source);
  }
  if (source < entry.first) {
    entry.first = source;
    if (id !== undefined) entry.firstId = id;
  }
  if (source >= entry.last) {
    entry.last = source;
    if (id !== undefined) entry.lastId = id;
  }
  entry.counts[origin] += count;
  if (among < entry.among) entry.among = among;
  const state = stateOf(entry.status, status);
  if (state !== undefined) entry.status = state;
  if (call !== undefined && call !== '') entry.call = call;
}

/** A file read after it was changed is still a changed file. */
function stateOf(known: string | undefined, later: string | undefined): string | undefined {
  return later === 'read' ? (known ?? 'read') : (later ?? known);
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
