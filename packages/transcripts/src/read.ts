import { TranscriptError } from './model/errors.ts';
import type { Fault, Item, Piece, Reading, SourceName } from './model/item.ts';
import { isObject, textOf } from './model/json.ts';
import type { Session } from './model/session.ts';
import type { Bytes } from './pieces/bytes.ts';
import { type Layout, readPieces } from './pieces/pieces.ts';
import { readerOf } from './readers/index.ts';
import { SessionBuilder } from './tree/builder.ts';

/**
 * Reads a file item by item, whatever agent wrote it. Holds one record at a time, whatever the size of the file.
 * Throws `TranscriptError` where it is no transcript; what is wrong inside one comes as items.
 */
export async function* readItems(bytes: Bytes): AsyncGenerator<Item, void, void> {
  const reading = readAny();
  for await (const batch of readPieces(bytes, { isRecord })) {
    for (const piece of batch) for (const item of reading.push(piece)) yield item;
  }
  for (const item of reading.end()) yield item;
}

type ReadingAny = {
  readonly push: (piece: Piece | Fault) => readonly Item[];
  readonly end: () => readonly Item[];
};

/** Reads with the reader of the first piece that one claims; what came before it waits. Throws where none claims any. */
function readAny(): ReadingAny {
  let waiting: (Piece | Fault)[] = [];
  let reading: Reading | undefined;
  return {
    push: (piece) => {
      if (reading !== undefined) return itemsOf(piece, reading);
      waiting.push(piece);
      reading = isFault(piece) ? undefined : readerOf(piece)?.open();
      if (reading === undefined && waiting.length > MOST_WAITING) throw unknownFormat(waiting);
      if (reading === undefined) return [];
      const before = waiting;
      waiting = [];
      return replayed(before, reading);
    },
    end: () => {
      if (reading === undefined) throw unknownFormat(waiting);
      return reading.end();
    },
  };
}

function itemsOf(piece: Piece | Fault, reading: Reading): readonly Item[] {
  if (isFault(piece)) return [piece];
  const items = reading.push(piece);
  return piece.cut === undefined ? items : [...items, piece.cut];
}

/** Reads a file session by session, each with its messages in memory. */
export async function* readSessions(bytes: Bytes): AsyncGenerator<Session, void, void> {
  let builder: SessionBuilder | undefined;
  for await (const item of readItems(bytes)) {
    if (item.kind === 'session') {
      if (builder !== undefined) yield builder.finish();
      builder = new SessionBuilder(item);
    } else builder?.add(item);
  }
  if (builder !== undefined) yield builder.finish();
}

/** What kind of file this is, and how it is made up; reads no further than that takes. */
export async function sniff(
  bytes: Bytes,
): Promise<{ readonly source: SourceName; readonly layout: Layout } | undefined> {
  let layout: Layout = 'document';
  let seen = 0;
  const onLayout = (found: Layout): void => {
    layout = found;
  };
  const pieces = readPieces(bytes, { onLayout, isRecord });
  for await (const batch of pieces) {
    for (const piece of batch) {
      const reader = isFault(piece) ? undefined : readerOf(piece);
      if (reader !== undefined) return { source: reader.source, layout };
      seen += 1;
      if (seen > MOST_WAITING) return undefined;
    }
  }
  return undefined;
}

// Agents name themselves in their first records; a long list of others is some other file.
const MOST_WAITING = 1000;

/** A record or message that may stand alone in its file; a whole request of an API is no such thing. */
function isRecord(value: unknown): boolean {
  const reader = readerOf({ path: [], value });
  return reader?.source === 'api' ? reader.claims({ path: ['messages'], value }) : reader !== undefined;
}

function isFault(piece: Piece | Fault): piece is Fault {
  return 'kind' in piece;
}

/** Pieces come first, so that what was wrong in front of the session is told within it. */
function replayed(waiting: readonly (Piece | Fault)[], reading: Reading): readonly Item[] {
  const items = waiting.flatMap((piece) => (isFault(piece) ? [] : reading.push(piece)));
  const faults = waiting.flatMap((piece) => (isFault(piece) ? piece : (piece.cut ?? [])));
  return [...items, ...faults];
}

function unknownFormat(waiting: readonly (Piece | Fault)[]): TranscriptError {
  const fault = waiting.find(isFault);
  const piece = waiting.find((candidate): candidate is Piece => !isFault(candidate));
  const found = [
    ...(piece === undefined ? [] : [describe(piece)]),
    ...(fault === undefined ? [] : [`${fault.place}: ${fault.reason}`]),
  ].join('; ');
  return new TranscriptError(
    'unknown-format',
    `it is no session of an agent that is known here, nor a list of messages (found: ${found || 'nothing'})`,
  );
}

function describe({ path, value }: Piece): string {
  const place = path.length === 0 ? '' : `${path.join('.')}: `;
  if (!isObject(value))
    return `${place}${(typeof value === 'string' ? JSON.stringify(value) : textOf(value)).slice(0, 60) || typeof value}`;
  return `${place}an object with ${Object.keys(value).slice(0, 6).join(', ') || 'no keys'}`;
}
