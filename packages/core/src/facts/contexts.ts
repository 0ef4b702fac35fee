import type { Reading } from './units.ts';

const CONTEXT = 48;

/** The words around places of a text. Several places often stand in one line, whose ends are then sought once. */
export class Contexts {
  readonly #text: string;
  readonly #units: Uint16Array;
  // No line ends between these two.
  #from = 0;
  #to = 0;

  constructor({ text, units }: Reading) {
    this.#text = text;
    this.#units = units;
  }

  /** The rest of the line to both sides, a few whole words each; looks no further than it takes. */
  around(start: number, end: number): string {
    const units = this.#units;
    const text = this.#text;
    const from = this.#lineFrom(start, Math.max(0, start - CONTEXT));
    const to = this.#lineTo(end, Math.min(text.length, end + CONTEXT));
    if (from > this.#to || to < this.#from) this.#from = from;
    else this.#from = Math.min(from, this.#from);
    this.#to = to;
    return text.slice(
      codePointFrom(units, wordFrom(units, from, start)),
      codePointFrom(units, to === text.length ? to : wordTo(units, to, end)),
    );
  }

  #lineFrom(start: number, least: number): number {
    const units = this.#units;
    const clear = this.#to;
    const stop = Math.max(least, clear);
    let from = start;
    while (from > stop && units[from - 1] !== 10) from -= 1;
    if (from <= clear && from > this.#from) from = Math.max(least, this.#from);
    while (from > least && units[from - 1] !== 10) from -= 1;
    return from;
  }

  #lineTo(end: number, most: number): number {
    const units = this.#units;
    let to = end >= this.#from && end < this.#to ? Math.min(most, this.#to) : end;
    while (to < most && units[to] !== 10) to += 1;
    return to;
  }
}

/** Behind a word that is cut at its beginning, unless nothing else stands before `start`. */
function wordFrom(units: Uint16Array, from: number, start: number): number {
  if (from === 0 || isSpace(units[from - 1])) return from;
  for (let at = from; at < start; at += 1) if (isSpace(units[at])) return at + 1;
  return from;
}

/** Before a word that is cut at its end, unless nothing else stands behind `end`. */
function wordTo(units: Uint16Array, to: number, end: number): number {
  if (isSpace(units[to])) return to;
  for (let at = to; at > end; at -= 1) if (isSpace(units[at - 1])) return at - 1;
  return to;
}

function isSpace(code: number | undefined): boolean {
  return code === 32 || code === 10;
}

/** As `codePointBoundary`, of units. */
function codePointFrom(units: Uint16Array, at: number): number {
  const isLow = ((units[at] ?? 0) & 0xfc00) === 0xdc00;
  return isLow && at > 0 && ((units[at - 1] ?? 0) & 0xfc00) === 0xd800 ? at - 1 : at;
}
