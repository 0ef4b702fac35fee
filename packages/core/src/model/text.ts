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

/** A hash of a text in 16 hex digits; fast, stable across platforms, not cryptographic. */
export function hashText(text: string, seed: string): string {
  let a = 0xdeadbeef;
  let b = 0x41c6ce57;
  for (const source of [seed, text]) {
    for (let index = 0; index < source.length; index += 1) {
      const code = source.charCodeAt(index);
      a = Math.imul(a ^ code, 2654435761);
      b = Math.imul(b ^ code, 1597334677);
    }
    a ^= source.length;
  }
  return mix(a, b) + mix(b, a);
}

// Finalizer of MurmurHash3, so that short texts spread over all bits.
function mix(value: number, other: number): string {
  let hash = Math.imul(value ^ (value >>> 16), 2246822507) ^ Math.imul(other ^ (other >>> 13), 3266489909);
  hash ^= hash >>> 16;
  return (hash >>> 0).toString(16).padStart(8, '0');
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
