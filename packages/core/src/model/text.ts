import { utf8Of } from './utf8.ts';

/** The first `count` code points of a text; never half a surrogate pair. */
export function firstCodePoints(text: string, count: number): string {
  if (text.length <= count) return text;
  let end = 0;
  for (let taken = 0; taken < count && end < text.length; taken += 1) {
    end += (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1;
  }
  return text.slice(0, end);
}

/** Moves an index off the middle of a surrogate pair, towards the start. */
export function codePointBoundary(text: string, index: number): number {
  const code = text.charCodeAt(index);
  const before = text.charCodeAt(index - 1);
  const isSplit = code >= 0xdc00 && code <= 0xdfff && before >= 0xd800 && before <= 0xdbff;
  return isSplit ? index - 1 : index;
}

/** A running hash: two lanes of 32 bits. Fast, stable across platforms, not cryptographic. */
export type TextHash = Int32Array;

/** A hash of nothing yet, or one that goes on from a name it was given. */
export function newHash(name = ''): TextHash {
  const hash = new Int32Array([0xdeadbeef, 0x41c6ce57]);
  if (name !== '') resumeHash(hash, name);
  return hash;
}

/** Takes a hash to where it stood when it was given a name; any other text is taken in as it is. */
function resumeHash(hash: TextHash, name: string): void {
  const a = name.length === NAME ? Number.parseInt(name.slice(0, NAME / 2), 32) : Number.NaN;
  const b = Number.parseInt(name.slice(NAME / 2), 32);
  if (Number.isNaN(a + b)) {
    addText(hash, name);
    return;
  }
  hash[0] = a;
  hash[1] = b;
}

/** Takes one more number into a hash. */
export function addCode(hash: TextHash, code: number): void {
  hash[0] = Math.imul((hash[0] ?? 0) ^ code, FIRST);
  hash[1] = Math.imul((hash[1] ?? 0) ^ code, SECOND);
}

// From here on it pays to turn a text into bytes first and take four at a step.
const LONG = 24;
const FIRST = 0x9e3779b1;
const SECOND = 0x5f356495;

/** Takes one more text into a hash. */
export function addText(hash: TextHash, text: string): void {
  // The length keeps texts apart that would read alike when joined.
  addCode(hash, text.length);
  // UTF-8 has no lone surrogates: all would read alike.
  if (text.length < LONG || !text.isWellFormed()) addUnits(hash, text);
  else addBytes(hash, text);
}

function addUnits(hash: TextHash, text: string): void {
  let a = hash[0] ?? 0;
  let b = hash[1] ?? 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    a = Math.imul(a ^ code, FIRST);
    b = Math.imul(b ^ code, SECOND);
  }
  hash[0] = a;
  hash[1] = b;
}

// All platforms in use are little-endian.
function addBytes(hash: TextHash, text: string): void {
  const { words: taken, length } = utf8Of(text);
  let a = hash[0] ?? 0;
  let b = hash[1] ?? 0;
  for (let index = (length - 1) >> 2; index >= 0; index -= 1) {
    const word = taken[index] ?? 0;
    a = Math.imul(a ^ word, FIRST);
    b = Math.imul(b ^ word, SECOND);
    // Products only carry upwards: what they made comes down again.
    a ^= a >>> 15;
    b ^= b >>> 16;
  }
  hash[0] = a;
  hash[1] = b;
}

// Letters and digits of a name. Below 13 they make one flat string, which the many look-ups by id are glad of.
const NAME = 12;

/** A hash as 12 letters and digits; it goes on from them. */
export function hashName(hash: TextHash): string {
  const a = mix(hash[0] ?? 0, hash[1] ?? 0);
  const b = mix(hash[1] ?? 0, hash[0] ?? 0);
  hash[0] = a;
  hash[1] = b;
  return `${pair(a >> 20)}${pair(a >> 10)}${pair(a)}${pair(b >> 20)}${pair(b >> 10)}${pair(b)}`;
}

// Numbers made texts by `toString(32)` took a third of all hashing.
const PAIRS: readonly string[] = /* @__PURE__ */ Array.from({ length: 1024 }, (_, bits) =>
  bits.toString(32).padStart(2, '0'),
);

function pair(bits: number): string {
  return PAIRS[bits & 1023] ?? '';
}

// Finalizer of MurmurHash3, so that short texts spread over all bits; 30 of them, as many as six letters hold.
function mix(value: number, other: number): number {
  const hash = Math.imul(value ^ (value >>> 16), 2246822507) ^ Math.imul(other ^ (other >>> 13), 3266489909);
  return (hash ^ (hash >>> 16)) & 0x3fffffff;
}

/** JSON text of any value; `''` for what JSON cannot hold (undefined, cycles, BigInt). */
export function jsonOf(value: unknown): string {
  if (typeof value === 'string') return value;
  try {
    return JSON.stringify(value) ?? '';
  } catch {
    return '';
  }
}
