import {
  A_DOT,
  CAPITAL,
  CLASSES,
  DIGIT,
  FIRST_BITS,
  HUMP,
  INNER,
  LONG_DASH,
  LOWER,
  LOWER_LETTER,
  MARK,
  NONE,
  PAIR_BITS,
  SLASH,
  UNDERSCORE,
  UPPER,
} from './classes.ts';
import { dateAt, mayBeMonth } from './dates.ts';
import { Names } from './names.ts';
import { type Found, Runs } from './runs.ts';
import { giveBack, type Reading, unitsOf } from './units.ts';

/** Calls back for every identifier and name of a text, in order. */
export function scanText(text: string, found: Found): void {
  const units = unitsOf(text);
  scanReading({ text, units }, found);
  giveBack(units);
}

/** As `scanText`, of a text whose units are known. */
export function scanReading(reading: Reading, found: Found): void {
  const names = new Names(reading.text, found);
  scan(reading, found, names);
  names.close();
}

/** As `scanReading`, without names: words that only have a capital. */
export function scanIdentifiers(reading: Reading, found: Found): void {
  scan(reading, found, undefined);
}

/**
 * One pass over the characters: nearly all are small letters and what stands between words, which are passed over without
 * telling words apart. A run with anything else is looked at from its start; its bits tell nearly always what it is. Only
 * the others are looked at twice, and none longer than `LONGEST`, so the time is linear whatever the text.
 */
function scan(reading: Reading, found: Found, names: Names | undefined): void {
  const { text, units } = reading;
  const { length } = text;
  const runs = new Runs(reading, found);
  // Where the last date ended, and whether its sentence goes on behind it.
  let passed = 0;
  let isOpen = false;
  for (let index = behindPlain(units, 0); index < length; index = behindPlain(units, index)) {
    let type = CLASSES[units[index] ?? 0] ?? 0;
    if (type >= A_DOT && CLASSES[units[index + 1] ?? 0] === NONE) {
      index += 2;
      continue;
    }
    let start = index;
    while (start > passed && CLASSES[units[start - 1] ?? 0] === LOWER_LETTER) start -= 1;
    let bits = start === index ? (FIRST_BITS[type] ?? 0) : LOWER | (PAIR_BITS[(LOWER_LETTER << 4) | type] ?? 0);
    let last = type;
    for (index += 1; ; index += 1) {
      type = CLASSES[units[index] ?? 0] ?? 0;
      if (type === NONE) break;
      bits |= PAIR_BITS[(last << 4) | type] ?? 0;
      last = type;
    }
    let end = index;
    while (end > start && (CLASSES[units[end - 1] ?? 0] ?? 0) >= A_DOT) end -= 1;
    if ((bits & (CAPITAL | LOOK | UPPER)) === CAPITAL) {
      const dated = mayBeMonth(reading, start, end) ? dateAt(text, start, end) : undefined;
      if (dated !== undefined) {
        found('date', dated.start, dated.end);
        index = Math.max(index, dated.end);
        passed = index;
        isOpen = last < A_DOT;
      } else if (names !== undefined) names.add(start, end, midSentence(units, start, passed) ?? isOpen);
    } else if ((bits & LOOK) !== 0 || (bits & (UPPER | LOWER)) === UPPER || units[start] === 45) {
      if (end - start <= LONGEST) runs.read(start, end, bits);
    }
  }
}

/** Where the first character from a place on stands that is no small letter and ends no word; four at a step. */
function behindPlain(units: Uint16Array, from: number): number {
  for (let at = from; ; at += 4) {
    if ((CLASSES[units[at] ?? 0] ?? 0) > LOWER_LETTER) return at;
    if ((CLASSES[units[at + 1] ?? 0] ?? 0) > LOWER_LETTER) return at + 1;
    if ((CLASSES[units[at + 2] ?? 0] ?? 0) > LOWER_LETTER) return at + 2;
    if ((CLASSES[units[at + 3] ?? 0] ?? 0) > LOWER_LETTER) return at + 3;
  }
}

/** Whether only spaces stand between a word and another one that ends no sentence; `undefined` where nothing else does. */
function midSentence(units: Uint16Array, start: number, passed: number): boolean | undefined {
  let at = start - 1;
  while (at >= passed && units[at] === 32) at -= 1;
  if (at < passed) return undefined;
  const type = CLASSES[units[at] ?? 0] ?? 0;
  return type !== NONE && type < A_DOT;
}

const LOOK = DIGIT | MARK | SLASH | UNDERSCORE | HUMP | INNER | LONG_DASH;
const LONGEST = 300;
