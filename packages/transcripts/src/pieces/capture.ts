import {
  BACKSLASH,
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  COMMA,
  decodeText,
  isSpace,
  LONGEST,
  OPEN_ARRAY,
  OPEN_OBJECT,
  type Parsed,
  parseText,
  QUOTE,
} from './bytes.ts';
import { bound } from './depth.ts';

/** Collects the bytes of one JSON value over any number of chunks and finds its end. */
export class Capture {
  isOpen = false;
  #held: Buffer[] = [];
  #size = 0;
  #text: string | undefined;
  #depth = 0;
  #isString = false;
  #isEscaped = false;
  #isPlain = false;
  readonly #longest: number;

  constructor(longest: number = LONGEST) {
    this.#longest = longest;
  }

  /** A value begins at the byte that is scanned next. */
  start(): void {
    this.isOpen = true;
    this.#size = 0;
    this.#depth = 0;
    this.#isString = false;
    this.#isEscaped = false;
    this.#isPlain = false;
  }

  /** Goes on from a place; gives the place behind the value, or the end of the chunk where it goes on in the next. */
  scan(chunk: Buffer, from: number): number {
    // Locals, not fields: this loop sees every byte of the file.
    let depth = this.#depth;
    for (let at = from; at < chunk.length; at += 1) {
      const byte = chunk[at];
      if (this.#isString || byte === QUOTE) {
        at = this.#stringEnd(chunk, this.#isString ? at : at + 1);
        if (at < chunk.length && depth === 0) return this.#stop(chunk, from, at + 1);
      } else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) depth += 1;
      else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
        // A plain value ends in front of the bracket that closes what is around it.
        if (depth === 0) return this.#stop(chunk, from, at);
        depth -= 1;
        if (depth === 0) return this.#stop(chunk, from, at + 1);
      } else if (depth === 0) {
        if (this.#isPlain && (byte === COMMA || isSpace(byte ?? 0))) return this.#stop(chunk, from, at);
        this.#isPlain = true;
      }
    }
    this.#depth = depth;
    this.#size += chunk.length - from;
    if (this.#size > this.#longest) this.#held = [];
    else this.#held.push(Buffer.from(chunk.subarray(from)));
    return chunk.length;
  }

  /** The value, parsed; `cut` says where something of it was left out. */
  take(): Parsed & { readonly cut?: string } {
    if (this.#size > this.#longest) {
      return { value: undefined, fault: `${Math.round(this.#size / 1e6)} MB in one value, more than is read` };
    }
    const parsed = parseText(this.#text);
    if (parsed.fault !== undefined) return parsed;
    const { value, fault } = bound(parsed, this.#text?.length ?? 0);
    return fault === undefined ? parsed : { value, cut: fault };
  }

  /** The place of the closing quote, or the end of the chunk. */
  #stringEnd(chunk: Buffer, from: number): number {
    const { length } = chunk;
    let at = this.#isEscaped ? from + 1 : from;
    // A loop, not `indexOf`: code in JSON has a quote or a backslash every few bytes, and each call costs more than they do.
    while (at < length) {
      const byte = chunk[at];
      if (byte === QUOTE) break;
      at += byte === BACKSLASH ? 2 : 1;
    }
    this.#isString = at >= length;
    this.#isEscaped = at > length;
    return Math.min(at, length);
  }

  #stop(chunk: Buffer, from: number, to: number): number {
    this.isOpen = false;
    this.#size += to - from;
    if (this.#size > this.#longest) this.#held = [];
    else if (this.#held.length === 0) this.#text = decodeText(chunk, from, to);
    else {
      this.#text = decodeText(Buffer.concat([...this.#held, chunk.subarray(from, to)]));
      this.#held = [];
    }
    return to;
  }
}
