import type { Details, Item, Piece, Reader } from '../model/item.ts';
import type { Session } from '../model/session.ts';
import { parseText } from '../pieces/bytes.ts';
import { bound } from '../pieces/depth.ts';
import { SessionBuilder } from '../tree/builder.ts';

/** A session of records that do not come from one file; what cannot be read of them is told with its place. */
export class StoredSession {
  readonly #reading: ReturnType<Reader['open']>;
  #builder: SessionBuilder | undefined;
  /** What was wrong in front of the first record. */
  #waiting: Item[] = [];

  constructor(reader: Reader) {
    this.#reading = reader.open();
  }

  /** Takes one more record. */
  push(piece: Piece): void {
    for (const item of this.#reading.push(piece)) this.#add(item);
  }

  /** Parses JSON text; where it is none, that is noted and nothing is given. */
  parse(text: string, place: string): unknown {
    const parsed = parseText(text);
    const { value, fault } = parsed.fault === undefined ? bound(parsed, text.length) : parsed;
    if (fault !== undefined) this.fault(place, fault);
    return value;
  }

  /** Notes that something could not be read. */
  fault(place: string, reason: string): void {
    this.#add({ kind: 'fault', place, reason });
  }

  /** Notes what is known of the session from elsewhere. */
  tell(details: Details): void {
    this.#add({ kind: 'details', details });
  }

  /** The session; `undefined` where nothing was pushed. */
  finish(): Session | undefined {
    for (const item of this.#reading.end()) this.#add(item);
    return this.#builder?.finish();
  }

  #add(item: Item): void {
    if (item.kind === 'session') {
      this.#builder = new SessionBuilder(item);
      for (const before of this.#waiting.splice(0)) this.#add(before);
    } else if (this.#builder === undefined) this.#waiting.push(item);
    else this.#builder.add(item);
  }
}
