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

/** A running hash of texts in order: two lanes of 32 bits. Fast, stable across platforms, not cryptographic. */
export type TextHash = Int32Array;

/** A hash of nothing yet; an old one is emptied where it is handed in. */
export function newHash(hash: TextHash = new Int32Array(2)): TextHash {
  hash[0] = 0xdeadbeef;
  hash[1] = 0x41c6ce57;
  return hash;
}

// From here on it pays to turn a text into bytes first and take four at a step.
const LONG = 48;

/** Takes one more text into a hash. */
export function addText(hash: TextHash, text: string): void {
  // UTF-8 has no lone surrogates: all would read alike.
  if (text.length < LONG || !text.isWellFormed()) addUnits(hash, text);
  else addBytes(hash, text);
}

function addUnits(hash: TextHash, text: string): void {
  let a = hash[0] ?? 0;
  let b = hash[1] ?? 0;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    a = Math.imul(a ^ unit, 2654435761);
    b = Math.imul(b ^ unit, 1597334677);
  }
  // The length keeps texts apart that would read alike when joined.
  hash[0] = Math.imul(a ^ text.length, 2246822507);
  hash[1] = b;
}

const encoder = /* @__PURE__ */ new TextEncoder();
let words = /* @__PURE__ */ new Int32Array(1 << 14);
let bytes = /* @__PURE__ */ new Uint8Array(words.buffer);

// All platforms in use are little-endian.
function addBytes(hash: TextHash, text: string): void {
  if (text.length * 3 >= bytes.length) {
    words = new Int32Array(text.length + 1);
    bytes = new Uint8Array(words.buffer);
  }
  const { written } = encoder.encodeInto(text, bytes);
  for (let index = written; index < written + 3; index += 1) bytes[index] = 0;
  let a = hash[0] ?? 0;
  let b = hash[1] ?? 0;
  for (let index = (written - 1) >> 2; index >= 0; index -= 1) {
    const word = words[index] ?? 0;
    a = Math.imul(a ^ word, 2654435761);
    b = Math.imul(b ^ word, 1597334677);
    // Products only carry upwards: what they made comes down again.
    a ^= a >>> 15;
    b ^= b >>> 16;
  }
  hash[0] = Math.imul(a ^ written, 2246822507);
  hash[1] = b;
}

/** A hash as 14 letters and digits. */
export function hashName(hash: TextHash): string {
  const a = mix(hash[0] ?? 0, hash[1] ?? 0);
  const b = mix(hash[1] ?? 0, hash[0] ?? 0);
  // One call makes one flat string: numbers made texts by `toString(36)` took a third of all hashing.
  return String.fromCharCode(
    letter(a),
    letter(a >>> 5),
    letter(a >>> 10),
    letter(a >>> 15),
    letter(a >>> 20),
    letter(a >>> 25),
    letter(a >>> 30),
    letter(b),
    letter(b >>> 5),
    letter(b >>> 10),
    letter(b >>> 15),
    letter(b >>> 20),
    letter(b >>> 25),
    letter(b >>> 30),
  );
}

/** Code of the letter or digit for five bits. */
function letter(bits: number): number {
  const digit = bits & 31;
  return digit < 10 ? 48 + digit : 87 + digit;
}

// Finalizer of MurmurHash3, so that short texts spread over all bits.
function mix(value: number, other: number): number {
  const hash = Math.imul(value ^ (value >>> 16), 2246822507) ^ Math.imul(other ^ (other >>> 13), 3266489909);
  return hash ^ (hash >>> 16);
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
