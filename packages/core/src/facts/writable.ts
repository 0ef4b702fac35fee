import type { Entry, FactOrigin } from '../model/facts.ts';
import type { Fact } from './fact.ts';

/** An entry that may be written to. */
export type Writable = {
  -readonly [Name in keyof Entry]: Name extends 'counts' ? Record<FactOrigin, number> : Entry[Name];
};

/** The entry that a first fact opens. */
export function opened(fact: Fact): Writable {
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

/** Adds one more fact to an entry, as `united` would. */
export function join(entry: Writable, fact: Fact): void {
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
  if (entry.kind === 'file' && call !== undefined && call !== entry.call) {
    if (entry.status === undefined) delete entry.was;
    else entry.was = entry.status;
  }
  const state = stateOf(entry.status, status);
  if (state !== undefined) entry.status = state;
  if (call !== undefined && call !== '') entry.call = call;
}

/** Takes what a call is known by now not to have done to a file out of its entry. */
export function takeOutFailed(entry: Writable, call: string, status: string | undefined): void {
  if (entry.call !== call || entry.status === undefined || entry.status === 'read') return;
  const state = entry.was ?? status;
  if (state !== undefined) entry.status = state;
}

/** A file read after it was changed is still a changed file. */
export function stateOf(known: string | undefined, later: string | undefined): string | undefined {
  return later === 'read' ? (known ?? 'read') : (later ?? known);
}
