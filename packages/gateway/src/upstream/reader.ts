import { decoderOf, leaveDecoder } from '../coding/decoder.ts';
import type { HeaderMap } from './headers.ts';

/** `whole`: it came to its end. `cut`: what was compressed breaks off. `unread`: nobody here can read it, or all of it. */
type ReadTo = 'whole' | 'cut' | 'unread';

/** Reads a copy of an answer on its way, as it was before it was compressed. */
export type Reader = {
  readonly see: (chunk: Buffer) => void;
  /** Whether nothing of it can be read. */
  readonly isBlind: boolean;
  /** Once all of it was seen and what came of that was taken. */
  readonly end: () => Promise<ReadTo>;
  /** Reads no more. */
  readonly leave: () => void;
};

// An answer that becomes more is passed on all the same, and read no further.
const MOST_DECODED = 64 * 1024 * 1024;

/** Whether an answer is compressed, though we ask for one that is not. */
export function isCoded(headers: HeaderMap): boolean {
  return !/^\s*(identity)?\s*$/i.test(codingOf(headers));
}

/** A reader for an answer with these headers; who takes is given what can be read of it. */
export function readerOf(headers: HeaderMap, take: (piece: Buffer) => void): Reader {
  const decoder = decoderOf(codingOf(headers));
  if (decoder === 'none') return { isBlind: false, see: take, end: async () => 'whole', leave: () => {} };
  if (decoder === undefined) return { isBlind: true, see: () => {}, end: async () => 'unread', leave: () => {} };
  let made = 0;
  let isEmpty = true;
  let readTo: ReadTo | undefined;
  let told = (_: ReadTo): void => {};
  const ended = new Promise<ReadTo>((resolve) => {
    told = resolve;
  });
  const stop = (to: ReadTo): void => {
    readTo ??= to;
    leaveDecoder(decoder);
    told(readTo);
  };
  decoder.on('data', (piece: Buffer) => {
    made += piece.length;
    if (made > MOST_DECODED) stop('unread');
    else take(piece);
  });
  decoder.on('end', () => stop('whole')).on('error', (error) => stop(isCut(error) ? 'cut' : 'unread'));
  return {
    isBlind: false,
    see: (chunk) => {
      isEmpty = false;
      if (readTo === undefined) decoder.write(chunk);
    },
    end: () => {
      // Nothing at all is no half of anything.
      if (isEmpty) stop('whole');
      else if (readTo === undefined) decoder.end();
      return ended;
    },
    leave: () => stop('unread'),
  };
}

function codingOf(headers: HeaderMap): string {
  return String(headers['content-encoding'] ?? '');
}

// What zlib says of data that ends too early; whatever else it says, it is no such data at all.
function isCut(error: NodeJS.ErrnoException): boolean {
  return error.code === 'Z_BUF_ERROR' || /unexpected end/.test(error.message);
}
