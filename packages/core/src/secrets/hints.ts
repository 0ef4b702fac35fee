import { type Utf8, utf8Of } from '../model/text.ts';

/** A text that is worth a closer look at, and what for. It is ASCII, of three characters or more. */
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

/** Tells the topics whose hints a text holds, in one pass over its bytes whatever the number of hints. */
export function createHintFinder(hints: readonly Hint[]): (text: string) => ReadonlySet<number> {
  const traces = tracesOf(hints);
  // Nearly all places are told by one look-up in bytes.
  const isWorth = Uint8Array.from(traces, (found) => (found === undefined ? 0 : 1));
  const look = (bytes: Uint8Array, at: number, topics: number[]): void => {
    const found = traces[placeOf(bytes, at)];
    if (found === undefined) return;
    for (const trace of found) if (holds(trace, bytes, at - trace.offset)) topics.push(trace.topic);
  };
  const scan = ({ bytes, words, length }: Utf8, topics: number[]): void => {
    const last = (length + 3) >> 2;
    let word = words[0] ?? 0;
    for (let index = 1; index <= last; index += 1) {
      const next = words[index] ?? 0;
      const first = isWorth[place(word)] ?? 0;
      const second = isWorth[place((word >>> 16) | (next << 16))] ?? 0;
      if (first !== 0) look(bytes, index * 4 - 4, topics);
      if (second !== 0) look(bytes, index * 4 - 2, topics);
      word = next;
    }
  };
  return (text) => {
    const topics: number[] = [];
    // A megabyte goes through a small buffer; what lies across a seam is in both pieces.
    for (let from = 0; from < text.length; from += PIECE) {
      scan(utf8Of(text.length <= PIECE ? text : text.slice(Math.max(from - SEAM, 0), from + PIECE)), topics);
    }
    return topics.length === 0 ? NONE : new Set(topics);
  };
}

const PIECE = 1 << 14;
const SEAM = 128;
const NONE: ReadonlySet<number> = /* @__PURE__ */ new Set<number>();

/** Three bytes of a hint, at its start or behind its first: every second place of a text is looked at. */
type Trace = Required<Hint> & { readonly offset: 0 | 1; readonly low: Uint8Array; readonly high: Uint8Array };

const PLACES = 1 << 15;

/** Where three bytes are looked up: by five bits of each, in which capitals and small letters are one. */
function place(three: number): number {
  return Math.imul(three & 0x1f1f1f, 0x9e3779b1) >>> 17;
}

function placeOf(bytes: ArrayLike<number>, at: number): number {
  return place((bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16));
}

function tracesOf(hints: readonly Hint[]): readonly (readonly Trace[] | undefined)[] {
  const traces: (Trace[] | undefined)[] = Array.from({ length: PLACES }, () => undefined);
  const add = (at: number, trace: Trace): void => {
    traces[at] = [...(traces[at] ?? []), trace];
  };
  for (const hint of hints) {
    const low = codesOf(hint.isFolded ? hint.text.toLowerCase() : hint.text);
    const high = codesOf(hint.isFolded ? hint.text.toUpperCase() : hint.text);
    const known = { ...hint, isFollowed: hint.isFollowed ?? always, low, high };
    add(placeOf(low, 0), { ...known, offset: 0 });
    // What follows a hint of three may be anything.
    const ends = low.length > 3 ? [low[3] ?? 0] : Array.from({ length: 32 }, (_, code) => code);
    for (const end of new Set(ends)) add(placeOf([low[1] ?? 0, low[2] ?? 0, end], 0), { ...known, offset: 1 });
  }
  return traces;
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
