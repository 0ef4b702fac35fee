import type { Counter } from '../model/count.ts';
import type { Group } from './drafts.ts';
import { pop, push } from './heap.ts';
import { shownLines } from './shown.ts';
import type { Unit } from './units.ts';

/** A unit that may be quoted. */
export type Candidate = {
  readonly group: Group;
  readonly unit: Unit;
  /** What it is worth beside what it names, and how much what it names counts here. */
  readonly bonus: number;
  readonly weight: number;
  /** How many of its group there may be. */
  readonly most: number;
  /** What must stand with it. */
  readonly with?: readonly Candidate[];
  /** It says nothing without that. */
  readonly isQuestion?: boolean;
};

/** What things are worth. */
export type Worth = {
  /** Expected use of an identifier, by ledger key. */
  readonly keys: ReadonlyMap<string, number>;
  /** Worth of a plain word. */
  readonly words: ReadonlyMap<string, number>;
};

/** Takes units one by one, each time the one that adds most worth per token; what is covered already adds next to nothing. */
export class Selection {
  readonly chosen: Candidate[] = [];
  readonly #heap: Sized[] = [];
  readonly #covered = new Map<string, number>();
  readonly #groups = new Map<Group, Known>();
  readonly #seen = new Set<string>(['']);
  readonly #quoted = new Set<string>();
  readonly #units = new Set<Unit>();
  #stretch = 1;
  readonly #worth: Worth;
  readonly #count: Counter;

  constructor(candidates: readonly Candidate[], worth: Worth, count: Counter) {
    this.#worth = worth;
    this.#count = count;
    for (const candidate of candidates) {
      const { group, unit } = candidate;
      const known = this.#groups.get(group) ?? {
        isOpen: false,
        size: count(group.header.text) + 1,
        quoted: 0,
        members: [],
      };
      const member = { candidate, size: this.#sizeOf(unit), ratio: 0 };
      known.members.push(member);
      this.#groups.set(group, known);
      this.#enter(member);
    }
  }

  /** Marks texts that stand elsewhere as said. */
  say(units: readonly Unit[]): void {
    for (const unit of units) {
      this.#seen.add(unit.text);
      this.#cover(unit);
    }
  }

  /** Room is left: groups may have more lines than they should. */
  stretch(): void {
    this.#stretch *= 2;
    for (const { members, quoted } of this.#groups.values()) {
      const most = members[0]?.candidate.most ?? 0;
      if (quoted >= (most * this.#stretch) / 2) for (const member of members) this.#enter(member);
    }
  }

  /** Chooses until `tokens` are spent or nothing of worth is left. */
  spend(tokens: number): void {
    let left = tokens;
    const tooLarge: Sized[] = [];
    for (let best = pop(this.#heap); best !== undefined && left >= LEAST; best = pop(this.#heap)) {
      const { candidate } = best;
      if (this.#isOut(candidate)) continue;
      const cost = this.#cost(best);
      const ratio = this.#gain(candidate) / cost;
      if (ratio <= 0) continue;
      if (ratio < (this.#heap[0]?.ratio ?? 0)) push(this.#heap, { ...best, ratio });
      else if (cost > left) tooLarge.push(best);
      else {
        left -= cost;
        this.#choose(candidate);
      }
    }
    for (const member of tooLarge) this.#enter(member);
  }

  /** Chooses the given ones as far as `tokens` reach, whatever they are worth. */
  take(candidates: readonly Candidate[], tokens: number): void {
    let left = tokens;
    for (const candidate of candidates) {
      const cost = this.#cost({ candidate, size: this.#sizeOf(candidate.unit), ratio: 0 });
      if (cost > left || this.#isOut(candidate)) continue;
      left -= cost;
      this.#choose(candidate);
    }
  }

  /** As it is written: each line under its heading. */
  #sizeOf({ text }: Unit): number {
    return text === '' ? 0 : this.#count(text.includes('\n') ? shownLines(text).join('\n  ') : text) + 1;
  }

  #isOut({ group, unit, most, with: others = [], isQuestion }: Candidate): boolean {
    const known = this.#groups.get(group);
    // What it needs stands elsewhere, with something else.
    if (isQuestion && others.some(({ unit: answer }) => this.#quoted.has(answer.text) && !this.#units.has(answer)))
      return true;
    if (unit.text === '') return known?.isOpen === true;
    // A few show what the others of a family are like.
    const limit = Math.min(most * this.#stretch, group.isFamily ? FAMILY : Number.POSITIVE_INFINITY);
    return this.#seen.has(unit.text) || (known?.quoted ?? 0) >= limit;
  }

  #enter(member: Sized): void {
    push(this.#heap, { ...member, ratio: this.#gain(member.candidate) / this.#cost(member) });
  }

  #cost({ candidate, size }: Sized): number {
    const group = this.#groups.get(candidate.group);
    const others = this.#missing(candidate);
    const more = others.reduce((sum, { unit }) => sum + this.#sizeOf(unit), 0);
    const [other] = others;
    const opened = other === undefined ? undefined : this.#groups.get(other.group);
    return Math.max(1, size + more + headOf(group) + headOf(opened));
  }

  #gain(candidate: Candidate): number {
    const { group, unit, bonus, weight } = candidate;
    const own = bonus + weight * this.#worthOf(unit);
    const others = this.#missing(candidate).reduce((sum, other) => sum + this.#gain(other), 0);
    return own + others + (this.#groups.get(group)?.isOpen ? 0 : this.#worthOf(headerWith(group, unit)));
  }

  /** What must stand with a candidate and does not yet. */
  #missing(candidate: Candidate): readonly Candidate[] {
    return candidate.with === undefined ? [] : candidate.with.filter(({ unit }) => !this.#seen.has(unit.text));
  }

  #worthOf(unit: Unit): number {
    const clarity = clarityOf(unit);
    let worth = 0;
    for (const key of unit.keys) {
      worth += (this.#worth.keys.get(key) ?? 0) * clarity * AGAIN ** (this.#covered.get(key) ?? 0);
    }
    for (const word of unit.words) if (!this.#covered.has(word)) worth += this.#worth.words.get(word) ?? 0;
    return worth;
  }

  #choose(candidate: Candidate): void {
    const { group, unit } = candidate;
    for (const other of this.#missing(candidate)) this.#choose(other);
    this.chosen.push(candidate);
    this.#quoted.add(unit.text);
    this.#units.add(unit);
    this.say([unit]);
    const known = this.#groups.get(group);
    if (known === undefined) return;
    if (unit.text !== '') known.quoted += 1;
    if (known.isOpen) return;
    known.isOpen = true;
    this.#cover(headerWith(group, unit));
    // Under an open header the others have become cheaper.
    for (const member of known.members) this.#enter(member);
  }

  #cover(unit: Unit): void {
    const clarity = clarityOf(unit);
    for (const key of unit.keys) this.#covered.set(key, clarity + (this.#covered.get(key) ?? 0));
    for (const word of unit.words) this.#covered.set(word, 1);
  }
}

/** A heading as the first line under it explains it: what a file begins with stands next to its name. */
function headerWith({ header, units, section }: Group, unit: Unit): Unit {
  const isOpening = section === 'file_system_state' && units[0] === unit && !IMPORTS.test(unit.text);
  return isOpening ? { ...header, words: [...header.words, ...unit.words] } : header;
}

// What a file needs tells nothing of what it is.
const IMPORTS = /^(?:import|from|use|using|#include|require|package|@import)\b/;

type Known = { isOpen: boolean; size: number; quoted: number; members: Sized[] };

const headOf = (group: Known | undefined): number => (group === undefined || group.isOpen ? 0 : group.size);

type Sized = { readonly candidate: Candidate; readonly size: number; readonly ratio: number };

const FAMILY = 24;

// What is left must at least hold a short line.
const LEAST = 6;

// Share of its worth that a second clear mention still has: chosen among three by half of the recorded sessions.
const AGAIN = 0.02;

/** How well a unit shows what its identifiers are about: a bare list of them says little, two words say most. */
function clarityOf({ words }: Unit): number {
  return CLARITY[words.length] ?? 1;
}

const CLARITY: readonly number[] = [0.1, 0.35, 0.8, 0.9, 0.95];
