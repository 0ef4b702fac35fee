import type { Format } from '../model/format.ts';
import type { Message } from '../model/message.ts';
import { extendIds } from '../record/ids.ts';

/** The originals a session has seen, decoded once each. */
export type Originals = {
  readonly messages: readonly Message[];
  /** Ids of all messages; most are made as messages come in, so that nobody waits for them when a compaction is due. */
  readonly ids: () => readonly string[];
  /** Uncorrected sizes, kept by whoever counts them. */
  readonly counted: number[];
  /** The list taken over last, with what was appended to it since. */
  readonly list: () => readonly unknown[];
  /** Takes over a list and returns how many messages at its start were known. */
  readonly take: (natives: readonly unknown[]) => number;
};

/**
 * Native messages as they were given, append-only. A list that begins with what is known costs only what is new; any other list is
 * a branch: the common start stays, the rest is read again.
 */
export function createOriginals(format: Format): Originals {
  let list: readonly unknown[] = [];
  const natives: unknown[] = [];
  const messages: Message[] = [];
  const ids: string[] = [];
  const counted: number[] = [];
  return {
    messages,
    counted,
    ids: () => {
      extendIds(ids, messages);
      return ids;
    },
    list: () => list,
    take: (next) => {
      const known = commonStart(natives, next, next === list);
      list = next;
      if (known < natives.length) {
        natives.length = known;
        messages.length = known;
        ids.length = Math.min(ids.length, known);
        counted.length = Math.min(counted.length, known);
      }
      for (let index = known; index < next.length; index += 1) {
        // Decoded first: a message that cannot be read must not leave half of itself behind.
        messages.push(format.decode(next[index], messages));
        natives.push(next[index]);
      }
      if (messages.length - ids.length >= SHARE) extendIds(ids, messages);
      return known;
    },
  };
}

// Going on from the last id costs as much as a short message: one by one they would take twice the time.
const SHARE = 16;

/** How far two lists are the same objects. A list that merely grew is trusted but for its seam: histories are append-only. */
function commonStart(known: readonly unknown[], next: readonly unknown[], isSameList: boolean): number {
  const last = known.length - 1;
  if (isSameList && next.length > last && (last < 0 || known[last] === next[last])) return known.length;
  // Twice as fast as a loop, which tells where callers pass a fresh copy of the list each time.
  const differs = known.findIndex((native, index) => native !== next[index]);
  return Math.min(differs < 0 ? known.length : differs, next.length);
}
