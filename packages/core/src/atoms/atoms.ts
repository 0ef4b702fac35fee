import type { Atom, Atoms, PartAt } from '../model/atoms.ts';
import type { Message } from '../model/message.ts';
import { beginsTurn, isBound, isFixed, isPrompt, isReply, isThought, type ViewEntry } from '../model/view.ts';

/**
 * Groups entries into atoms in one pass: a call with all its results wherever they stand, parallel calls, results out of
 * order, server tools, reasoning with the items it led to, and an unfinished turn of bound reasoning as a whole.
 */
export function findAtoms(entries: readonly ViewEntry[]): Atoms {
  const { reach, open, orphans } = pairCalls(entries);
  const begun = lastIndex(entries, beginsTurn);
  const turnStart = (begun ?? -1) + 1;
  const spoken = lastIndex(entries, isPrompt);
  const newestPrompt = begun ?? spoken;
  // A call left behind by a later prompt is an orphan, not pending: nobody will answer it any more.
  const pending = new Set([...open.values()].flat().filter((index) => index >= turnStart));
  const finished = pending.size === 0 && endsFinished(entries, turnStart);
  const boundLoop = finished ? undefined : findBoundLoop(entries, turnStart);
  if (boundLoop !== undefined) reach[boundLoop] = entries.length - 1;
  return {
    ...sweep(entries, reach, pending),
    orphans,
    ...(newestPrompt === undefined ? {} : { newestPrompt }),
    ...(begun === undefined || finished ? {} : { livePrompt: begun }),
    ...(spoken === undefined || spoken === begun || finished ? {} : { aside: spoken }),
    ...(boundLoop === undefined ? {} : { boundLoop }),
  };
}

type Pairs = { readonly reach: number[]; readonly open: Map<string, number[]>; readonly orphans: PartAt[] };

/** For each entry the furthest entry it must stay with, and the calls left without a result. */
function pairCalls(entries: readonly ViewEntry[]): Pairs {
  const pairs: Pairs = { reach: [...entries.keys()], open: new Map(), orphans: [] };
  let responseStart: number | undefined;
  let reference: number | undefined;
  for (let index = 0; index < entries.length; index += 1) {
    const entry = entries[index];
    if (entry === undefined) continue;
    const { role } = entry.message;
    if (role === 'other') reference ??= index;
    else if (role === 'user') reference = undefined;
    if (role !== 'assistant') responseStart = undefined;
    else if (responseStart !== undefined) pairs.reach[responseStart] = index;
    // An acknowledgement or bridge says nothing without the summary it belongs to, and one record inserted both.
    if (entry.filler && index > 0) pairs.reach[index - 1] = index;
    const opened = pairParts(pairs, entry.message, { index, reference });
    // Some dialects give one model response as several entries: reasoning must keep what it led to (R3), and parallel
    // calls are one batch.
    if (role === 'assistant' && (opened || isThought(entry))) responseStart ??= index;
  }
  return pairs;
}

/** Notes calls and results of one message; true where a call of it is open behind it. */
function pairParts(
  { reach, open, orphans }: Pairs,
  { parts }: Message,
  { index, reference }: { readonly index: number; readonly reference: number | undefined },
): boolean {
  let hasCall = false;
  for (let at = 0; at < parts.length; at += 1) {
    const part = parts[at];
    if (part?.kind === 'tool-call') {
      push(open, part.callId, index);
      hasCall = true;
    } else if (part?.kind === 'opaque') {
      const approved = part.approves === undefined ? undefined : open.get(part.approves)?.at(-1);
      if (approved !== undefined) reach[approved] = index;
    } else if (part?.kind === 'tool-result') {
      const calls = open.get(part.callId);
      const call = calls?.pop();
      if (call !== undefined) reach[call] = index;
      // An entry we cannot read may stand for the call, as an item reference does: the two stay together.
      else if (reference !== undefined) reach[reference] = index;
      else orphans.push({ entry: index, part: at });
      if (calls?.length === 0) open.delete(part.callId);
    }
  }
  return hasCall && parts.some((part) => part.kind === 'tool-call' && open.has(part.callId));
}

function push(open: Map<string, number[]>, callId: string, index: number): void {
  const calls = open.get(callId);
  if (calls === undefined) open.set(callId, [index]);
  else calls.push(index);
}

function sweep(
  entries: readonly ViewEntry[],
  reach: readonly number[],
  pending: ReadonlySet<number>,
): { list: Atom[]; atomOf: number[] } {
  const list: Atom[] = [];
  const atomOf: number[] = [];
  let first = 0;
  let last = -1;
  let isPending = false;
  let unread = false;
  reach.forEach((end, index) => {
    if (index > last) {
      first = index;
      isPending = false;
      unread = false;
    }
    last = Math.max(last, end);
    if (pending.has(index)) isPending = true;
    if (entries[index]?.message.role === 'other') unread = true;
    atomOf.push(list.length);
    if (index === last) list.push({ first, last, pending: isPending, unread });
  });
  return { list, atomOf };
}

function endsFinished(entries: readonly ViewEntry[], turnStart: number): boolean {
  const last = lastIndex(entries, (entry) => !isFixed(entry)) ?? -1;
  const entry = entries[last];
  return entry !== undefined && last >= turnStart && isReply(entry);
}

function findBoundLoop(entries: readonly ViewEntry[], turnStart: number): number | undefined {
  const found = entries.findIndex((entry, index) => index >= turnStart && isBound(entry));
  return found < 0 ? undefined : found;
}

function lastIndex(entries: readonly ViewEntry[], holds: (entry: ViewEntry) => boolean): number | undefined {
  for (let index = entries.length - 1; index >= 0; index -= 1) {
    const entry = entries[index];
    if (entry !== undefined && holds(entry)) return index;
  }
  return undefined;
}
