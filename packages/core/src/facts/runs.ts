import type { FactKind } from '../model/facts.ts';
import {
  A_BACKSLASH,
  A_SEPARATOR,
  bitsOf,
  CAPITAL,
  CLASSES,
  DASH,
  DIGIT,
  HUMP,
  JOINED,
  JOINED_SLASH,
  JOINER,
  LOWER,
  MARK,
  NONE,
  PAIR_BITS,
  PARTED,
  SLASH,
  UNDERSCORE,
  UNSPACED,
  UPPER,
} from './classes.ts';
import { endsLikeError, isFlag, kindOfWord, kindWithDigits, NAMING, type Word } from './kinds.ts';
import type { Reading } from './units.ts';

/** A stretch of a text, end exclusive. */
export type Span = { readonly start: number; readonly end: number };

/** Told of every identifier: its kind and where it stands, end exclusive. */
export type Found = (kind: FactKind, start: number, end: number) => void;

/** Takes runs of a text without spaces apart into their identifiers. */
export class Runs {
  readonly #text: string;
  readonly #units: Uint16Array;
  readonly #found: Found;
  // One for all words: there are many thousands.
  readonly #word: Word;

  constructor({ text, units }: Reading, found: Found) {
    this.#text = text;
    this.#units = units;
    this.#found = found;
    this.#word = { text, units, start: 0, end: 0 };
  }

  /** Reads a run by the bits of what it holds: the commonest are known by them alone. */
  read(start: number, end: number, bits: number): void {
    if (end - start < 2 || (bits & WORDLIKE) === 0) return;
    const units = this.#units;
    const marks = bits & ~((bits & JOINED) === 0 ? LETTERS | JOINER | PARTED : LETTERS);
    // Of words in capitals only errnos are told.
    if (marks === 0 && units[start] !== 69) return;
    if (marks === HUMP && !endsLikeError(units, end)) {
      if (end - start > 3) this.#found('symbol', start, end);
    } else if (marks === UNDERSCORE || marks === (UNDERSCORE | HUMP)) {
      if (end - start > 3) this.#found((bits & LOWER) === 0 ? 'constant' : 'symbol', start, end);
    } else if (marks === DIGIT && (bits & LETTERS) === 0) {
      if (!isGutter(units, start, end)) this.#found('number', start, end);
    } else this.#takeApart(start, end, bits);
  }

  #takeApart(start: number, end: number, bits: number): void {
    // Addresses and drives have a mark, dates and amounts begin with a digit.
    const mayBeWhole = (bits & (MARK | JOINED_SLASH)) !== 0 || isDigit(this.#units[start] ?? 0);
    if (mayBeWhole && this.#readWhole(start, end, bits)) return;
    const isPlain = (bits & (JOINED | MARK | SLASH)) === 0;
    if (!isPlain && (bits & PARTED) !== 0) {
      this.#readPieces(start, end);
      return;
    }
    // A joiner that only ends the run is no part of a path.
    const own = bits & ~((bits & JOINED) !== 0 || isPlain ? PARTED : PARTED | JOINER);
    this.#readPiece(start, end, (bits & CAPITAL) === 0 ? own : own | UPPER);
  }

  #readPieces(start: number, end: number): void {
    const units = this.#units;
    let from = start;
    let previous = NONE;
    let held = 0;
    for (let index = start; index < end; index += 1) {
      const type = CLASSES[units[index] ?? 0] ?? NONE;
      if (type === A_SEPARATOR || type === A_BACKSLASH) {
        if (index - from > 1) this.#readPiece(from, index, held);
        from = index + 1;
        previous = NONE;
        held = 0;
      } else {
        held |= PAIR_BITS[(previous << 4) | type] ?? 0;
        previous = type;
      }
    }
    if (end - from > 1) this.#readPiece(from, end, held);
  }

  #readWhole(start: number, end: number, bits: number): boolean {
    const whole = this.#text.slice(start, end);
    const scheme = (bits & JOINED_SLASH) !== 0 && whole.includes('://') ? whole.search(SCHEME) : -1;
    const kind = scheme >= 0 ? 'url' : wholeKind(whole, bits);
    // A time of day behind a date is no part of it.
    if (kind !== undefined)
      this.#found(kind, start + Math.max(scheme, 0), kind === 'date' && whole.length > 10 ? start + 10 : end);
    return kind !== undefined;
  }

  #readPiece(first: number, behind: number, bits: number): void {
    const units = this.#units;
    let start = first;
    let end = behind;
    while (end > start && isEdge(units[end - 1] ?? 0)) end -= 1;
    if (units[start] === DOT && units[start + 1] === DOT && units[start + 2] === DOT) start += 3;
    if ((bits & UNSPACED) !== 0 && WIDE.test(this.#text.slice(start, end))) {
      this.#readMixed(start, end);
      return;
    }
    const isWhole = end === behind && start === first;
    const kind = this.#kindBy(start, end, isWhole ? bits : bitsOf(units, start, end));
    if (kind === undefined) return;
    if (kind === 'symbol' && (bits & JOINED) !== 0) this.#readMembers(start, end);
    else this.#found(kind, start, end);
  }

  /** What a part of a run is by its bits, which spare it most of the patterns; `undefined` for a plain word. */
  #kindBy(start: number, end: number, bits: number): FactKind | undefined {
    const length = end - start;
    if (length < 2) return undefined;
    const word = this.#word;
    word.start = start;
    word.end = end;
    if (this.#units[start] === 45 && isFlag(word)) return 'flag';
    if ((bits & SLASH) !== 0) return length > 4 && (bits & (LOWER | UPPER)) !== 0 ? 'path' : undefined;
    if ((bits & DIGIT) !== 0) return bits === DIGIT ? 'number' : kindWithDigits(word, bits);
    return length < 4 || (bits & NAMING) === 0 ? undefined : kindOfWord(word, bits);
  }

  /** `object.memberName` is known by its members; the object is often a plain word. */
  #readMembers(start: number, end: number): void {
    const units = this.#units;
    let from = start;
    let previous = NONE;
    let bits = 0;
    let hasMember = false;
    for (let index = start; index <= end; index += 1) {
      const code = index < end ? (units[index] ?? 0) : DOT;
      if (code !== DOT) {
        const type = CLASSES[code] ?? NONE;
        bits |= PAIR_BITS[(previous << 4) | type] ?? 0;
        previous = type;
        continue;
      }
      const kind = this.#kindBy(from, index, bits);
      if (kind !== undefined) this.#found(kind, from, index);
      hasMember ||= kind !== undefined;
      from = index + 1;
      previous = NONE;
      bits = 0;
    }
    if (!hasMember) this.#found('symbol', start, end);
  }

  /** Scripts without spaces stand against an identifier with nothing between: the Latin part is taken out. */
  #readMixed(start: number, end: number): void {
    const value = this.#text.slice(start, end);
    if (value.includes('/')) {
      const from = /^[\u3040-\u9fff\uac00-\ud7af]+(?=[\w.@~-]+\/)/.exec(value)?.[0].length ?? 0;
      const rest = value.slice(from);
      const to = /\.[a-z]{1,5}(?=[\u3040-\u9fff\uac00-\ud7af]+$)/.exec(rest);
      this.#found('path', start + from, to === null ? end : start + from + to.index + to[0].length);
      return;
    }
    for (const { 0: piece, index } of value.matchAll(/[\w.@$#%-]{2,}/g)) {
      const from = start + index;
      const behind = from + piece.length;
      const kind = this.#kindBy(from, behind, bitsOf(this.#units, from, behind));
      if (kind !== undefined) this.#found(kind, from, behind);
    }
  }
}

const LETTERS = LOWER | UPPER | CAPITAL;
// Without any of these a run is a rule, a comment's slashes or other marks.
const WORDLIKE = LETTERS | DIGIT | UNDERSCORE;

/** The number of a line that was read from a file. */
function isGutter(units: Uint16Array, start: number, end: number): boolean {
  const next = units[end];
  return next === 0x2192 || next === 0x2502 || (next === 9 && start > 0 && units[start - 1] === 32);
}

function wholeKind(run: string, bits: number): FactKind | undefined {
  const first = run.charCodeAt(0);
  const isNumeric = isDigit(first) || first === 35 || first === 36;
  if (!isNumeric)
    return run.charCodeAt(1) === 58 && DRIVE.test(run) ? 'path' : run.includes('@') ? kindAround(run) : undefined;
  if (((bits & DATED) !== 0 || run.length < 6) && DATE.test(run)) return 'date';
  return (bits & JOINED) !== 0 && AMOUNT.test(run) ? 'number' : undefined;
}

/** `name@1.2.3` is a version, `ann@example.org` an address. */
function kindAround(run: string): FactKind | undefined {
  return PINNED.test(run) ? 'version' : ADDRESS.test(run) ? 'id' : undefined;
}

const PINNED = /^@?[\w./-]{1,100}@[\^~]?\d[\w.-]*$/;
const ADDRESS = /^[\w.+-]{1,100}@[\w-]{1,100}\.[\w.-]*\w$/;
const SCHEME = /[a-z]+:\/\//;
const DATED = DASH | JOINER | SLASH;
const DATE = /^(?:\d{4}-\d\d-\d\d(?=$|T)|\d{1,2}[./]\d{1,2}[./]\d{4}$|\d{1,2}:\d\d(?::\d\d)?$|\d{1,2}h\d\d$)/;
const AMOUNT = /^[$#]?\d{1,3}(?:,\d{3})+(?:\.\d+)?%?$/;
const DRIVE = /^[A-Za-z]:\\\w/;
const DOT = 46;
const WIDE = /[\u3040-\u9fff\uac00-\ud7af]/;

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

function isEdge(code: number): boolean {
  return code === 46 || code === 45 || code === 47;
}
