import type { Reading } from './reading.ts';

/** An earlier body that a new one begins with, up to the end of its last message. */
export type Earlier = {
  readonly reading: Reading;
  /** Ids of its messages. */
  readonly ids: readonly string[];
  /** Where its last message ends, in bytes and in characters. */
  readonly bytes: number;
  readonly characters: number;
};

/**
 * Bodies seen last. A client that keeps no state sends the same beginning again and again: comparing bytes is a hundred times
 * cheaper than reading them.
 */
export type Bodies = {
  readonly find: (owner: string, body: Buffer) => Earlier | undefined;
  readonly keep: (owner: string, body: Buffer, read: Pick<Earlier, 'reading' | 'ids'>) => void;
};

type Kept = Earlier & { readonly body: Buffer };

const MOST_BYTES = 48 * 1024 * 1024;
const MOST_ALIKE = 64;
const NAME_BYTES = 256;

/** An empty memory of bodies. */
export function createBodies(most: number = MOST_BYTES): Bodies {
  const kept = new Map<string, Kept[]>();
  let weight = 0;
  const drop = (gone: readonly Kept[]): void => {
    for (const { body } of gone) weight -= body.length;
  };
  return {
    find: (owner, body) => kept.get(nameOf(owner, body))?.findLast((earlier) => begins(body, earlier)),
    keep: (owner, body, { reading, ids }) => {
      const last = reading.messages.at(-1);
      if (last === undefined || body.length > most / 4) return;
      const isAscii = body.length === reading.text.length;
      const bytes = isAscii ? last.end : Buffer.byteLength(reading.text.slice(0, last.end));
      const name = nameOf(owner, body);
      const alike = kept.get(name) ?? [];
      const [gone, others] = [alike.filter((each) => begins(body, each)), alike.filter((each) => !begins(body, each))];
      drop([...gone, ...others.splice(0, Math.max(0, others.length - MOST_ALIKE + 1))]);
      kept.delete(name);
      kept.set(name, [...others, { reading, ids, bytes, characters: last.end, body }]);
      weight += body.length;
      for (const [oldest, list] of kept) {
        if (weight <= most || oldest === name) break;
        drop(list);
        kept.delete(oldest);
      }
    },
  };
}

function nameOf(owner: string, body: Buffer): string {
  return `${owner}\n${body.toString('latin1', 0, NAME_BYTES)}`;
}

const TAIL = 64;

/** Whether a body begins with an earlier one. Its end is compared first: conversations of one agent begin alike. */
function begins(body: Buffer, { body: other, bytes }: Kept): boolean {
  if (body.length < bytes) return false;
  const tail = Math.max(0, bytes - TAIL);
  return body.compare(other, tail, bytes, tail, bytes) === 0 && body.compare(other, 0, tail, 0, tail) === 0;
}
