import { isUtf8 } from 'node:buffer';
import { pointerAt } from '../json/pointer.ts';
import type { Refusal } from '../model/call.ts';

const QUOTE = 34;
const BACKSLASH = 92;
const COLON = 58;
const COMMA = 44;

/**
 * What is wrong with the bytes of a JSON body before anybody reads it: encoding, depth, keys twice, fields that name an address. What was
 * checked before, up to the end of an element of a list in the body, is not checked again.
 */
export function jsonProblem(bytes: Buffer, deepest: number, checked = 0): Refusal | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) {
    return invalid('starts with a byte order mark, at byte 0; send it without');
  }
  if (!isUtf8(bytes.subarray(checked))) {
    const bad = firstBadByte(bytes);
    return invalid(`is not valid UTF-8 at byte ${bad}${within(bytes, bad)}`);
  }
  const lone = loneSurrogate(bytes, checked);
  if (lone >= 0)
    return invalid(`holds half of a surrogate pair at byte ${lone}${within(bytes, lone)}; it is no character`);
  return nestingProblem(bytes, deepest, checked);
}

function invalid(what: string): Refusal {
  return { status: 400, code: 'invalid-body', message: `The body ${what}.` };
}

/** The value a byte belongs to, as a JSON pointer; nothing for the body itself. */
function within(bytes: Buffer, at: number): string {
  const before = bytes.toString('utf8', 0, at);
  const pointer = pointerAt(before, before.length);
  return pointer === '' ? '' : `, in ${pointer}`;
}

/** The first byte that belongs to no character. */
function firstBadByte(bytes: Buffer): number {
  let [good, bad] = [0, bytes.length];
  // What comes before the fault is valid up to a cut character of at most three bytes.
  while (bad - good > 8) {
    const middle = (good + bad) >> 1;
    if (isValidStart(bytes, middle)) good = middle;
    else bad = middle;
  }
  for (let end = Math.max(0, good - 4); end < bytes.length; end += 1) {
    if (!isValidStart(bytes, end + 1)) return end;
  }
  return bytes.length;
}

function isValidStart(bytes: Buffer, length: number): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(0, length), { stream: true });
    return true;
  } catch {
    return false;
  }
}

/** Where an escape such as `\ud83d` stands without its other half; -1 where none does. */
function loneSurrogate(bytes: Buffer, from: number): number {
  let at = bytes.indexOf('\\u', from);
  while (at >= 0) {
    const isEscape = slashesBefore(bytes, at) % 2 === 0;
    const code = isEscape ? codeAt(bytes, at) : 0;
    if (code >= 0xdc00 && code <= 0xdfff) return at;
    if (code >= 0xd800 && code <= 0xdbff) {
      const next = bytes[at + 6] === BACKSLASH ? codeAt(bytes, at + 6) : 0;
      if (next < 0xdc00 || next > 0xdfff) return at;
      at += 6;
    }
    at = bytes.indexOf('\\u', at + (isEscape ? 6 : 1));
  }
  return -1;
}

function codeAt(bytes: Buffer, at: number): number {
  return Number.parseInt(bytes.toString('latin1', at + 2, at + 6), 16);
}

function slashesBefore(bytes: Buffer, at: number): number {
  let count = 0;
  while (bytes[at - 1 - count] === BACKSLASH) count += 1;
  return count;
}

// Where a request goes is the configuration's business alone.
const ADDRESS_FIELDS: ReadonlySet<string> = new Set([
  'base_url',
  'api_base',
  'baseurl',
  'apibase',
  'api_url',
  'custom_host',
]);

/** An object or a list that is open at a place: how many entries it has so far, their keys, and the latest of them. */
type Level = { readonly keys?: Set<string>; entries: number; latest?: string };

// More messages than any provider takes; each costs far more memory here than the two bytes it takes to write one.
const MOST_ENTRIES = 100_000;

function nestingProblem(bytes: Buffer, deepest: number, from: number): Refusal | undefined {
  // In the list, in the body; whoever reads its members sees those in front of the list and behind it.
  const open: Level[] = from === 0 ? [] : [{ keys: new Set(), entries: 0 }, { entries: 0 }];
  for (let at = from; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) {
      const end = endOfString(bytes, at);
      const problem = keyProblem(bytes, { start: at, end }, open);
      if (problem !== undefined) return problem;
      at = end;
    } else if (byte === 123 || byte === 91) {
      open.push(byte === 123 ? { keys: new Set(), entries: 0 } : { entries: 0 });
      if (open.length > deepest)
        return invalid(`is nested more than ${deepest} deep, at byte ${at}${within(bytes, at)}`);
    } else if (byte === 125 || byte === 93) open.pop();
    else if (byte === COMMA && isFull(open.at(-1))) {
      return invalid(`has more than ${MOST_ENTRIES} entries in one list or object, at byte ${at}${within(bytes, at)}`);
    }
  }
  return undefined;
}

function isFull(level: Level | undefined): boolean {
  if (level === undefined) return false;
  level.entries += 1;
  return level.entries >= MOST_ENTRIES;
}

type Quoted = { readonly start: number; readonly end: number };

/** What is wrong with a string where it is a key. */
function keyProblem(bytes: Buffer, { start, end }: Quoted, open: readonly Level[]): Refusal | undefined {
  const level = open.at(-1);
  const keys = level?.keys;
  if (level === undefined || keys === undefined || !isColonBehind(bytes, end)) return undefined;
  const key = keyOf(bytes, { start, end });
  // SDKs have `extra_body` for members of the body itself.
  const isOfBody = open.length === 1 || open[0]?.latest === 'extra_body';
  if (isOfBody && ADDRESS_FIELDS.has(key.toLowerCase())) return UNKNOWN_UPSTREAM;
  // Two readers may take different ones: what is checked here must be what the provider reads.
  if (keys.has(key)) {
    return invalid(`holds the key ${JSON.stringify(key.slice(0, 40))} twice, at byte ${start}${within(bytes, start)}`);
  }
  keys.add(key);
  level.latest = key;
  return undefined;
}

const UNKNOWN_UPSTREAM: Refusal = {
  status: 400,
  code: 'unknown-upstream',
  message: 'The body names an address to send it to; upstreams are those of the configuration alone.',
};

// Short strings are looked through byte by byte, long ones by search.
const SHORT = 48;

function endOfString(bytes: Buffer, from: number): number {
  let at = from + 1;
  for (;;) {
    const limit = Math.min(bytes.length, at + SHORT);
    while (at < limit && bytes[at] !== QUOTE) at += 1;
    if (at === limit) at = bytes.indexOf(QUOTE, at);
    if (at < 0 || at >= bytes.length) return bytes.length;
    if (slashesBefore(bytes, at) % 2 === 0) return at;
    at += 1;
  }
}

function isColonBehind(bytes: Buffer, end: number): boolean {
  let after = end + 1;
  while (bytes[after] === 32 || bytes[after] === 10 || bytes[after] === 13 || bytes[after] === 9) after += 1;
  return bytes[after] === COLON;
}

function keyOf(bytes: Buffer, { start, end }: Quoted): string {
  const written = bytes.toString('utf8', start, end + 1);
  if (!written.includes('\\')) return written.slice(1, -1);
  try {
    return String(JSON.parse(written));
  } catch {
    return written;
  }
}
