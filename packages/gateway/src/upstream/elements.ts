import { BACKSLASH, CLOSE_BRACE, CLOSE_BRACKET, OPEN_BRACE, OPEN_BRACKET, QUOTE } from '../json/codes.ts';

/** Lets a JSON array that comes in chunks through element by element. */
export type ElementHold = {
  readonly push: (chunk: Buffer) => Buffer;
  /** What still waits. */
  readonly rest: () => Buffer;
  /** Whether what was let through ends with an element, or is nothing yet, so that one more may follow. */
  readonly mayFollow: () => boolean;
};

/** Holds back what follows the last whole element. What is no array, and what of an element exceeds `most` bytes, goes through. */
export function holdElements(most: number): ElementHold {
  const place: Place = { depth: 0, isText: false, isEscaped: false };
  let waiting: Buffer = Buffer.alloc(0);
  let isArray: boolean | undefined;
  let mayFollow = true;
  return {
    push: (chunk) => {
      const end = endOfElements(chunk, place);
      const whole = end === 0 ? 0 : waiting.length + end;
      const all = waiting.length === 0 ? chunk : Buffer.concat([waiting, chunk]);
      isArray ??= startsArray(all);
      const isOpen = isArray === false || all.length - whole > most;
      const cut = isOpen ? all.length : whole;
      if (cut > 0) mayFollow = !isOpen;
      waiting = all.subarray(cut);
      return all.subarray(0, cut);
    },
    rest: () => waiting,
    mayFollow: () => mayFollow,
  };
}

/** Where in its JSON text a chunk begins. */
type Place = { depth: number; isText: boolean; isEscaped: boolean };

/** Where the last element that ends in this chunk does, or 0; moves the place on behind the chunk. */
function endOfElements(chunk: Buffer, place: Place): number {
  let { depth, isText, isEscaped } = place;
  let end = 0;
  for (let at = 0; at < chunk.length; at += 1) {
    const byte = chunk[at];
    if (isEscaped) isEscaped = false;
    else if (isText) {
      isText = byte !== QUOTE;
      isEscaped = byte === BACKSLASH;
    } else if (byte === QUOTE) isText = true;
    else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) depth += 1;
    else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      depth -= 1;
      if (depth === 1) end = at + 1;
    }
  }
  Object.assign(place, { depth, isText, isEscaped });
  return end;
}

function startsArray(bytes: Buffer): boolean | undefined {
  const [first] = bytes.toString('latin1').trimStart();
  return first === undefined ? undefined : first === '[';
}
