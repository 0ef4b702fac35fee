import { isObject, type Native, stringOf } from '../native.ts';

/** Who a content is from; responses travel as `user` (or the older `function`). */
export type Side = 'user' | 'model';

/** A content as far as it can be understood; `parts` keeps the native order, one entry per native part. */
export type Content = { readonly side: Side; readonly parts: readonly unknown[] };

/** The data field of a part: `field` in the documented spelling, `key` as this part spells it. */
export type PartData = {
  readonly field: (typeof FIELDS)[number];
  readonly key: string;
  readonly value: unknown;
};

// The REST service reads both spellings. A call or response outranks a text that a serializer left beside it.
const FIELDS = [
  'functionCall',
  'functionResponse',
  'inlineData',
  'fileData',
  'executableCode',
  'codeExecutionResult',
  'toolCall',
  'toolResponse',
  'text',
] as const;
const SPELLINGS = FIELDS.map(
  (field) => [field, field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)] as const,
);

/** The native entry as a content, or `undefined` where it is none. A missing role means user. */
export function contentOf(native: unknown): Content | undefined {
  if (!isObject(native)) return undefined;
  const { role, parts } = native;
  const side = role === 'model' ? 'model' : !role || role === 'user' || role === 'function' ? 'user' : undefined;
  if (!side || !(role || parts)) return undefined;
  // Spread, because a sparse list has holes that `map` skips.
  if (Array.isArray(parts)) return { side, parts: [...parts] };
  // A repeated field may come as the single value it would hold.
  return isObject(parts) ? { side, parts: [parts] } : parts ? undefined : { side, parts: [] };
}

/** All data fields a part has set; a valid part has exactly one. */
export function dataOf(part: unknown): readonly PartData[] {
  if (!isObject(part)) return [];
  const found: PartData[] = [];
  for (const [field, snake] of SPELLINGS) {
    const key = isSet(part[field]) ? field : snake;
    if (isSet(part[key])) found.push({ field, key, value: part[key] });
  }
  return found;
}

/** The value of a field in either spelling. */
export function either(native: Native, camel: string, snake: string): unknown {
  return native[camel] ?? native[snake];
}

/** True when a part carries a thought signature, a sentinel value included. */
export function isSigned(part: unknown): boolean {
  return isObject(part) && stringOf(either(part, 'thoughtSignature', 'thought_signature')) !== '';
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null;
}
