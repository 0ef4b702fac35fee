import { isAscii } from 'node:buffer';
import type { Joined } from '../model/parts.ts';
import type { Reading } from './reading.ts';

/** An earlier body that a new one begins with, up to the end of its last message. */
export type Earlier = {
  readonly reading: Reading;
  /** Ids of its messages. */
  readonly ids: readonly string[];
  /** Where its last message ends. */
  readonly bytes: number;
};

/** A body in one piece, and the earlier one it goes on from. Its bytes stay as they are until it is done with. */
export type Body = Joined & { readonly earlier: Earlier | undefined; readonly done: () => void };

/** A body that was read, and what it was found to hold. */
type Read = Pick<Earlier, 'reading' | 'ids'> & { readonly body: Body };

/**
 * Bodies seen last. A client that keeps no state sends the same beginning again and again: comparing bytes is a hundred times
 * cheaper than reading them.
 */
export type Bodies = {
  readonly join: (owner: string, pieces: readonly Buffer[]) => Body;
  readonly keep: (owner: string, read: Read) => void;
  /** Keeps no more than so many bytes from the next body on. */
  readonly resize: (bytes: number) => void;
};

/** Memory that begins with a body, behind which a longer one of the same conversation has place; `isOut`: somebody's body is there. */
type Room = { readonly buffer: Buffer; isOut: boolean };

type Kept = Earlier & { readonly room: Room; readonly weight: number };

const MOST_BYTES = 38 * 1024 * 1024;
const MOST_ALIKE = 64;
const NAME_BYTES = 256;

/** An empty memory of bodies. */
export function createBodies(bytes: number = MOST_BYTES): Bodies {
  let most = bytes;
  const kept = new Map<string, Kept[]>();
  const rooms = new WeakMap<Body, Room>();
  let weight = 0;
  const drop = (gone: readonly Kept[]): void => {
    for (const each of gone) weight -= each.weight;
  };
  return {
    join: (owner, pieces) => {
      const earlier = kept.get(nameOf(owner, pieces))?.findLast((each) => begins(pieces, each));
      const { body, room } = joined(pieces, earlier);
      rooms.set(body, room);
      return body;
    },
    keep: (owner, { reading, ids, body }) => {
      const room = rooms.get(body);
      if (ids.length === 0 || room === undefined || body.bytes.length > most / 4) return;
      const name = nameOf(owner, [body.bytes]);
      const alike = kept.get(name) ?? [];
      const before = alike.find((each) => each === body.earlier);
      const others = alike.filter((each) => each !== before);
      drop([...(before === undefined ? [] : [before]), ...others.splice(0, others.length - MOST_ALIKE + 1)]);
      const bytes = body.bytes.length - Buffer.byteLength(reading.rest);
      kept.delete(name);
      const own = { reading, ids, bytes, room, weight: weightOf(body, room, ids.length) };
      kept.set(name, [...others, own]);
      weight += own.weight;
      for (const [oldest, list] of kept) {
        if (weight <= most || oldest === name) break;
        drop(list);
        kept.delete(oldest);
      }
    },
    resize: (bytes) => {
      most = bytes;
    },
  };
}

const ENTRY_BYTES = 1024;
const MESSAGE_BYTES = 160;

/** Bytes that keeping a body takes: its room, the text it was read as, and the places of its messages. */
function weightOf({ bytes }: Body, { buffer }: Room, messages: number): number {
  const text = isAscii(bytes) ? bytes.length : 2 * bytes.length;
  return buffer.length + text + ENTRY_BYTES + messages * MESSAGE_BYTES;
}

/**
 * A body in memory that outlives it. Only what is new is copied, behind the bytes it was found to begin with: large memory that is
 * neither new nor old is what the collector finds hardest, and what a turn takes of it the next one waits for.
 */
function joined(pieces: readonly Buffer[], earlier: Kept | undefined): { readonly body: Body; readonly room: Room } {
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  // Where another request of the conversation is out, what it sends may stand there.
  const isRoomy = earlier !== undefined && !earlier.room.isOut && earlier.room.buffer.length >= length;
  const room = isRoomy ? earlier.room : { buffer: Buffer.allocUnsafeSlow(Math.ceil(length * 1.25)), isOut: false };
  room.isOut = true;
  let at = 0;
  for (const piece of pieces) {
    const known = isRoomy ? Math.max(0, earlier.bytes - at) : 0;
    if (known < piece.length) piece.copy(room.buffer, at + known, known);
    at += piece.length;
  }
  const done = (): void => {
    room.isOut = false;
  };
  return { body: { bytes: room.buffer.subarray(0, length), checked: earlier?.bytes ?? 0, earlier, done }, room };
}

function nameOf(owner: string, pieces: readonly Buffer[]): string {
  return `${owner}\n${bytesIn(pieces, 0, NAME_BYTES).toString('latin1')}`;
}

/** The bytes from one place up to another, or to the end. */
function bytesIn(pieces: readonly Buffer[], from: number, to: number): Buffer {
  const found: Buffer[] = [];
  let at = 0;
  for (const piece of pieces) {
    if (at < to && at + piece.length > from) found.push(piece.subarray(Math.max(0, from - at), to - at));
    at += piece.length;
  }
  const [first = NOTHING, ...more] = found;
  return more.length === 0 ? first : Buffer.concat(found);
}

const NOTHING = Buffer.alloc(0);
const TAIL = 64;

/** Whether a body begins with an earlier one. Its end is compared first: conversations of one agent begin alike. */
function begins(pieces: readonly Buffer[], { room: { buffer }, bytes }: Kept): boolean {
  const tail = Math.max(0, bytes - TAIL);
  if (bytesIn(pieces, tail, bytes).compare(buffer, tail, bytes) !== 0) return false;
  let at = 0;
  for (const piece of pieces) {
    const end = Math.min(piece.length, bytes - at);
    if (end <= 0) break;
    if (piece.compare(buffer, at, at + end, 0, end) !== 0) return false;
    at += end;
  }
  return true;
}
