import { isObject } from '../model/check.ts';
import { jsonOf } from '../model/text.ts';

// A message, its list of blocks or calls, one of them, what it holds.
const WALKED = 3;

/**
 * Length of a value's JSON, without making it where the value is plain: histories are megabytes. Control characters but
 * line breaks and tabs count as one, of which JSON makes six; they hardly ever stand in a text.
 */
export function jsonLength(value: unknown): number {
  try {
    return walkedLength(value, 0);
  } catch {
    // A getter or a proxy may throw; what JSON cannot hold has no length.
    return 0;
  }
}

function walkedLength(value: unknown, depth: number): number {
  if (typeof value === 'string') return textLength(value);
  if (!isObject(value) || depth > WALKED) return jsonOf(value).length;
  let length = 1;
  // With a comma or the closing bracket behind. What JSON cannot hold is `null` in a list and left out of an object.
  if (Array.isArray(value)) {
    for (const item of value) length += (walkedLength(item, depth + 1) || 4) + 1;
    return Math.max(length, 2);
  }
  for (const key in value) {
    const size = Object.hasOwn(value, key) ? walkedLength(value[key], depth + 1) : 0;
    if (size > 0) length += key.length + 3 + size + 1;
  }
  return Math.max(length, 2);
}

const ESCAPED = ['\n', '"', '\\', '\t', '\r'];

// Ids, names and roles: looking at each character takes less than five searches.
const SHORT = 32;

function textLength(text: string): number {
  let length = text.length + 2;
  if (text.length < SHORT) {
    for (let index = 0; index < text.length; index += 1) {
      const code = text.charCodeAt(index);
      if (code < 14 ? code === 9 || code === 10 || code === 13 : code === 34 || code === 92) length += 1;
    }
    return length;
  }
  for (const unit of ESCAPED) {
    for (let at = text.indexOf(unit); at >= 0; at = text.indexOf(unit, at + 1)) length += 1;
  }
  return length;
}
