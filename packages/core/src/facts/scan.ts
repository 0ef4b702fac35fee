import { dateAt } from './dates.ts';
import { Names } from './names.ts';
import { type Found, readRun } from './runs.ts';

/**
 * Calls back for every identifier of a text, in order. One pass over the characters; only runs that can hold an
 * identifier are looked at twice, and none longer than `LONGEST`, so the time is linear whatever the text.
 */
export function scanText(text: string, found: Found): void {
  const length = text.length;
  const names = new Names(text, found);
  let start = -1;
  let flags = 0;
  let previous = 0;
  let isMidSentence = false;
  for (let index = 0; index <= length; index += 1) {
    const code = index < length ? text.charCodeAt(index) : 32;
    const type = code < 128 ? (TYPES[code] ?? 0) : wideType(code);
    if (type !== 0) {
      if (start < 0) {
        start = index;
        flags = type === UPPER ? CAPITAL : type;
      } else flags |= type | pairFlag(previous, type);
      previous = type;
      continue;
    }
    if (start >= 0) {
      const end = previous === JOINER ? index - 1 : index;
      if ((flags & CAPITAL) !== 0 && (flags & (LOOK | UPPER)) === 0) {
        const date = dateAt(text, start, end);
        if (date === undefined) names.add(start, end, isMidSentence);
        else {
          found('date', date.start, date.end);
          index = Math.max(index, date.end) - 1;
        }
      } else if ((flags & LOOK) !== 0 || (flags & (UPPER | LOWER)) === UPPER || text.charCodeAt(start) === 45) {
        if (end - start <= LONGEST) readFlagged(text, { start, end, flags }, found);
      }
      isMidSentence = previous !== JOINER;
      start = -1;
      previous = 0;
    }
    if (code !== 32) isMidSentence = false;
  }
  names.close();
}

// Letters, digits, marks only identifiers have, and joiners that end sentences as well.
const LOWER = 1;
const UPPER = 2;
const DIGIT = 4;
const MARK = 8;
const JOINER = 16;
const DASH = 32;
const UNDERSCORE = 64;
const HUMP = 128;
const INNER = 256;
const LONG_DASH = 512;
const CAPITAL = 1024;
const LETTERS = LOWER | UPPER | CAPITAL;
const LOOK = DIGIT | MARK | UNDERSCORE | HUMP | INNER | LONG_DASH;
const LONGEST = 300;

const TYPES = /* @__PURE__ */ typeTable();

function typeTable(): Uint8Array {
  const table = new Uint8Array(128);
  for (let code = 97; code <= 122; code += 1) table[code] = LOWER;
  for (let code = 65; code <= 90; code += 1) table[code] = UPPER;
  for (let code = 48; code <= 57; code += 1) table[code] = DIGIT;
  for (const mark of '/\\@~$%#') table[mark.charCodeAt(0)] = MARK;
  for (const mark of '.:,?=&+') table[mark.charCodeAt(0)] = JOINER;
  table[45] = DASH;
  table[95] = UNDERSCORE;
  return table;
}

/** Letters of other scripts are letters; their punctuation and spaces, arrows and boxes end a run. */
function wideType(code: number): number {
  if (code < 0xc0) return code === 0xb5 ? LOWER : 0;
  return (code >= 0x2000 && code < 0x3040) || (code >= 0xff00 && code < 0xff66) ? 0 : LOWER;
}

function pairFlag(previous: number, type: number): number {
  if (type === UPPER) return previous === LOWER ? HUMP : previous === JOINER ? INNER : 0;
  if (type === LOWER) return previous === JOINER ? INNER : 0;
  return type === DASH && previous === DASH ? LONG_DASH : 0;
}

/** The commonest runs are known by their flags alone; the others are taken apart. */
function readFlagged(text: string, run: { start: number; end: number; flags: number }, found: Found): void {
  const { start, end, flags } = run;
  const marks = flags & ~(LETTERS | (text.charCodeAt(end) === 58 ? JOINER : 0));
  if (marks === HUMP && !endsLikeError(text, end)) {
    if (end - start > 3) found('symbol', start, end);
  } else if (marks === UNDERSCORE || marks === (UNDERSCORE | HUMP)) {
    if (end - start > 3) found((flags & LOWER) === 0 ? 'constant' : 'symbol', start, end);
  } else if (flags === DIGIT) {
    if (end - start > 1 && !isGutter(text, start, end)) found('number', start, end);
  } else readRun(text, { start, end }, found);
}

/** The number of a line that was read from a file. */
function isGutter(text: string, start: number, end: number): boolean {
  const next = text.charCodeAt(end);
  return next === 0x2192 || next === 0x2502 || (next === 9 && text.charCodeAt(start - 1) === 32);
}

function endsLikeError(text: string, end: number): boolean {
  const last = text.charCodeAt(end - 1);
  return last === 114 || last === 110;
}
