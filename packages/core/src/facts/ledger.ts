import { type Entry, FACT_KINDS, type FactKind, type Ledger } from '../model/facts.ts';
import { type Fact, factKey } from './fact.ts';

/** A ledger of nothing. */
export const EMPTY_LEDGER: Ledger = { entries: {}, newest: -1 };

/** Adds facts of further messages; facts are joined, never reworded, so that nothing decays over rounds. */
export function mergeFacts(ledger: Ledger, facts: readonly Fact[]): Ledger {
  const entries = new Map<string, Entry>(Object.entries(ledger.entries));
  const calls = new Map<string, string>();
  for (const [key, entry] of entries) if (entry.call !== undefined) calls.set(entry.call, key);
  let newest = ledger.newest;
  for (const fact of facts) {
    newest = Math.max(newest, fact.source);
    const key = fact.value === '' ? calls.get(fact.call ?? '') : ledgerKey(fact);
    if (key === undefined) continue;
    const known = entries.get(key);
    if (fact.value !== '') {
      entries.set(key, known === undefined ? opened(fact) : joined(known, fact));
      if (fact.kind === 'command' && fact.call !== undefined) calls.set(fact.call, key);
    } else if (known !== undefined && fact.status !== undefined) entries.set(key, { ...known, status: fact.status });
  }
  return { entries: Object.fromEntries(entries), newest };
}

/** Two ledgers of one conversation as one; the later one's states win. */
export function mergeLedgers(earlier: Ledger, later: Ledger): Ledger {
  const entries = new Map<string, Entry>(Object.entries(earlier.entries));
  for (const [key, entry] of Object.entries(later.entries)) {
    const known = entries.get(key);
    entries.set(key, known === undefined ? entry : united(known, entry));
  }
  return { entries: Object.fromEntries(entries), newest: Math.max(earlier.newest, later.newest) };
}

// Statements and actions live beside identifiers of the same text; `__proto__` can then be no key either.
const APART = new Set<FactKind>(FACT_KINDS.slice(0, 5));

/** The key of a fact in a ledger. */
export function ledgerKey(fact: Pick<Fact, 'kind' | 'value'>): string {
  return `${APART.has(fact.kind) ? fact.kind : ''}:${factKey(fact)}`;
}

function opened(fact: Fact): Entry {
  const { kind, value, context, source, origin, count, among, status, call } = fact;
  const isOwn = origin === 'answer' || origin === 'call';
  return {
    kind,
    value,
    context,
    first: source,
    last: source,
    lastOwn: isOwn ? source : -1,
    messages: 1,
    own: isOwn ? 1 : 0,
    counts: { ...NO_COUNTS, [origin]: count },
    among,
    ...(status === undefined ? {} : { status }),
    ...(call === undefined || call === '' ? {} : { call }),
  };
}

const NO_COUNTS: Entry['counts'] = { prompt: 0, answer: 0, call: 0, result: 0 };

function joined(known: Entry, fact: Fact): Entry {
  return united(known, opened(fact));
}

function united(known: Entry, other: Entry): Entry {
  const isNewMessage = other.first !== known.last;
  const isNewOwn = other.own > 0 && other.lastOwn !== known.lastOwn;
  return {
    ...known,
    first: Math.min(known.first, other.first),
    last: Math.max(known.last, other.last),
    lastOwn: Math.max(known.lastOwn, other.lastOwn),
    messages: known.messages + (isNewMessage ? other.messages : other.messages - 1),
    own: known.own + (isNewOwn ? other.own : Math.max(0, other.own - 1)),
    counts: {
      prompt: known.counts.prompt + other.counts.prompt,
      answer: known.counts.answer + other.counts.answer,
      call: known.counts.call + other.counts.call,
      result: known.counts.result + other.counts.result,
    },
    among: Math.min(known.among, other.among),
    // A file read after it was changed is still a changed file.
    ...(other.status === undefined || (other.status === 'read' && known.status !== undefined)
      ? {}
      : { status: other.status }),
  };
}
