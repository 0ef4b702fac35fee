/** From a place on, the next one where one of some words may stand, or the end where there is none. */
export type Seek = (units: Uint16Array, from: number, end: number) => number;

/**
 * Seeks words by four characters of each, three at a time and at every other place: wherever a word stands, one of its two
 * threes is looked at, and the other one beside it then tells. Capitals count as small letters, and some marks as others;
 * `?` is any character.
 */
export function seekerOf(needles: string): Seek {
  const threes = threesOf(needles.split('|'));
  return (units, from, end) => seekIn(threes, units, { from, end });
}

function seekIn(threes: Uint8Array, units: Uint16Array, { from, end }: { from: number; end: number }): number {
  let three = units[from] ?? 0;
  for (let at = from; at < end; at += 2) {
    three = withNext(withNext(three & LETTER, units[at + 1] ?? 0), units[at + 2] ?? 0);
    if (threes[three] === 1 && isBeside(threes, units, at)) return at;
  }
  return end;
}

function isBeside(threes: Uint8Array, units: Uint16Array, at: number): boolean {
  return threes[threeAt(units, at + 1)] === 1 || (at > 0 && threes[threeAt(units, at - 1)] === 1);
}

const BITS = 5;
const LETTER = 31;

const withNext = (before: number, code: number): number => (before << BITS) | (code & LETTER);

function threeAt(units: Uint16Array, at: number): number {
  return withNext(withNext((units[at] ?? 0) & LETTER, units[at + 1] ?? 0), units[at + 2] ?? 0);
}

function threesOf(needles: readonly string[]): Uint8Array {
  const threes = new Uint8Array(1 << (3 * BITS));
  for (const needle of needles)
    for (const any of needle.includes('?') ? Array.from({ length: LETTER + 1 }, (_, code) => code) : [0]) {
      const units = Uint16Array.from(needle, (character) => (character === '?' ? any : character.charCodeAt(0)));
      threes[threeAt(units, 0)] = 1;
      threes[threeAt(units, 1)] = 1;
    }
  return threes;
}
