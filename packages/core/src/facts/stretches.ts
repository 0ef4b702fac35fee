/**
 * Tells of a value whether a text may hold it, by the few characters that it begins and ends with: false only where it does
 * not. Whitespace must be single spaces in the text; a value with other whitespace there may be held.
 */
export function stretchesOf(text: string): (value: string) => boolean {
  let size = LEAST;
  while (size < text.length * ROOM && size < MOST) size *= 2;
  const seen = new Uint8Array(size);
  for (let at = 0; at + LENGTH <= text.length; at += 1) seen[hashAt(text, at) & (size - 1)] = 1;
  return (value) => {
    if (value.length < LENGTH) return true;
    for (const at of [0, value.length - LENGTH])
      if (isPlain(value, at) && seen[hashAt(value, at) & (size - 1)] === 0) return false;
    return true;
  };
}

const LENGTH = 8;
const ROOM = 8;
const LEAST = 1 << 12;
const MOST = 1 << 22;

function hashAt(text: string, at: number): number {
  let hash = 0;
  for (let index = at; index < at + LENGTH; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x9e3779b1);
  return hash ^ (hash >>> 15);
}

/** ASCII with single spaces inside: the same in a text whose whitespace was put in order. */
function isPlain(value: string, at: number): boolean {
  for (let index = at; index < at + LENGTH; index += 1) {
    const code = value.charCodeAt(index);
    if (code < 32 || code > 126) return false;
    if (code === 32 && (index === 0 || index === value.length - 1 || value.charCodeAt(index + 1) === 32)) return false;
  }
  return true;
}
