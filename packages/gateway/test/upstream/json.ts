import { createHmac } from 'node:crypto';
import type { Json, Problem } from './types.ts';

/** True for a JSON object. */
export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The objects of a list; nothing for what is no list. */
export function objectsOf(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** A list as it is; empty for what is none. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The text of a value that should be one. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** A refusal with its rule. */
export function problem(rule: string, message: string, more: Omit<Problem, 'rule' | 'message'> = {}): Problem {
  return { rule, message, ...more };
}

/** True where a reading failed. */
export function isProblem(value: object | undefined): value is Problem {
  return value !== undefined && 'rule' in value;
}

const SECRET = 'the upstream signs with this';

/** A signature that only this upstream can make, as opaque text. */
export function sign(...parts: readonly string[]): string {
  return createHmac('sha256', SECRET).update(JSON.stringify(parts)).digest('base64');
}

/** One event of a stream. */
export function sse(data: unknown, event?: string): string {
  return `${event === undefined ? '' : `event: ${event}\n`}data: ${JSON.stringify(data)}\n\n`;
}

/** A text in pieces as a model would stream it, never inside a surrogate pair. */
export function piecesOf(text: string, most = 40): readonly string[] {
  const characters = Array.from(text);
  const size = Math.max(1, Math.ceil(characters.length / most));
  const pieces: string[] = [];
  for (let at = 0; at < characters.length; at += size) pieces.push(characters.slice(at, at + size).join(''));
  return pieces;
}
