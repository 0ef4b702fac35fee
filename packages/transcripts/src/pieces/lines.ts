import { decodeText, LONGEST, NEWLINE } from './bytes.ts';

/** One line: its number from 1 and its text, or why it has none. */
export type Line = { readonly number: number; readonly text: string; readonly fault?: string };

/** Splits bytes into lines; holds one line at most. */
export class LineSplitter {
  #number = 0;
  #held: Buffer[] = [];
  #size = 0;

  /** The lines that end in a chunk. */
  *push(chunk: Buffer): Generator<Line> {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      const from = start;
      start = end + 1;
      if (this.#size === 0) yield this.#line(decodeText(chunk, from, end));
      else {
        this.#hold(chunk.subarray(from, end));
        yield this.#take();
      }
    }
    // A copy, because whoever gave the chunk may use its memory again.
    if (start < chunk.length) this.#hold(Buffer.from(chunk.subarray(start)));
  }

  /** The last line, where no line break ends it. */
  *end(): Generator<Line> {
    if (this.#size > 0) yield this.#take();
  }

  #hold(part: Buffer): void {
    this.#size += part.length;
    if (this.#size > LONGEST) this.#held = [];
    else if (part.length > 0) this.#held.push(part);
  }

  #take(): Line {
    const size = this.#size;
    const text = size > LONGEST ? '' : decodeText(Buffer.concat(this.#held));
    this.#held = [];
    this.#size = 0;
    const line = this.#line(text);
    return size > LONGEST ? { ...line, fault: `${Math.round(size / 1e6)} MB in one line, more than is read` } : line;
  }

  #line(text: string | undefined): Line {
    this.#number += 1;
    if (text === undefined) return { number: this.#number, text: '', fault: 'not UTF-8' };
    return { number: this.#number, text: this.#number === 1 && text.startsWith('\ufeff') ? text.slice(1) : text };
  }
}
