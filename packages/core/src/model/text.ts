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

/** A hash of texts in order, about 64 bits; fast, stable across platforms, not cryptographic. */
export function hashTexts(texts: readonly string[]): string {
  let a = 0xdeadbeef;
  let b = 0x41c6ce57;
  for (const text of texts) {
    for (let index = 0; index < text.length; index += 1) {
      const code = text.charCodeAt(index);
      a = Math.imul(a ^ code, 2654435761);
      b = Math.imul(b ^ code, 1597334677);
    }
    // The length keeps texts apart that would read alike when joined.
    a = Math.imul(a ^ text.length, 2246822507);
  }
  return `${mix(a, b).toString(36)}-${mix(b, a).toString(36)}`;
}

// Finalizer of MurmurHash3, so that short texts spread over all bits.
function mix(value: number, other: number): number {
  const hash = Math.imul(value ^ (value >>> 16), 2246822507) ^ Math.imul(other ^ (other >>> 13), 3266489909);
  return (hash ^ (hash >>> 16)) >>> 0;
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
