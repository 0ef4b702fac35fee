import { UsageError } from '../errors.ts';
import { findFault } from './fault.ts';
import type { Source } from './read.ts';

/** A JSON object of which nothing is known yet. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** True for a JSON object: not an array, not null. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value if it is an array, else an empty one. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** What a value is, in words. */
export function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

/** The JSON text of a value; what is nested deeper than Node can write is refused. */
export function writeJson(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (cause) {
    throw new UsageError('a message is nested too deep to be written as JSON', { cause });
  }
}

/** Parses a source; the error says where it stops being JSON. */
export function parseJson({ name, text }: Source, expected = 'a JSON array of messages'): unknown {
  if (text.trim() === '') throw new UsageError(`${name} is empty; ${expected} is expected.`);
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new UsageError(`${name}${whyNotJson(text)}`, { cause });
  }
}

function whyNotJson(text: string): string {
  const fault = findFault(text);
  if (fault === undefined) return ' is not JSON.';
  const { line, column, found, expected } = fault;
  return `:${line}:${column} is not JSON: found ${found} where ${expected} should be.`;
}
