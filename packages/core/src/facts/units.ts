import { type Utf8, utf8Of } from '../model/utf8.ts';

/** A text and its UTF-16 units. */
export type Reading = { readonly text: string; readonly units: Uint16Array };

/**
 * The UTF-16 units of a text, to be given back with `giveBack`: an array of numbers is gone through several times faster
 * than a text. A zero stands behind the text's end, and behind that a capital, where every search for one ends.
 */
export function unitsOf(text: string): Uint16Array {
  const { length } = text;
  const units = spare.length > length + 1 ? spare : new Uint16Array(Math.max(length + STEP, KEPT));
  // Whoever asks before it is given back gets another one.
  spare = NONE;
  if (length < LONG || !fillBytes(units, text)) fillUnits(units, text);
  units[length] = 0;
  units[length + 1] = 65;
  return units;
}

/** Leaves an array to the next text. */
export function giveBack(units: Uint16Array): void {
  if (units.length === KEPT) spare = units;
}

function fillUnits(units: Uint16Array, text: string): void {
  for (let index = 0; index < text.length; index += 1) units[index] = text.charCodeAt(index);
}

function fillBytes(units: Uint16Array, text: string): boolean {
  const utf8 = utf8Of(text);
  if (utf8.length !== text.length) return fillDecoded(units, utf8);
  units.set(utf8.bytes.subarray(0, utf8.length));
  return true;
}

/** False where the bytes do not say what the text is: UTF-8 writes a lone surrogate as if it were U+FFFD. */
function fillDecoded(units: Uint16Array, { bytes, words, length }: Utf8): boolean {
  let at = 0;
  for (let index = 0; index < length; ) {
    // Nearly all is ASCII.
    if ((index & (STEP - 1)) === 0) {
      const plain = fillPlain(units, at, { words, from: index >> 2, end: (length + STEP - 1) >> 2 });
      at += plain;
      index += plain;
      if (index >= length) break;
    }
    const first = bytes[index] ?? 0;
    const size = sizeOf(first);
    let code = size === 1 ? first : first & (0xff >> (size + 1));
    for (let next = 1; next < size; next += 1) code = (code << 6) | ((bytes[index + next] ?? 0) & 0x3f);
    if (code === REPLACEMENT) return false;
    index += size;
    if (size === 4) {
      units[at] = 0xd7c0 + (code >> 10);
      at += 1;
      code = 0xdc00 | (code & 0x3ff);
    }
    units[at] = code;
    at += 1;
  }
  return true;
}

type Stretch = { readonly words: Int32Array; readonly from: number; readonly end: number };

/** Fills in words of ASCII up to the first that is none; how many characters these were. */
function fillPlain(units: Uint16Array, start: number, { words, from, end }: Stretch): number {
  let at = start;
  for (let index = from; index < end; index += 1) {
    const word = words[index] ?? 0;
    if ((word & BEYOND) !== 0) break;
    units[at] = word & 0x7f;
    units[at + 1] = (word >> 8) & 0x7f;
    units[at + 2] = (word >> 16) & 0x7f;
    units[at + 3] = word >> 24;
    at += STEP;
  }
  return at - start;
}

function sizeOf(first: number): number {
  if (first < 0x80) return 1;
  return first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

const REPLACEMENT = 0xfffd;
/** Bytes of a word, and the bits that none of them has in ASCII. */
const STEP = 4;
const BEYOND = 0x80808080 | 0;
// Whoever asks for bytes pays for the call, as much as for so many characters one by one.
const LONG = 192;
// Nearly all texts are shorter; a longer one has an array of its own.
const KEPT = 1 << 18;
const NONE = /* @__PURE__ */ new Uint16Array(0);
let spare: Uint16Array = NONE;
