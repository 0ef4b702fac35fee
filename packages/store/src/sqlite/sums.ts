import { createHash } from 'node:crypto';
import type { Value } from './driver.ts';

/** A text in a few characters, to tell whether it was changed. */
export function sumOf(text: string): string {
  return createHash('sha256').update(text, 'utf16le').digest('base64url').slice(0, 22);
}

/** The sum of a record's columns. */
export function sumOfRecord(values: readonly Value[]): string {
  return sumOf(JSON.stringify(values));
}
