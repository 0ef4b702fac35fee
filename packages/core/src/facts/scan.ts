import {
  CAPITAL,
  CLASSES,
  DIGIT,
  FIRST_BITS,
  HUMP,
  INNER,
  JOINED,
  JOINER,
  JOINER_CLASS,
  LONG_DASH,
  LOWER,
  LOWER_LETTER,
  MARK,
  PAIR_BITS,
  UNDERSCORE,
  UPPER,
} from './classes.ts';
import { dateAt, mayBeMonth } from './dates.ts';
import { Names } from './names.ts';
import { type Found, readRun } from './runs.ts';

/** Calls back for every identifier and name of a text, in order. */
export function scanText(text: string, found: Found): void {
  const names = new Names(text, found);
  scan(text, found, names);
  names.close();
}

/** As `scanText`, without names: words that only have a capital. */
export function scanIdentifiers(text: string, found: Found): void {
  scan(text, found, undefined);
}

/**
 * One pass over the characters: nearly all runs are plain words, which their bits tell. Only the others are looked at
 * twice, and none longer than `LONGEST`, so the time is linear whatever the text.
 */
function scan(text: string, found: Found, names: Names | undefined): void {
  const { length } = text;
  let isMidSentence = false;
  for (let index = 0; index < length; ) {
    const code = text.charCodeAt(index);
    let type = CLASSES[code] ?? 0;
    if (type === 0) {
      if (code !== 32) isMidSentence = false;
      index += 1;
      continue;
    }
    const start = index;
    let bits = FIRST_BITS[type] ?? 0;
    let last = type;
    for (index += 1; index < length; index += 1) {
      const next = text.charCodeAt(index);
      // Most characters are small letters behind one.
      if (last === LOWER_LETTER && next >= 97 && next <= 122) continue;
      type = CLASSES[next] ?? 0;
      if (type === 0) break;
      bits |= PAIR_BITS[(last << 4) | type] ?? 0;
      last = type;
    }
    if (bits !== LOWER) {
      let end = index;
      while (end > start && CLASSES[text.charCodeAt(end - 1)] === JOINER_CLASS) end -= 1;
      if ((bits & (CAPITAL | LOOK | UPPER)) === CAPITAL) {
        const date = mayBeMonth(text, start, end) ? dateAt(text, start, end) : undefined;
        if (date !== undefined) {
          found('date', date.start, date.end);
          index = Math.max(index, date.end);
        } else if (names !== undefined) names.add(start, end, isMidSentence);
      } else if ((bits & LOOK) !== 0 || (bits & (UPPER | LOWER)) === UPPER || text.charCodeAt(start) === 45) {
        if (end - start <= LONGEST) readFlagged(text, { start, end, bits }, found);
      }
    }
    isMidSentence = last !== JOINER_CLASS;
  }
}

const LETTERS = LOWER | UPPER | CAPITAL;
const LOOK = DIGIT | MARK | UNDERSCORE | HUMP | INNER | LONG_DASH;
const LONGEST = 300;

/** The commonest runs are known by their bits alone; the others are taken apart. */
function readFlagged(text: string, run: { start: number; end: number; bits: number }, found: Found): void {
  const { start, end, bits } = run;
  if (end - start < 2) return;
  const marks = bits & ~((bits & JOINED) === 0 ? LETTERS | JOINER : LETTERS);
  if (marks === HUMP && !endsLikeError(text, end)) {
    if (end - start > 3) found('symbol', start, end);
  } else if (marks === UNDERSCORE || marks === (UNDERSCORE | HUMP)) {
    if (end - start > 3) found((bits & LOWER) === 0 ? 'constant' : 'symbol', start, end);
  } else if (marks === DIGIT && (bits & LETTERS) === 0) {
    if (!isGutter(text, start, end)) found('number', start, end);
  } else readRun(text, run, found);
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
