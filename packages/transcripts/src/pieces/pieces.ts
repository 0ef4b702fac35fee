import { TranscriptError } from '../model/errors.ts';
import type { Fault, Piece } from '../model/item.ts';
import { type Bytes, decodeText, isSpace, NEWLINE, OPEN_ARRAY, OPEN_OBJECT, parseText } from './bytes.ts';
import { bound } from './depth.ts';
import { DocumentSplitter } from './document.ts';
import { type Line, LineSplitter } from './lines.ts';

/** How a file is made up: lines of JSON, one JSON text, or plain text. */
export type Layout = 'lines' | 'document' | 'text';

/** Who reads the pieces of a file. */
export type Client = {
  readonly onLayout?: (layout: Layout) => void;
  /** True for a value that is one of many: a file that has but one line may hold the first of them. */
  readonly isRecord?: (value: unknown) => boolean;
};

/** The values of a file in order, in batches to be gone through at once; of plain text the lines. Holds one value at most. */
export async function* readPieces(
  bytes: Bytes,
  { onLayout, isRecord }: Client = {},
): AsyncGenerator<Iterable<Piece | Fault>> {
  const splitterOf = (head: Buffer): Split => {
    const layout = layoutOf(head, isRecord);
    onLayout?.(layout);
    return splitters[layout]();
  };
  const head: Buffer[] = [];
  let size = 0;
  let split: Split | undefined;
  for await (const chunk of bytes) {
    const buffer = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    if (split !== undefined) {
      yield split.push(buffer);
      continue;
    }
    head.push(Buffer.from(buffer));
    size += buffer.length;
    if (size < LONGEST_HEAD && !isTelling(buffer)) continue;
    const whole = Buffer.concat(head.splice(0));
    split = splitterOf(whole);
    for (const part of slicesOf(whole)) yield split.push(part);
  }
  if (split === undefined) {
    const whole = Buffer.concat(head);
    split = splitterOf(whole);
    for (const part of slicesOf(whole)) yield split.push(part);
  }
  yield split.end();
}

function* slicesOf(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += SLICE) yield bytes.subarray(at, at + SLICE);
}

const SLICE = 1024 * 1024;

// A first line of this length settles it: nobody writes longer records first.
const LONGEST_HEAD = 12 * 1024 * 1024;

// The layout shows in the first line with something on it; a second one settles doubtful cases.
function isTelling(chunk: Buffer): boolean {
  const first = chunk.indexOf(NEWLINE);
  return first >= 0 && chunk.indexOf(NEWLINE, first + 1) >= 0;
}

/** How a file is made up, by its first bytes. */
export function layoutOf(head: Buffer, isRecord: (value: unknown) => boolean = () => false): Layout {
  refuseBinary(head);
  const start = firstByte(head);
  if (start < 0) throw new TranscriptError('empty', 'it is empty');
  const byte = head[start] ?? 0;
  const [first = '', ...others] = firstLines(head, start);
  if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
    const { value, fault } = parseText(first);
    if (fault === undefined) return others.length === 0 && !isRecord(value) ? 'document' : 'lines';
    if (byte === OPEN_ARRAY) return 'document';
  }
  // A broken first line is no reason to read the rest as one text.
  const hasRecord = others.some((line) => line?.startsWith('{') && parseText(line).fault === undefined);
  return hasRecord ? 'lines' : byte === OPEN_OBJECT ? 'document' : 'text';
}

function refuseBinary(head: Buffer): void {
  const [first, second] = head;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) {
    throw new TranscriptError('not-text', 'it is UTF-16; convert it first: iconv -f UTF-16 -t UTF-8');
  }
  if (first === 0x1f && second === 0x8b) {
    throw new TranscriptError('not-text', 'it is compressed; unpack it first: gunzip -c');
  }
  if (head.subarray(0, 65_536).includes(0)) throw new TranscriptError('not-text', 'it is a binary file');
}

function firstByte(head: Buffer): number {
  let at = head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf ? 3 : 0;
  while (at < head.length && isSpace(head[at] ?? 0)) at += 1;
  return at < head.length ? at : -1;
}

/** The first lines that hold something; `undefined` for one that is not UTF-8. */
function firstLines(head: Buffer, start: number): readonly (string | undefined)[] {
  const lines: (string | undefined)[] = [];
  for (let at = start; at < head.length && lines.length < 5; ) {
    const newline = head.indexOf(NEWLINE, at);
    const end = newline < 0 ? head.length : newline;
    const line = decodeText(head.subarray(at, end));
    if (line === undefined || line.trim() !== '') lines.push(line);
    at = end + 1;
  }
  return lines;
}

type Split = { readonly push: (chunk: Buffer) => Batch; readonly end: () => Batch };
type Batch = Iterable<Piece | Fault>;

const splitters: Readonly<Record<Layout, () => Split>> = {
  document: () => new DocumentSplitter(),
  lines: () => linesOf(recordOf),
  text: () =>
    linesOf(({ text, number, fault }) =>
      fault === undefined
        ? { path: [], value: text.endsWith('\r') ? text.slice(0, -1) : text }
        : faultAt(number, fault),
    ),
};

function linesOf(read: (line: Line) => Piece | Fault | undefined): Split {
  const splitter = new LineSplitter();
  // One by one: what is read before it is wanted would outlive the collector's first look.
  function* all(lines: Iterable<Line>): Generator<Piece | Fault> {
    for (const line of lines) {
      const piece = read(line);
      if (piece !== undefined) yield piece;
    }
  }
  return { push: (chunk) => all(splitter.push(chunk)), end: () => all(splitter.end()) };
}

function recordOf({ number, text, fault }: Line): Piece | Fault | undefined {
  if (fault !== undefined) return faultAt(number, fault);
  if (text.trim() === '') return undefined;
  const parsed = parseText(text);
  if (parsed.fault !== undefined) return faultAt(number, parsed.fault);
  const { value, fault: cut } = bound(parsed, text.length);
  return cut === undefined ? { path: [], value } : { path: [], value, cut: faultAt(number, cut) };
}

function faultAt(line: number, reason: string): Fault {
  return { kind: 'fault', place: `line ${line}`, reason };
}
