/** From a place on, the next one where one of some words may stand, or the end where there is none. */
export type Seek = (units: Uint16Array, from: number, end: number) => number;

/**
 * Seeks words by five characters of each, three at a time and at every third place: wherever a word stands, one of its
 * three threes is looked at, and the two others beside it then tell. Capitals count as small letters, and some marks as
 * others; `?` is any character.
 */
export function seekerOf(needles: string): Seek {
  const threes = threesOf(needles.split('|'));
  return (units, from, end) => seekIn(threes, units, { from, end });
}

function seekIn(threes: Threes, units: Uint16Array, { from, end }: { from: number; end: number }): number {
  for (let at = from; at < end; at += THREE) if (isThree(threes, units, at) && isWithin(threes, units, at)) return at;
  return end;
}

function isWithin(threes: Threes, units: Uint16Array, at: number): boolean {
  const isBehind = at > 0 && isThree(threes, units, at - 1);
  if (isThree(threes, units, at + 1)) return isBehind || isThree(threes, units, at + 2);
  return isBehind && at > 1 && isThree(threes, units, at - 2);
}

/** Five bits of two characters lead to the bits of all that may stand behind: it stays small enough to be near at hand. */
type Threes = Int32Array;

const THREE = 3;
const BITS = 5;
const LETTER = 31;

function isThree(threes: Threes, units: Uint16Array, at: number): boolean {
  const pair = (((units[at] ?? 0) & LETTER) << BITS) | ((units[at + 1] ?? 0) & LETTER);
  return (((threes[pair] ?? 0) >> ((units[at + 2] ?? 0) & LETTER)) & 1) === 1;
}

function threesOf(needles: readonly string[]): Threes {
  const threes = new Int32Array(1 << (2 * BITS));
  for (const needle of needles)
    for (let at = 0; at < THREE; at += 1)
      for (const three of filled(needle.slice(at, at + THREE))) {
        const [first = 0, second = 0, third = 0] = Array.from(three, (letter) => letter.charCodeAt(0) & LETTER);
        const pair = (first << BITS) | second;
        threes[pair] = (threes[pair] ?? 0) | (1 << third);
      }
  return threes;
}

/** A text with every letter for each `?`. */
function filled(text: string): readonly string[] {
  if (!text.includes('?')) return [text];
  return Array.from({ length: LETTER + 1 }, (_, code) => filled(text.replace('?', String.fromCharCode(code)))).flat();
}
