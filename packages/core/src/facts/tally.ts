import type { FactKind } from '../model/facts.ts';
import type { Reading } from './units.ts';

/**
 * Counts the identifiers of one text by where they stand: no substring is made of the many that come again. One tally is
 * filled at a time: all share their tables.
 */
export class Tally {
  /** Kind of each, by its number. */
  readonly kinds: FactKind[] = [];
  readonly #units: Uint16Array;
  #mask = LEAST - 1;

  constructor({ units }: Reading) {
    this.#units = units;
    turn += 1;
  }

  /** Where one first stands, and how often. */
  startOf(known: number): number {
    return places[known * FIELDS + START] ?? 0;
  }

  endOf(known: number): number {
    return places[known * FIELDS + END] ?? 0;
  }

  countOf(known: number): number {
    return places[known * FIELDS + COUNT] ?? 0;
  }

  /** Takes one more occurrence. A path is the same by its last two segments, and what stands before them in both. */
  add(kind: FactKind, start: number, end: number): void {
    const from = kind === 'path' ? keyStart(this.#units, start, end) : start;
    const slot = this.#slotOf(from, end, start);
    if (turns[slot] === turn) {
      const at = (numbers[slot] ?? 0) * FIELDS + COUNT;
      places[at] = (places[at] ?? 0) + 1;
      return;
    }
    const known = this.kinds.length;
    this.kinds.push(kind);
    turns[slot] = turn;
    numbers[slot] = known;
    const at = known * FIELDS;
    places[at + START] = start;
    places[at + END] = end;
    places[at + COUNT] = 1;
    places[at + FROM] = from;
    if ((known + 1) * 2 > this.#mask) this.#grow();
  }

  /** Where something is entered, or may be. */
  #slotOf(from: number, end: number, start: number): number {
    const taken = turns;
    const mask = this.#mask;
    let slot = (hashOf(this.#units, from, end) >>> 7) & mask;
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
    let at = this.endOf(known);
    if (at - (places[known * FIELDS + FROM] ?? 0) !== end - from) return false;
    for (let index = end; index > from; index -= 1) {
      at -= 1;
      if (units[at] !== units[index - 1]) return false;
    }
    return true;
  }

  /** Whether nothing in front tells two paths with the same end apart. */
  #agreesBefore(known: number, from: number, start: number): boolean {
    const units = this.#units;
    const least = this.startOf(known);
    let at = (places[known * FIELDS + FROM] ?? 0) - 1;
    for (let index = from - 1; index >= start && at >= least; index -= 1) {
      if (units[at] !== units[index]) return false;
      at -= 1;
    }
    return true;
  }

  #grow(): void {
    this.#mask = this.#mask * 2 + 1;
    if (this.#mask >= turns.length) enlarge();
    turn += 1;
    for (let known = 0; known < this.kinds.length; known += 1) {
      const slot = this.#slotOf(places[known * FIELDS + FROM] ?? 0, this.endOf(known), this.startOf(known));
      turns[slot] = turn;
      numbers[slot] = known;
    }
  }
}

/** As `keyStart` of a fact's value, of units. */
function keyStart(units: Uint16Array, start: number, end: number): number {
  let at = isSlash(units[end - 1]) ? end - 2 : end - 1;
  for (let slashes = 0; at >= start; at -= 1) {
    if (!isSlash(units[at])) continue;
    slashes += 1;
    if (slashes === 2) break;
  }
  const from = at + 1;
  if (units[from] !== DOT) return from;
  if (units[from + 1] === SLASH) return from + 2;
  return units[from + 1] === DOT && units[from + 2] === SLASH ? from + 3 : from;
}

const SLASH = 47;
const DOT = 46;
const isSlash = (code: number | undefined): boolean => code === SLASH || code === 92;

/** Two characters at a step: each waits for the one before. */
function hashOf(units: Uint16Array, from: number, end: number): number {
  let hash = end - from;
  let index = from;
  for (; index < end - 1; index += 2)
    hash = (Math.imul(hash, 961) + Math.imul(units[index] ?? 0, 31) + (units[index + 1] ?? 0)) | 0;
  if (index < end) hash = (Math.imul(hash, 31) + (units[index] ?? 0)) | 0;
  return Math.imul(hash, 0x9e3779b1);
}

function enlarge(): void {
  turns = new Uint32Array(turns.length * 2);
  numbers = new Uint32Array(turns.length);
  const before = places;
  places = new Uint32Array(before.length * 2);
  places.set(before);
}

// Paths that only end alike are kept apart up to here: a text may hold thousands.
const MOST_NAMESAKES = 8;
const START = 0;
const END = 1;
const COUNT = 2;
/** Where the key begins. */
const FROM = 3;
const FIELDS = 4;
const LEAST = 1024;

// A table for each of thousands of short texts would cost more than what is looked up in it: a slot is taken where it
// holds the turn of the text that is being read. Half of the slots are taken at most.
let turn = 0;
let turns = new Uint32Array(LEAST);
let numbers = new Uint32Array(LEAST);
let places = new Uint32Array((LEAST / 2) * FIELDS);
