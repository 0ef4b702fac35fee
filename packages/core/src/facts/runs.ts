import type { FactKind } from '../model/facts.ts';
import { bitsOf, CAPITAL, JOINED, MARK, UNSPACED, UPPER } from './classes.ts';
import { kindAt, kindBy, type Run } from './kinds.ts';

/** A stretch of a text, end exclusive. */
export type Span = { readonly start: number; readonly end: number };

/** Told of every identifier: its kind and where it stands, end exclusive. */
export type Found = (kind: FactKind, start: number, end: number) => void;

/** Splits a run without spaces, of which `bits` tell what it holds, into its identifiers. */
export function readRun(text: string, run: Run, found: Found): void {
  const { start, end, bits } = run;
  // Addresses and drives have a mark, dates and amounts begin with a digit.
  const mayBeWhole = (bits & MARK) !== 0 || isDigit(text.charCodeAt(start));
  if (mayBeWhole && readWhole(text, run, found)) return;
  if ((bits & (JOINED | MARK)) === 0) {
    readPiece(text, { start, end, bits: (bits & CAPITAL) === 0 ? bits : bits | UPPER }, found);
    return;
  }
  let from = start;
  for (let index = start; index <= end; index += 1) {
    if (index < end && SEPARATORS[text.charCodeAt(index)] !== 1) continue;
    if (index - from > 1) readPiece(text, { start: from, end: index, bits: bitsOf(text, from, index) }, found);
    from = index + 1;
  }
}

function readWhole(text: string, { start, end, bits }: Run, found: Found): boolean {
  const whole = text.slice(start, end);
  const scheme = (bits & JOINED) !== 0 && whole.includes('://') ? whole.search(SCHEME) : -1;
  const kind = scheme >= 0 ? 'url' : wholeKind(whole);
  // A time of day behind a date is no part of it.
  if (kind !== undefined)
    found(kind, start + Math.max(scheme, 0), kind === 'date' && whole.length > 10 ? start + 10 : end);
  return kind !== undefined;
}

function wholeKind(run: string): FactKind | undefined {
  const first = run.charCodeAt(0);
  const isNumeric = isDigit(first) || first === 35 || first === 36;
  if (!isNumeric)
    return run.charCodeAt(1) === 58 && DRIVE.test(run) ? 'path' : run.includes('@') ? kindAround(run) : undefined;
  if (DATE.test(run)) return 'date';
  return AMOUNT.test(run) ? 'number' : undefined;
}

/** `name@1.2.3` is a version, `ann@example.org` an address. */
function kindAround(run: string): FactKind | undefined {
  return PINNED.test(run) ? 'version' : ADDRESS.test(run) ? 'id' : undefined;
}

const PINNED = /^@?[\w./-]{1,100}@[\^~]?\d[\w.-]*$/;
const ADDRESS = /^[\w.+-]{1,100}@[\w-]{1,100}\.[\w.-]*\w$/;
const SCHEME = /[a-z]+:\/\//;
const DATE = /^(?:\d{4}-\d\d-\d\d(?=$|T)|\d{1,2}[./]\d{1,2}[./]\d{4}$|\d{1,2}:\d\d(?::\d\d)?$|\d{1,2}h\d\d$)/;
const AMOUNT = /^[$#]?\d{1,3}(?:,\d{3})+(?:\.\d+)?%?$/;
const DRIVE = /^[A-Za-z]:\\\w/;
// `\n` and `\t` of an escaped text are separators, as are a line number behind a path and an assignment.
const SEPARATORS = /* @__PURE__ */ Uint8Array.from({ length: 0x10000 }, (_, code) =>
  code < 128 && ':=&?,\\+'.includes(String.fromCharCode(code)) ? 1 : 0,
);

function readPiece(text: string, span: Run, found: Found): void {
  let { start, end } = span;
  while (end > start && isEdge(text.charCodeAt(end - 1))) end -= 1;
  if (text.charCodeAt(start) === 46 && text.startsWith('...', start)) start += 3;
  if ((span.bits & UNSPACED) !== 0 && WIDE.test(text.slice(start, end))) {
    readMixed(text, { start, end }, found);
    return;
  }
  const isWhole = end === span.end && start === span.start;
  const kind = isWhole ? kindBy(text, span) : kindAt(text, start, end);
  if (kind === undefined) return;
  if (kind === 'symbol' && (span.bits & JOINED) !== 0) readMembers(text, { start, end }, found);
  else found(kind, start, end);
}

/** `object.memberName` is known by its members; the object is often a plain word. */
function readMembers(text: string, { start, end }: Span, found: Found): void {
  let from = start;
  let hasMember = false;
  for (let index = start; index <= end; index += 1) {
    if (index < end && text.charCodeAt(index) !== 46) continue;
    const kind = kindAt(text, from, index);
    if (kind !== undefined) found(kind, from, index);
    hasMember ||= kind !== undefined;
    from = index + 1;
  }
  if (!hasMember) found('symbol', start, end);
}

/** Scripts without spaces stand against an identifier with nothing between: the Latin part is taken out. */
function readMixed(text: string, { start, end }: Span, found: Found): void {
  const value = text.slice(start, end);
  if (value.includes('/')) {
    const from = /^[\u3040-\u9fff\uac00-\ud7af]+(?=[\w.@~-]+\/)/.exec(value)?.[0].length ?? 0;
    const rest = value.slice(from);
    const to = /\.[a-z]{1,5}(?=[\u3040-\u9fff\uac00-\ud7af]+$)/.exec(rest);
    found('path', start + from, to === null ? end : start + from + to.index + to[0].length);
    return;
  }
  for (const { 0: piece, index } of value.matchAll(/[\w.@$#%-]{2,}/g)) {
    const from = start + index;
    const kind = kindAt(text, from, from + piece.length);
    if (kind !== undefined) found(kind, from, from + piece.length);
  }
}

const WIDE = /[\u3040-\u9fff\uac00-\ud7af]/;

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

function isEdge(code: number): boolean {
  return code === 46 || code === 45 || code === 47;
}
