import { type Utf8, utf8Of } from '../model/utf8.ts';

/** A text that is worth a closer look, and what for. It is ASCII, of three characters or more. */
export type Hint = {
  readonly text: string;
  readonly topic: number;
  /** Whether capitals and small letters are one. */
  readonly isFolded: boolean;
  /** Whether it counts only where no letter or digit stands in front. */
  readonly isStart: boolean;
  /** Whether it counts between what stands before `start` and from `end` on; zeros follow the last byte. */
  readonly isFollowed?: (bytes: Uint8Array, start: number, end: number) => boolean;
};

/** Finds hints in one pass over bytes, whatever the number of hints. */
export type HintFinder = {
  /** The topics whose hints a text holds. */
  readonly topicsIn: (text: string) => ReadonlySet<number>;
  /** Whether a text holds any, or is too long to tell at once. */
  readonly isSuspect: (text: string) => boolean;
};

export function createHintFinder(hints: readonly Hint[]): HintFinder {
  const traces = tracesOf(hints);
  return {
    topicsIn: (text) => {
      const topics = new Set<number>();
      // A megabyte goes through a small buffer; what lies across a seam is in both pieces.
      for (let from = 0; from < text.length; from += LONGEST_PIECE) {
        const isWhole = text.length <= LONGEST_PIECE;
        const piece = isWhole ? text : text.slice(Math.max(from - SEAM, 0), from + LONGEST_PIECE);
        findHints(utf8Of(piece), traces, (topic) => {
          topics.add(topic);
          return false;
        });
      }
      return topics;
    },
    isSuspect: (text) => text.length > LONGEST_PIECE || findHints(utf8Of(text), traces, always),
  };
}

/** Longer texts are looked through in pieces. */
export const LONGEST_PIECE: number = 1 << 14;
const SEAM = 128;

/** A place in a hint, or one in front of it. Each has two in a row: every second place of a text is looked at. */
type Trace = {
  readonly topic: number;
  readonly offset: number;
  /** Four bytes from there on, as far as the hint goes, in small letters. */
  readonly four: number;
  readonly mask: number;
  /** The hint in small letters and in capitals, or twice as it is. */
  readonly low: Uint8Array;
  readonly high: Uint8Array;
  readonly isStart: boolean;
  readonly isFollowed: NonNullable<Hint['isFollowed']>;
};

/** The traces by place. Nearly all places of a text are told by one look-up in bytes. */
type Traces = { readonly isWorth: Uint8Array; readonly found: readonly (readonly Trace[] | undefined)[] };

/** Goes through the hints of a text until one is enough; whether one was. Nothing is made on the way: nearly all texts hold none. */
function findHints(
  { bytes, words, length }: Utf8,
  { isWorth, found }: Traces,
  isEnough: (topic: number) => boolean,
): boolean {
  const worth = worthIn(words, length, isWorth);
  for (let index = 0; index < worth; index += 1) {
    const at = places[index] ?? 0;
    const four = fourAt(words, at);
    for (const trace of found[placeOf(four)] ?? NO_TRACES) {
      if (((four | SMALL) & trace.mask) !== trace.four) continue;
      if (holds(trace, bytes, at - trace.offset) && isEnough(trace.topic)) return true;
    }
  }
  return false;
}

const NO_TRACES: readonly Trace[] = [];

let places = /* @__PURE__ */ new Int32Array(1 << 13);

/** Fills `places` with those worth a look and tells how many they are. Nothing else is done in this loop: it takes all the time. */
function worthIn(words: Int32Array, length: number, isWorth: Uint8Array): number {
  const last = (length + 3) >> 2;
  if (places.length < last * 2 + 2) places = new Int32Array(last * 2 + 2);
  const found = places;
  let count = 0;
  let word = words[0] ?? 0;
  for (let index = 1; index <= last; index += 1) {
    const next = words[index] ?? 0;
    found[count] = index * 4 - 4;
    count += isWorth[Math.imul(word & LETTERS, SPREAD) >>> SHIFT] ?? 0;
    found[count] = index * 4 - 2;
    count += isWorth[Math.imul(((word >>> 16) | (next << 16)) & LETTERS, SPREAD) >>> SHIFT] ?? 0;
    word = next;
  }
  return count;
}

// Five bits of each of three bytes, in which capitals and small letters are one, spread over 2^16 places: with this factor
// no two of them come to the same.
const LETTERS = 0x1f1f1f;
const SPREAD = 0x8d231409;
const SHIFT = 16;

function placeOf(four: number): number {
  return Math.imul(four & LETTERS, SPREAD) >>> SHIFT;
}

/** Four bytes from an even place on. */
function fourAt(words: Int32Array, at: number): number {
  const word = words[at >> 2] ?? 0;
  return (at & 2) === 0 ? word : (word >>> 16) | ((words[(at >> 2) + 1] ?? 0) << 16);
}

const SMALL = 0x20202020;

function tracesOf(hints: readonly Hint[]): Traces {
  const isWorth = new Uint8Array(1 << (32 - SHIFT));
  const found = new Array<Trace[] | undefined>(isWorth.length);
  for (const hint of hints) {
    const first = rarestIn(hint.text);
    for (const trace of [traceOf(hint, first), traceOf(hint, first + 1)]) {
      for (const letters of lettersOf(trace)) {
        const place = placeOf(letters);
        isWorth[place] = 1;
        found[place] = [...(found[place] ?? []), trace];
      }
    }
  }
  return { isWorth, found };
}

/** Where in a hint, or one in front of it, three bytes and the three behind the first of them are met least often. */
function rarestIn(text: string): number {
  const shares = Array.from(text.toLowerCase(), (letter) => SHARES.get(letter) ?? RARE);
  const shareAt = (at: number): number => [0, 1, 2].reduce((share, next) => share * (shares[at + next] ?? 1), 1);
  const costs = Array.from({ length: text.length - 1 }, (_, at) => shareAt(at - 1) + shareAt(at));
  return costs.indexOf(costs.toSorted((one, other) => one - other)[0] ?? 0) - 1;
}

// What share of prose and code a letter has, roughly.
const SHARES = new Map(Array.from(' etaoinsrhldcumpgfybwvk', (letter, rank) => [letter, 0.2 / (rank + 2)]));
const RARE = 0.004;

/** The first three bytes of a trace; where one may be anything, with each of 32. */
function lettersOf({ four, mask }: Trace): readonly number[] {
  const isKnown = (shift: number): boolean => ((mask >>> shift) & 0xff) !== 0;
  const withAny = (all: readonly number[], shift: number): readonly number[] =>
    all.flatMap((letters) => Array.from({ length: 32 }, (_, letter) => letters | (letter << shift)));
  return [0, 8, 16].reduce<readonly number[]>((all, shift) => (isKnown(shift) ? all : withAny(all, shift)), [four]);
}

function traceOf({ text, topic, isFolded, isStart, isFollowed = always }: Hint, offset: number): Trace {
  const low = codesOf(isFolded ? text.toLowerCase() : text);
  const high = codesOf(isFolded ? text.toUpperCase() : text);
  const known = [0, 1, 2, 3].filter((at) => low[offset + at] !== undefined);
  const mask = known.reduce((sum, at) => sum | (0xff << (at * 8)), 0);
  const four = known.reduce((sum, at) => sum | ((low[offset + at] ?? 0) << (at * 8)), 0);
  return { topic, offset, four: (four | SMALL) & mask, mask, low, high, isStart, isFollowed };
}

function codesOf(text: string): Uint8Array {
  return Uint8Array.from(text, (letter) => letter.charCodeAt(0));
}

function always(): true {
  return true;
}

function holds({ low, high, isStart, isFollowed }: Trace, bytes: Uint8Array, start: number): boolean {
  if (start < 0) return false;
  for (let index = 0; index < low.length; index += 1) {
    const byte = bytes[start + index];
    if (byte !== low[index] && byte !== high[index]) return false;
  }
  if (isStart && start > 0 && isWord(bytes[start - 1] ?? 0)) return false;
  return isFollowed(bytes, start, start + low.length);
}

function isWord(code: number): boolean {
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
}
