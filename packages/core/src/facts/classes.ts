/** Classes of characters: what the scan of a text tells apart. `NONE` ends a run. */
export const NONE = 0;
export const LOWER_LETTER = 1;
const UPPER_LETTER = 2;
const A_DIGIT = 3;
const A_MARK = 4;
const A_SLASH = 5;
const A_DASH = 6;
const AN_UNDERSCORE = 7;
/** A letter of a script that is written without spaces. */
const UNSPACED_LETTER = 8;
/** A mark that takes a run apart: `\n` and `\t` of an escaped text. */
export const A_BACKSLASH = 9;
/** From here on marks that also end sentences and clauses; a run does not end with one. */
export const A_DOT = 10;
/** They take a run apart: a line number behind a path, an assignment. */
export const A_SEPARATOR = 11;
const MOST_CLASSES = 16;

/** What a run of characters holds, as bits. */
export const LOWER = 1;
export const UPPER = 2;
export const DIGIT = 4;
export const MARK = 8;
export const SLASH = 16;
export const JOINER = 32;
export const DASH = 64;
export const UNDERSCORE = 128;
export const UNSPACED = 256;
/** A capital behind a small letter. */
export const HUMP = 512;
/** A letter behind a joiner. */
export const INNER = 1024;
export const LONG_DASH = 2048;
/** The first character is a capital; `UPPER` then means another one. */
export const CAPITAL = 4096;
/** A digit behind a letter, or a capital behind a digit. */
export const TURN = 8192;
/** Something else behind a joiner: it does not only end the run. */
export const JOINED = 16384;

/** A slash behind a joiner, as in `https://`. */
export const JOINED_SLASH = 32768;

/** Something that takes the run apart, and does not only end it. */
export const PARTED = 65536;

const BITS = [0, LOWER, UPPER, DIGIT, MARK, SLASH, DASH, UNDERSCORE, LOWER | UNSPACED, MARK | PARTED, JOINER, JOINER];

/** The class of each UTF-16 code unit. */
export const CLASSES: Uint8Array = /* @__PURE__ */ classTable();

/** Bits of a run by the class of its first character. */
export const FIRST_BITS: Int32Array = /* @__PURE__ */ Int32Array.from({ length: MOST_CLASSES }, (_, type) =>
  type === UPPER_LETTER ? CAPITAL : bitOf(type),
);

/** Bits that a character adds, by the class in front of it and its own: `previous << 4 | next`. */
export const PAIR_BITS: Int32Array = /* @__PURE__ */ Int32Array.from(
  { length: MOST_CLASSES * MOST_CLASSES },
  (_, pair) => bitOf(pair & 15) | pairBits(pair >> 4, pair & 15),
);

/** Bits of a part of a run. */
export function bitsOf(units: Uint16Array, start: number, end: number): number {
  let previous = CLASSES[units[start] ?? 0] ?? NONE;
  let bits = bitOf(previous);
  for (let index = start + 1; index < end; index += 1) {
    const next = CLASSES[units[index] ?? 0] ?? NONE;
    bits |= PAIR_BITS[(previous << 4) | next] ?? 0;
    previous = next;
  }
  return bits;
}

function bitOf(type: number): number {
  return BITS[type] ?? 0;
}

function pairBits(previous: number, next: number): number {
  const isLetter = next === LOWER_LETTER || next === UPPER_LETTER || next === UNSPACED_LETTER;
  if (previous >= A_DOT && next < A_DOT) {
    const joined = previous === A_SEPARATOR ? JOINED | PARTED : JOINED;
    return isLetter ? INNER | joined : next === A_SLASH ? joined | JOINED_SLASH : joined;
  }
  if (previous === A_SEPARATOR) return next === A_DOT ? PARTED : 0;
  if (next === UPPER_LETTER) return previous === LOWER_LETTER ? HUMP : previous === A_DIGIT ? TURN : 0;
  if (next === A_DIGIT) return previous === LOWER_LETTER || previous === UPPER_LETTER ? TURN : 0;
  return next === A_DASH && previous === A_DASH ? LONG_DASH : 0;
}

function classTable(): Uint8Array {
  const table = new Uint8Array(0x10000).fill(LOWER_LETTER, 0xc0);
  // Punctuation and spaces of other scripts, arrows and boxes end a run.
  table.fill(NONE, 0x2000, 0x3040).fill(NONE, 0xff00, 0xff66);
  table.fill(UNSPACED_LETTER, 0x3040, 0xa000).fill(UNSPACED_LETTER, 0xac00, 0xd7b0);
  table[0xb5] = LOWER_LETTER;
  table[0xd7] = NONE;
  table[0xf7] = NONE;
  table.fill(LOWER_LETTER, 97, 123).fill(UPPER_LETTER, 65, 91).fill(A_DIGIT, 48, 58);
  for (const mark of '@~$%#') table[mark.charCodeAt(0)] = A_MARK;
  for (const mark of ':,?=&+') table[mark.charCodeAt(0)] = A_SEPARATOR;
  table[46] = A_DOT;
  table[92] = A_BACKSLASH;
  table[47] = A_SLASH;
  table[45] = A_DASH;
  table[95] = AN_UNDERSCORE;
  return table;
}
