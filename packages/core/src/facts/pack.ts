import {
  type Entry,
  FACT_KINDS,
  type FactKind,
  type Ledger,
  type PackedEntry,
  type PackedLedger,
} from '../model/facts.ts';
import { holder, keysOf } from './diff.ts';
import { scopeOf } from './entries.ts';
import { rankFacts } from './rank.ts';

/**
 * A ledger for a record with this summary, as JSON no longer than a twelfth of the messages it stands for (or 8,000
 * characters): what the summary holds first, then of each kind its share by expected use, what the user named before the
 * rest; then what is used most. What finds no room is counted per kind.
 */
export function packLedger(ledger: Ledger, text: string): PackedLedger {
  const { left: before = {}, ...scope } = scopeOf(ledger);
  const sheet = new Sheet(roomOf(ledger));
  const left = sheet.add(sheet.add(inOrder(ledger, text), KIND_SHARE), 1);
  const counts: Partial<Record<FactKind, number>> = { ...before };
  for (const { kind } of left) counts[kind] = (counts[kind] ?? 0) + 1;
  return { ...scope, ...sheet.read(), ...(Object.keys(counts).length === 0 ? {} : { left: counts }) };
}

/** Characters of JSON that facts of so many characters of messages may take. */
export function factsRoom(chars: number): number {
  return Math.max(LEAST_ROOM, Math.floor(chars / SHARE));
}

const SHARE = 12;
const LEAST_ROOM = 8000;
// The most that one kind may take before the others had their turn: a thousand decisions must not drown the paths.
const KIND_SHARE = 1 / 12;
// What stands around the rows: names of kinds, brackets, how many of each kind were left.
const FRAME = 100 + FACT_KINDS.length * 40;
// No row is shorter; quotes, commas, brackets and twelve figures are what it has beside its texts.
const LEAST_ROW = 40;
const AROUND = 33;

/** The least room that a row takes: thousands come when there is hardly any left, and need not be written out. */
function leastOf({ value, context, status, first, last, lastOwn }: Entry): number {
  const texts = value.length + (context === value ? 0 : context.length) + (status === undefined ? 0 : status.length);
  const digits = furtherDigits(first) + furtherDigits(last) + furtherDigits(lastOwn);
  return Math.max(LEAST_ROW, AROUND + texts + digits);
}

/** Digits of a figure behind the first, three at most. */
function furtherDigits(figure: number): number {
  return (figure > 9 ? 1 : 0) + (figure > 99 ? 1 : 0) + (figure > 999 ? 1 : 0);
}

function roomOf({ chars }: Ledger): number {
  // A ledger that nobody measured, such as one made by hand, is kept whole.
  return chars === undefined ? Number.POSITIVE_INFINITY : factsRoom(chars) - FRAME;
}

/** What the text holds and then what it lacks, of either first what the user named, each by expected use. */
function inOrder(ledger: Ledger, text: string): readonly Entry[] {
  const present = keysOf(text);
  const holds = holder(text, present);
  // Round after round brings more that was read lately: the ticket of the first prompt must not give way to it.
  const groups: [heldNamed: Entry[], held: Entry[], named: Entry[], others: Entry[]] = [[], [], [], []];
  const [heldNamed, held, named, others] = groups;
  for (const { key, entry } of rankFacts(ledger)) {
    const isHeld = present.has(key) || (IN_WORDS.has(entry.kind) && holds(key, entry));
    const isNamed = entry.counts.prompt > 0;
    if (isHeld) (isNamed ? heldNamed : held).push(entry);
    else (isNamed ? named : others).push(entry);
  }
  return groups.flat();
}

// Found by looking for their words; identifiers, which are many, by their keys.
const IN_WORDS = new Set<FactKind>(['demand', 'decision', 'todo', 'file', 'command', 'error', 'name']);

/** Rows within a room, the ids they name written once. */
class Sheet {
  readonly #ids = new Map<string, number>();
  readonly #facts: Partial<Record<FactKind, PackedEntry[]>> = {};
  readonly #spent = new Map<FactKind, number>();
  readonly #room: number;
  #used = 0;

  constructor(room: number) {
    this.#room = room;
  }

  /** Writes what fits while its kind has less than a share of the room; returns what did not. */
  add(entries: readonly Entry[], share: number): readonly Entry[] {
    return entries.filter((entry) => {
      const spent = this.#spent.get(entry.kind) ?? 0;
      const room = Math.min(this.#room - this.#used, this.#room * share - spent);
      const least = leastOf(entry);
      if (room < least) return true;
      const ofIds = this.#costOfIds(entry);
      if (room < least + ofIds) return true;
      const row = rowOf(entry, this.#placesOf(entry));
      const cost = JSON.stringify(row).length + 1 + ofIds;
      if (cost > room) return true;
      this.#used += cost;
      this.#spent.set(entry.kind, spent + cost);
      this.#write(entry, row);
      return false;
    });
  }

  read(): Pick<PackedLedger, 'ids' | 'facts'> {
    return { ids: [...this.#ids.keys()], facts: this.#facts };
  }

  /** Where ids stand among those written so far; new ones come behind them. */
  #placesOf({ firstId, lastId }: Entry): readonly [first: number, last: number] {
    const { size } = this.#ids;
    const first = firstId === undefined ? -1 : (this.#ids.get(firstId) ?? size);
    if (lastId === undefined) return [first, -1];
    return [first, this.#ids.get(lastId) ?? (first === size && firstId !== lastId ? size + 1 : size)];
  }

  #costOfIds({ firstId, lastId }: Entry): number {
    const ofFirst = this.#costOfId(firstId);
    return firstId === lastId ? ofFirst : ofFirst + this.#costOfId(lastId);
  }

  #costOfId(id: string | undefined): number {
    return id === undefined || this.#ids.has(id) ? 0 : JSON.stringify(id).length + 1;
  }

  #write({ kind, firstId, lastId }: Entry, row: PackedEntry): void {
    for (const id of [firstId, lastId]) if (id !== undefined && !this.#ids.has(id)) this.#ids.set(id, this.#ids.size);
    const rows = this.#facts[kind] ?? [];
    rows.push(row);
    this.#facts[kind] = rows;
  }
}

function rowOf(entry: Entry, places: readonly number[]): PackedEntry {
  const { kind, value, context, first, last, lastOwn, messages, own, counts, among, status = '', call = '' } = entry;
  const { prompt, answer, call: calls, result } = counts;
  const row = [
    value,
    context === value ? '' : context,
    [...places, first, last, lastOwn, messages, own, prompt, answer, calls, result, among],
  ] as const;
  // A call is named to learn how it ended.
  const awaited = kind === 'todo' || (kind === 'command' && status === '') ? call : '';
  if (awaited !== '') return [...row, status, awaited];
  return status === '' ? row : [...row, status];
}
