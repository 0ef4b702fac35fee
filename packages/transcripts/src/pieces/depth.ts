import type { Parsed } from './bytes.ts';

// Far beyond any record of an agent, and far below what overflows the stack where it is walked or written as JSON.
const DEEPEST = 1000;

/** A value with a note in place of what is nested deeper than can be written again. `size` is the length of its JSON text. */
export function bound(parsed: Parsed, size: number): Parsed {
  // Every level takes two brackets at least, so that most values need no look.
  if (size < 2 * DEEPEST || !isDeeper(parsed.value, DEEPEST)) return parsed;
  return { value: cut(parsed.value, DEEPEST), fault: `something nested more than ${DEEPEST} deep` };
}

// Loops, not callbacks: this sees every long record of a file.
function isDeeper(value: unknown, left: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (left === 0) return true;
  if (Array.isArray(value)) {
    for (const inner of value) if (isDeeper(inner, left - 1)) return true;
    return false;
  }
  for (const inner of Object.values(value)) if (isDeeper(inner, left - 1)) return true;
  return false;
}

function cut(value: unknown, left: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (left === 0) return '[nested too deep]';
  if (Array.isArray(value)) return value.map((inner) => cut(inner, left - 1));
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, cut(inner, left - 1)]));
}
