/** From a place on, the next one where one of some words may stand, or the end where there is none. */
export type Seek = (units: Uint16Array, from: number, end: number) => number;

/**
 * Seeks words by five characters of each, three at a time and at every third place: wherever a word stands, one of its
 * three threes is looked at, and another one beside it then tells. Capitals count as small letters, and some marks as
 * others; `?` is any character.
 */
export function seekerOf(needles: string): Seek {
  const threes = threesOf(needles.split('|'));
  return (units, from, end) => seekIn(threes, units, { from, end });
}

function seekIn(threes: Uint8Array, units: Uint16Array, { from, end }: { from: number; end: number }): number {
  for (let at = from; at < end; at += THREE)
    if (threes[threeAt(units, at)] === 1 && isBeside(threes, units, at)) return at;
  return end;
}

function isBeside(threes: Uint8Array, units: Uint16Array, at: number): boolean {
  return threes[threeAt(units, at + 1)] === 1 || (at > 0 && threes[threeAt(units, at - 1)] === 1);
}

const THREE = 3;
const BITS = 5;
const LETTER = 31;

function threeAt(units: Uint16Array, at: number): number {
  return (
    (((units[at] ?? 0) & LETTER) << (2 * BITS)) |
    (((units[at + 1] ?? 0) & LETTER) << BITS) |
    ((units[at + 2] ?? 0) & LETTER)
  );
}

function threesOf(needles: readonly string[]): Uint8Array {
  const threes = new Uint8Array(1 << (THREE * BITS));
  for (const needle of needles)
    for (let at = 0; at < THREE; at += 1)
      for (const three of filled(needle.slice(at, at + THREE)))
        threes[
          threeAt(
            Uint16Array.from(three, (character) => character.charCodeAt(0)),
            0,
          )
        ] = 1;
  return threes;
}

/** A text with every letter for each `?`. */
function filled(text: string): readonly string[] {
  if (!text.includes('?')) return [text];
  return Array.from({ length: LETTER + 1 }, (_, code) => filled(text.replace('?', String.fromCharCode(code)))).flat();
}
