import { utf8Of } from '../model/utf8.ts';
import { buildAutomaton } from './automaton.ts';
import { CLASS, classTable } from './classes.ts';
import { TOKEN } from './costs.ts';

const CLASSES = /* @__PURE__ */ classTable();
const { next: NEXT, price: PRICE, end: END } = /* @__PURE__ */ buildAutomaton();

/**
 * Tokens of a text as o200k would count them, within a few per cent on prose, code, JSON and logs; an integer, 0 for
 * `''` and at least 1 for anything else. One pass, the same speed whatever the text.
 */
export function estimateTokens(text: string): number {
  const length = text.length;
  if (length === 0) return 0;
  const units = length < LONG ? unitsOf(text) : (asciiUnits(text) ?? unitsOf(text));
  return Math.max(1, Math.round(units / TOKEN));
}

function unitsOf(text: string): number {
  let state = 0;
  let units = 0;
  for (let index = 0; index < text.length; index += 1) {
    const step = state | (CLASSES[text.charCodeAt(index)] ?? 0);
    units += PRICE[step] ?? 0;
    state = NEXT[step] ?? 0;
  }
  return units + (END[state >> 5] ?? 0);
}

// From here on a text is worth its bytes; up to there they stay in the cache.
const LONG = 64;
const MOST = 1 << 14;

/**
 * The same sum from the bytes of an ASCII text, both halves at once: a step waits for the one before it, and meanwhile
 * the other half's is taken. Nothing where there are other characters or no place to part the text.
 */
function asciiUnits(text: string): number | undefined {
  const { length } = text;
  if (length > MOST) return undefined;
  const { bytes, length: written } = utf8Of(text);
  const seam = written === length ? seamOf(bytes, length) : -1;
  if (seam < 0) return undefined;
  const behind = length - seam - 1;
  let first = 0;
  let second: number = AFTER_SPACE;
  let units = 0;
  let index = 0;
  for (; index < behind; index += 1) {
    const step = first | (CLASSES[bytes[index] ?? 0] ?? 0);
    const other = second | (CLASSES[bytes[seam + 1 + index] ?? 0] ?? 0);
    units += (PRICE[step] ?? 0) + (PRICE[other] ?? 0);
    first = NEXT[step] ?? 0;
    second = NEXT[other] ?? 0;
  }
  for (; index < seam; index += 1) {
    const step = first | (CLASSES[bytes[index] ?? 0] ?? 0);
    units += PRICE[step] ?? 0;
    first = NEXT[step] ?? 0;
  }
  return units + (END[second >> 5] ?? 0);
}

// A space behind a small letter costs nothing and leads to the same state whatever stood in front.
const AFTER_SPACE = /* @__PURE__ */ NEXT[CLASS.space] ?? 0;
const NEAR = 32;

/** Such a space at or soon behind the middle, or -1. */
function seamOf(bytes: Uint8Array, length: number): number {
  const middle = length >> 1;
  const last = Math.min(middle + NEAR, length);
  for (let index = middle; index < last; index += 1) {
    const before = bytes[index - 1] ?? 0;
    if (bytes[index] === 0x20 && before >= 0x61 && before <= 0x7a) return index;
  }
  return -1;
}
