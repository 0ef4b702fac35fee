import { utf8Of } from '../model/text.ts';

/** A text and its UTF-16 units. */
export type Reading = { readonly text: string; readonly units: Uint16Array };

/**
 * The UTF-16 units of a text, to be given back with `giveBack`: an array of numbers is gone through several times faster
 * than a text. A zero stands behind the text's end.
 */
export function unitsOf(text: string): Uint16Array {
  const { length } = text;
  const units = spare.length > length ? spare : new Uint16Array(Math.max(length + 1, KEPT));
  // Whoever asks before it is given back gets another one.
  spare = NONE;
  // UTF-8 has no lone surrogates.
  if (length >= LONG && text.isWellFormed()) fillBytes(units, text);
  else for (let index = 0; index < length; index += 1) units[index] = text.charCodeAt(index);
  units[length] = 0;
  return units;
}

/** Leaves an array to the next text. */
export function giveBack(units: Uint16Array): void {
  if (units.length === KEPT) spare = units;
}

function fillBytes(units: Uint16Array, text: string): void {
  const { bytes, length } = utf8Of(text);
  if (length === text.length) {
    units.set(bytes.subarray(0, length));
    return;
  }
  let at = 0;
  for (let index = 0; index < length; at += 1) {
    const first = bytes[index] ?? 0;
    if (first < 0x80) {
      units[at] = first;
      index += 1;
      continue;
    }
    const size = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    let code = first & (0xff >> (size + 1));
    for (let next = 1; next < size; next += 1) code = (code << 6) | ((bytes[index + next] ?? 0) & 0x3f);
    index += size;
    if (size === 4) {
      units[at] = 0xd7c0 + (code >> 10);
      at += 1;
      code = 0xdc00 | (code & 0x3ff);
    }
    units[at] = code;
  }
}

const LONG = 64;
// Nearly all texts are shorter; a longer one has an array of its own.
const KEPT = 1 << 18;
const NONE = /* @__PURE__ */ new Uint16Array(0);
let spare: Uint16Array = NONE;
