import type { FactKind } from '../model/facts.ts';
import { keyStart } from './fact.ts';
import type { Reading } from './units.ts';

/**
 * Counts the identifiers of one text by where they stand: no substring is made of the many that come again. One tally is
 * filled at a time: all share one table.
 */
export class Tally {
  /** Kind, first place and number of occurrences of each, by its number. */
  readonly kinds: FactKind[] = [];
  readonly starts: number[] = [];
  readonly ends: number[] = [];
  readonly counts: number[] = [];
  /** Where the key of each begins. */
  readonly #froms: number[] = [];
  readonly #text: string;
  readonly #units: Uint16Array;

  constructor({ text, units }: Reading) {
    this.#text = text;
    this.#units = units;
    turn += 1;
  }

  /** Takes one more occurrence. A path is the same by its last two segments, and what stands before them in both. */
  add(kind: FactKind, start: number, end: number): void {
    const from = kind === 'path' ? keyStart(this.#text, start, end) : start;
    const slot = this.#slotOf(from, end, start);
    if (turns[slot] === turn) {
      const known = numbers[slot] ?? 0;
      this.counts[known] = (this.counts[known] ?? 0) + 1;
      return;
    }
    turns[slot] = turn;
    numbers[slot] = this.kinds.length;
    this.kinds.push(kind);
    this.starts.push(start);
    this.ends.push(end);
    this.counts.push(1);
    this.#froms.push(from);
    if (this.kinds.length * 2 > turns.length) this.#grow();
  }

  /** Where something is entered, or may be. */
  #slotOf(from: number, end: number, start: number): number {
    const taken = turns;
    const mask = taken.length - 1;
    const units = this.#units;
    let hash = end - from;
    for (let index = from; index < end; index += 1) hash = (Math.imul(hash, 31) + (units[index] ?? 0)) | 0;
    let slot = (Math.imul(hash, 0x9e3779b1) >>> 7) & mask;
    let namesakes = 0;
    while (taken[slot] === turn) {
      const known = numbers[slot] ?? 0;
      if (this.#isSame(known, from, end)) {
        if (namesakes >= MOST_NAMESAKES || this.#agreesBefore(known, from, start)) break;
        namesakes += 1;
      }
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  #isSame(known: number, from: number, end: number): boolean {
    const units = this.#units;
    let at = this.ends[known] ?? 0;
    for (let index = end; index > from; index -= 1) {
      at -= 1;
      if (units[at] !== units[index - 1]) return false;
    }
    return at === this.#froms[known];
  }

  /** Whether nothing in front tells two paths with the same end apart. */
  #agreesBefore(known: number, from: number, start: number): boolean {
    const units = this.#units;
    const least = this.starts[known] ?? 0;
    let at = (this.#froms[known] ?? 0) - 1;
    for (let index = from - 1; index >= start && at >= least; index -= 1) {
      if (units[at] !== units[index]) return false;
      at -= 1;
    }
    return true;
  }

  #grow(): void {
    turns = new Uint32Array(turns.length * 2);
    numbers = new Uint32Array(turns.length);
    for (let known = 0; known < this.kinds.length; known += 1) {
      const slot = this.#slotOf(this.#froms[known] ?? 0, this.ends[known] ?? 0, this.starts[known] ?? 0);
      turns[slot] = turn;
      numbers[slot] = known;
    }
  }
}

// Paths that only end alike are kept apart up to here: a text may hold thousands.
const MOST_NAMESAKES = 8;

// A table for each of thousands of short texts would cost more than what is looked up in it: a slot is taken where it
// holds the turn of the text that is being read.
let turn = 0;
let turns = new Uint32Array(1024);
let numbers = new Uint32Array(1024);
