import { BACKSLASH, CLOSE_BRACE, CLOSE_BRACKET, OPEN_BRACE, OPEN_BRACKET, QUOTE } from './codes.ts';

/** A run of characters of a text: from, and up to but without. */
export type Span = { readonly start: number; readonly end: number };

/** Text that is no JSON, and where that was noticed. */
export class NotJson extends Error {
  override readonly name = 'NotJson';
  readonly at: number;

  constructor(at: number, what: string) {
    super(what);
    this.at = at;
  }
}

/** One member of an object: its key, decoded, and where its value stands. */
export type Member = { readonly key: string; readonly value: Span };

/** Members of an object, and where it ends. */
export type Members = { readonly members: readonly Member[]; readonly end: number };

/**
 * The members of the object that begins at the start of a text. Values are passed over, not read: strings by search, so that
 * a body of megabytes costs one quick look.
 */
export function membersOf(text: string): Members {
  const start = skipSpace(text, 0);
  expect(text, start, '{');
  const first = skipSpace(text, start + 1);
  return text[first] === '}' ? { members: [], end: first + 1 } : membersAt(text, first);
}

/** The members behind a value that ends at `from`. */
export function membersBehind(text: string, from: number): Members {
  const at = skipSpace(text, from);
  if (text[at] === '}') return { members: [], end: at + 1 };
  expect(text, at, ',');
  return membersAt(text, skipSpace(text, at + 1));
}

function membersAt(text: string, from: number): Members {
  const members: Member[] = [];
  let at = from;
  for (;;) {
    const keyEnd = skipString(text, at);
    const key = keyOf(text, { start: at, end: keyEnd });
    at = skipSpace(text, keyEnd);
    expect(text, at, ':');
    const start = skipSpace(text, at + 1);
    const end = skipValue(text, start);
    members.push({ key, value: { start, end } });
    at = skipSpace(text, end);
    if (text[at] === '}') return { members, end: at + 1 };
    expect(text, at, ',');
    at = skipSpace(text, at + 1);
  }
}

/** Where the elements of the array that begins at `from` stand. */
export function elementsOf(text: string, from: number): Elements {
  expect(text, from, '[');
  const first = skipSpace(text, from + 1);
  return text[first] === ']' ? { elements: [], end: first + 1 } : elementsAt(text, first);
}

/** Elements of an array, and where it ends. */
export type Elements = { readonly elements: readonly Span[]; readonly end: number };

/** The elements behind one that ends at `from`. */
export function elementsBehind(text: string, from: number): Elements {
  const at = skipSpace(text, from);
  if (text[at] === ']') return { elements: [], end: at + 1 };
  expect(text, at, ',');
  return elementsAt(text, skipSpace(text, at + 1));
}

function elementsAt(text: string, from: number): Elements {
  const elements: Span[] = [];
  let at = from;
  for (;;) {
    const end = skipValue(text, at);
    elements.push({ start: at, end });
    at = skipSpace(text, end);
    if (text[at] === ']') return { elements, end: at + 1 };
    expect(text, at, ',');
    at = skipSpace(text, at + 1);
  }
}

/** Throws unless nothing but white space follows. */
export function expectEnd(text: string, from: number): void {
  const at = skipSpace(text, from);
  if (at < text.length) throw new NotJson(at, 'text behind the end of the value');
}

/** The first place from `from` on that is no white space. */
export function skipSpace(text: string, from: number): number {
  let at = from;
  for (;;) {
    const code = text.charCodeAt(at);
    if (code !== 32 && code !== 10 && code !== 13 && code !== 9) return at;
    at += 1;
  }
}

/** Where the value that begins at `from` ends. */
function skipValue(text: string, from: number): number {
  const code = text.charCodeAt(from);
  if (code === QUOTE) return skipString(text, from);
  if (code === OPEN_BRACE || code === OPEN_BRACKET) return skipNested(text, from);
  let at = from;
  while (at < text.length && !ENDS.has(text.charCodeAt(at))) at += 1;
  if (at === from) throw new NotJson(at, 'a value is missing');
  return at;
}

const ENDS: ReadonlySet<number> = new Set([32, 9, 10, 13, 44, CLOSE_BRACKET, CLOSE_BRACE]);

function skipNested(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = skipString(text, at) - 1;
    else if (code === OPEN_BRACE || code === OPEN_BRACKET) depth += 1;
    else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  throw new NotJson(from, 'an object or array without an end');
}

function skipString(text: string, from: number): number {
  expect(text, from, '"');
  let at = from + 1;
  for (;;) {
    at = text.indexOf('"', at);
    if (at < 0) throw new NotJson(from, 'a string without an end');
    let slashes = 0;
    while (text.charCodeAt(at - 1 - slashes) === BACKSLASH) slashes += 1;
    if (slashes % 2 === 0) return at + 1;
    at += 1;
  }
}

function keyOf(text: string, { start, end }: Span): string {
  const written = text.slice(start + 1, end - 1);
  return written.includes('\\') ? String(parseSpan(text, { start, end })) : written;
}

/** The value of a span; throws `NotJson` where it is none. */
export function parseSpan(text: string, { start, end }: Span): unknown {
  try {
    return JSON.parse(text.slice(start, end));
  } catch {
    throw new NotJson(start, 'a value that is no JSON');
  }
}

function expect(text: string, at: number, wanted: string): void {
  if (text[at] === wanted) return;
  const found = at < text.length ? JSON.stringify(text[at]) : 'the end';
  throw new NotJson(at, `${found} where ${JSON.stringify(wanted)} belongs`);
}
