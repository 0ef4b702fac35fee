import { isUtf8 } from 'node:buffer';

/** Bytes of a file in order. */
export type Bytes = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** A JSON value, or why there is none, or not all of it. */
export type Parsed = { readonly value: unknown; readonly fault?: string };

export const QUOTE = 0x22;
export const COMMA = 0x2c;
export const COLON = 0x3a;
export const BACKSLASH = 0x5c;
export const OPEN_OBJECT = 0x7b;
export const CLOSE_OBJECT = 0x7d;
export const OPEN_ARRAY = 0x5b;
export const CLOSE_ARRAY = 0x5d;
export const NEWLINE = 0x0a;

/** True for the white space of JSON. */
export function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === NEWLINE || byte === 0x0d || byte === 0x09;
}

/** A stretch of bytes as text, `undefined` where it is not UTF-8. */
export function decodeText(bytes: Buffer, from: number = 0, to: number = bytes.length): string | undefined {
  const text = bytes.toString('utf8', from, to);
  // Only where a replacement stands is it worth asking whether the file had it.
  return text.includes('\ufffd') && !isUtf8(bytes.subarray(from, to)) ? undefined : text;
}

/** Parses the text of a value; never throws. */
export function parseText(text: string | undefined): Parsed {
  if (text === undefined) return { value: undefined, fault: 'not UTF-8' };
  try {
    return { value: JSON.parse(text) };
  } catch (cause) {
    return { value: undefined, fault: `not JSON: ${reasonOf(cause)}` };
  }
}

// The engine's message quotes the text itself after the first comma; a report must not.
function reasonOf(cause: unknown): string {
  const message = cause instanceof Error ? cause.message : '';
  const isCut = /^(?:Unexpected end|Unterminated|Expected .* at position \d+ \(line|Expected double-quoted)/.test(
    message,
  );
  return isCut && !/Expected property/.test(message) ? 'it ends too early' : 'something in it is out of place';
}

// Beyond it a text no longer fits one string of Node, and what is parsed from it hardly the heap.
/** Bytes of the longest line or value that is read. */
export const LONGEST: number = 256 * 1024 * 1024;
