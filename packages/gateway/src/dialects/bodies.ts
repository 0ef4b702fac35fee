import type { Reading } from './reading.ts';

/** An earlier body that a new one begins with, up to the end of its last message. */
export type Earlier = {
  readonly reading: Reading;
  /** Ids of its messages. */
  readonly ids: readonly string[];
  /** Where its last message ends. */
  readonly bytes: number;
};

/** A body that was read, and the earlier one it was read on from. */
type Read = Pick<Earlier, 'reading' | 'ids'> & { readonly earlier: Earlier | undefined };

/**
 * Bodies seen last. A client that keeps no state sends the same beginning again and again: comparing bytes is a hundred times
 * cheaper than reading them.
 */
export type Bodies = {
  readonly find: (owner: string, body: Buffer) => Earlier | undefined;
  readonly keep: (owner: string, body: Buffer, read: Read) => void;
};

/** The bytes stand at the start of `room`, behind which a longer body of the same conversation has place. */
type Kept = Earlier & { readonly room: Buffer };

const MOST_BYTES = 48 * 1024 * 1024;
const MOST_ALIKE = 64;
const NAME_BYTES = 256;

/** An empty memory of bodies. */
export function createBodies(most: number = MOST_BYTES): Bodies {
  const kept = new Map<string, Kept[]>();
  let weight = 0;
  const drop = (gone: readonly Kept[]): void => {
    for (const { room } of gone) weight -= room.length;
  };
  return {
    find: (owner, body) => kept.get(nameOf(owner, body))?.findLast((earlier) => begins(body, earlier)),
    keep: (owner, body, { reading, ids, earlier }) => {
      if (ids.length === 0 || body.length > most / 4) return;
      const name = nameOf(owner, body);
      const alike = kept.get(name) ?? [];
      // Whoever was faster has written behind the earlier one already.
      const before = alike.find((each) => each === earlier);
      const others = alike.filter((each) => each !== before);
      drop([...(before === undefined ? [] : [before]), ...others.splice(0, others.length - MOST_ALIKE + 1)]);
      const bytes = body.length - Buffer.byteLength(reading.rest);
      const own = { reading, ids, bytes, room: roomFor(body, bytes, before) };
      kept.delete(name);
      kept.set(name, [...others, own]);
      weight += own.room.length;
      for (const [oldest, list] of kept) {
        if (weight <= most || oldest === name) break;
        drop(list);
        kept.delete(oldest);
      }
    },
  };
}

/**
 * A body's bytes in memory that outlives them. A body that were kept as it came would live as long as its turn lasts, and large
 * memory that is neither new nor old is what the collector finds hardest: only what is new is copied.
 */
function roomFor(body: Buffer, bytes: number, before: Kept | undefined): Buffer {
  const isRoomy = before !== undefined && before.room.length >= bytes;
  const room = isRoomy ? before.room : Buffer.allocUnsafeSlow(Math.ceil(bytes * 1.25));
  const from = isRoomy ? before.bytes : 0;
  body.copy(room, from, from, bytes);
  return room;
}

function nameOf(owner: string, body: Buffer): string {
  return `${owner}\n${body.toString('latin1', 0, NAME_BYTES)}`;
}

const TAIL = 64;

/** Whether a body begins with an earlier one. Its end is compared first: conversations of one agent begin alike. */
function begins(body: Buffer, { room, bytes }: Kept): boolean {
  if (body.length < bytes) return false;
  const tail = Math.max(0, bytes - TAIL);
  return body.compare(room, tail, bytes, tail, bytes) === 0 && body.compare(room, 0, tail, 0, tail) === 0;
}
