import type { Entry, FactKind } from '../model/facts.ts';
import type { Entries } from './entries.ts';
import type { Extracted, Fact, News } from './fact.ts';
import { isPath, ledgerKey, pathsOf } from './keys.ts';
import { isReader } from './outcome.ts';
import type { PathKeys } from './paths.ts';
import { fetches } from './stopped.ts';
import { join, opened, takeOutFailed, type Writable } from './writable.ts';

/** A ledger that is being written. */
export type Book = {
  /** Entries that somebody may hold, and those nobody has seen yet: only these are written to. */
  kept: Entries;
  own: Map<string, Writable>;
  newest: number;
  /** Own entries by the value of a fact of a kind: the same fact need not be given a key each time it comes. */
  readonly seen: Partial<Record<FactKind, Map<string, Seen>>>;
  /** Made when first two files share the end of their paths. */
  paths?: PathKeys;
  /** Entry of a command by its call, of a task by its call or number; made when first asked for. */
  calls?: Map<string, string>;
  /** Entries of files by the call that changes them, likewise. */
  files?: Map<string, Set<string>>;
};

type Seen = { readonly key: string; readonly entry: Writable };

export function openBook(kept: Entries, newest: number): Book {
  return { kept, own: new Map(), newest, seen: {} };
}

/** Enters a fact, or what a message tells of one. */
export function enter(book: Book, found: Extracted): void {
  if (found.source > book.newest) book.newest = found.source;
  if (found.kind === 'news') {
    tell(book, found);
    return;
  }
  book.seen[found.kind] ??= new Map();
  const seen = book.seen[found.kind]?.get(found.value);
  if (seen !== undefined) join(seen.entry, found);
  const { key, entry } = seen ?? entered(book, found);
  if (book.calls !== undefined) noteCall(book.calls, key, entry);
  if (book.files !== undefined) noteFile(book.files, key, entry);
}

/** The entries so far; what is entered later does not change them. */
export function read(book: Book): Entries {
  if (book.own.size === 0) return book.kept;
  const { own } = book;
  book.kept = book.kept.size === 0 ? own : new Map<string, Entry>([...book.kept, ...own]);
  book.own = new Map();
  for (const seen of Object.values(book.seen)) seen.clear();
  return book.kept;
}

function entered(book: Book, fact: Fact): Seen {
  const shared = ledgerKey(fact);
  const first = ownEntry(book, shared);
  const isOther = first !== undefined && first.value !== fact.value && isPath(fact.kind);
  const key = isOther ? pathKey(book, fact, shared) : shared;
  const known = key === shared ? first : ownEntry(book, key);
  const entry = known ?? opened(fact);
  if (known === undefined) book.own.set(key, entry);
  else join(known, fact);
  const seen = { key, entry };
  book.seen[fact.kind]?.set(fact.value, seen);
  return seen;
}

function ownEntry({ kept, own }: Book, key: string): Writable | undefined {
  const written = own.get(key);
  if (written !== undefined) return written;
  const known = kept.get(key);
  if (known === undefined) return undefined;
  const copy = { ...known, counts: { ...known.counts } };
  own.set(key, copy);
  return copy;
}

function pathKey(book: Book, fact: Fact, shared: string): string {
  const { own, kept } = book;
  book.paths ??= pathsOf([...kept, ...own]);
  return book.paths.keyOf(fact, shared, (key) => (own.get(key) ?? kept.get(key))?.value);
}

function tell(book: Book, news: News): void {
  if (news.about === 'file') tellFiles(book, news);
  else tellOne(book, news);
}

function tellFiles(book: Book, { call, status }: News): void {
  book.files ??= filesOf(book);
  for (const key of book.files.get(call) ?? []) {
    const entry = ownEntry(book, key);
    if (entry !== undefined) takeOutFailed(entry, call, status);
  }
}

function filesOf({ kept, own }: Book): Map<string, Set<string>> {
  const files = new Map<string, Set<string>>();
  for (const entries of [kept, own]) for (const [key, entry] of entries) noteFile(files, key, entry);
  return files;
}

function noteFile(files: Map<string, Set<string>>, key: string, { kind, call }: Entry): void {
  if (kind !== 'file' || call === undefined) return;
  const keys = files.get(call);
  if (keys === undefined) files.set(call, new Set([key]));
  else keys.add(key);
}

function tellOne(book: Book, { about, call, status, task, isSaid }: News): void {
  book.calls ??= callsOf(book);
  const key = book.calls.get(`${about} ${call}`);
  const entry = key === undefined ? undefined : ownEntry(book, key);
  if (key === undefined || entry === undefined) return;
  if (status !== undefined && !(isSaid && isReader(entry.value)))
    entry.status = status.endsWith(STOPPED) && fetches(entry.value) ? 'failed' : status;
  if (task === undefined) return;
  entry.call = task;
  book.calls.set(`todo ${task}`, key);
}

// What others wrote may look like it.
const STOPPED = ' by the user';

function callsOf({ kept, own }: Book): Map<string, string> {
  const calls = new Map<string, string>();
  for (const entries of [kept, own]) for (const [key, entry] of entries) noteCall(calls, key, entry);
  return calls;
}

function noteCall(calls: Map<string, string>, key: string, { kind, call }: Entry): void {
  if (call !== undefined && (kind === 'command' || kind === 'todo')) calls.set(`${kind} ${call}`, key);
}
