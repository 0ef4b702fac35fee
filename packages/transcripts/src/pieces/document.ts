import type { Fault, Piece } from '../model/item.ts';
import { CLOSE_ARRAY, CLOSE_OBJECT, COLON, COMMA, isSpace, OPEN_ARRAY, OPEN_OBJECT, QUOTE } from './bytes.ts';
import { Capture } from './capture.ts';

type Level = { readonly kind: 'object' | 'array'; readonly path: readonly string[]; key: string; count: number };
type Expected = 'value' | 'key' | 'colon' | 'more' | 'end' | 'nothing';

/**
 * Takes one JSON text apart while it comes in. Objects are opened down to two keys and the lists in them entry by entry,
 * so that nothing is held but the entry at hand: `{"a":{"b":[1,2]}}` gives 1 and 2 at the path a, b.
 */
export class DocumentSplitter {
  readonly #levels: Level[] = [];
  readonly #capture = new Capture();
  #failure: Fault | undefined;
  #offset = 0;
  #expected: Expected = 'value';

  /** The pieces that end in a chunk. */
  *push(chunk: Buffer): Generator<Piece | Fault> {
    let at = this.#offset === 0 && chunk[0] === 0xef && chunk[1] === 0xbb && chunk[2] === 0xbf ? 3 : 0;
    while (at < chunk.length && this.#expected !== 'nothing') {
      if (this.#capture.isOpen) {
        at = this.#capture.scan(chunk, at);
        if (!this.#capture.isOpen) yield* this.#finish();
        continue;
      }
      const byte = chunk[at] ?? 0;
      if (!isSpace(byte) && this.#isValueStart(byte, this.#offset + at)) this.#capture.start();
      else at += 1;
    }
    this.#offset += chunk.length;
    if (this.#failure !== undefined) yield this.#failure;
    this.#failure = undefined;
  }

  /** What is missing at the end. */
  end(): readonly Fault[] {
    if (this.#expected === 'end' || this.#expected === 'nothing') return [];
    return [{ kind: 'fault', place: `byte ${this.#offset}`, reason: 'the file ends in the middle of a value' }];
  }

  /** One byte of structure. True where a value or key begins that is to be captured. */
  #isValueStart(byte: number, offset: number): boolean {
    const level = this.#levels.at(-1);
    if (this.#expected === 'end') this.#fail(offset, 'there is more behind the end of the value');
    else if (byte === COMMA && this.#expected === 'more') {
      this.#expected = level?.kind === 'object' ? 'key' : 'value';
    } else if (byte === COLON && this.#expected === 'colon') this.#expected = 'value';
    else if (this.#closes(byte, level)) this.#close();
    else if (this.#expected === 'key' && byte !== QUOTE) this.#fail(offset, 'a key in double quotes should be here');
    else if (this.#expected === 'colon' || this.#expected === 'more') {
      this.#fail(offset, this.#expected === 'colon' ? 'a colon should be here' : 'a comma or the end should be here');
    } else if (this.#expected === 'value' && this.#opens(byte)) {
      this.#levels.push({ kind: byte === OPEN_OBJECT ? 'object' : 'array', path: pathIn(level), key: '', count: 0 });
      this.#expected = byte === OPEN_OBJECT ? 'key' : 'value';
    } else return true;
    return false;
  }

  #closes(byte: number, level: Level | undefined): boolean {
    if (byte === CLOSE_OBJECT) return level?.kind === 'object' && this.#expected !== 'colon';
    return byte === CLOSE_ARRAY && level?.kind === 'array';
  }

  /** Objects are opened two deep and lists in them, but nothing inside a list. */
  #opens(byte: number): boolean {
    if (this.#levels.some(({ kind }) => kind === 'array')) return false;
    return byte === OPEN_ARRAY || (byte === OPEN_OBJECT && this.#levels.length < 2);
  }

  #finish(): readonly (Piece | Fault)[] {
    const level = this.#levels.at(-1);
    const { value, fault, cut } = this.#capture.take();
    if (this.#expected === 'key' && level !== undefined) {
      level.key = typeof value === 'string' ? value : '';
      this.#expected = 'colon';
      return [];
    }
    const place = placeIn(level);
    this.#ended(level);
    if (fault !== undefined) return [{ kind: 'fault', place, reason: fault }];
    const piece = { path: pathIn(level), value };
    return [cut === undefined ? piece : { ...piece, cut: { kind: 'fault', place, reason: cut } }];
  }

  #close(): void {
    this.#levels.pop();
    this.#ended(this.#levels.at(-1));
  }

  #ended(level: Level | undefined): void {
    this.#expected = level === undefined ? 'end' : 'more';
    if (level !== undefined) level.count += 1;
  }

  #fail(offset: number, what: string): void {
    this.#expected = 'nothing';
    this.#failure = { kind: 'fault', place: `byte ${offset}`, reason: `not JSON: ${what}` };
  }
}

function pathIn(level: Level | undefined): readonly string[] {
  if (level === undefined) return [];
  return level.kind === 'array' ? level.path : [...level.path, level.key];
}

function placeIn(level: Level | undefined): string {
  const path = pathIn(level).join('.');
  return level?.kind === 'array' ? `${path}[${level.count}]` : path;
}
