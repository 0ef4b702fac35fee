import { closeSync, existsSync, openSync, readSync, rmSync, statSync, truncateSync, writeSync } from 'node:fs';
import { SUFFIXES } from './copy.ts';
import { openFile } from './open.ts';

const HEADER = 100;
const PAGE = 4096;
const MAGIC = 'SQLite format 3\0';
// A damaged header may claim anything; a file of which more is lost is filled up no further.
const MOST_LOST = 16;

/** Makes the header of a copy what every file of ours has there, whatever became of it. */
export function mendHeader(copy: string): void {
  const header = read(copy, HEADER);
  if (header === undefined) return;
  header.write(MAGIC, 0, 'latin1');
  const size = header.readUInt16BE(16);
  // A power of two from 512 on; 1 stands for 65536.
  const isSize = size === 1 || (size >= 512 && (size & (size - 1)) === 0);
  if (!isSize) header.writeUInt16BE(PAGE, 16);
  // Written and read by WAL, no reserved bytes, three fixed fractions; format 4 of the schema, texts in UTF-8.
  Buffer.from([2, 2, 0, 64, 32, 32]).copy(header, 18);
  header.writeUInt32BE(4, 44);
  header.writeUInt32BE(1, 56);
  const pages = pagesOf(header, statSync(copy).size);
  header.writeUInt32BE(pages, 28);
  // The number of pages counts only where these two are alike.
  header.copy(header, 92, 24, 28);
  write(copy, header, 0);
  // SQLite reads nothing of a file that was cut off: zeros take the place of what is missing.
  const page = pageSizeOf(header);
  if (pages * page > statSync(copy).size) truncateSync(copy, pages * page);
}

/** How long a file was by its own account, where that is more than is left of it. */
export function lengthBefore(path: string): number | undefined {
  const header = read(path, HEADER);
  if (header === undefined || header.toString('latin1', 0, MAGIC.length) !== MAGIC) return undefined;
  const size = statSync(path).size;
  const length = pagesOf(header, size) * pageSizeOf(header);
  return length > Math.ceil(size / PAGE) * PAGE ? length : undefined;
}

function pagesOf(header: Buffer, size: number): number {
  const there = Math.ceil(size / pageSizeOf(header));
  const claimed = header.readUInt32BE(28);
  return claimed > there && claimed < there * MOST_LOST ? claimed : there;
}

function pageSizeOf(header: Buffer): number {
  const size = header.readUInt16BE(16);
  return size === 1 ? 65_536 : size;
}

/** Gives a copy whose first page is lost the one of a new file: the tables of both begin on the same pages. */
export async function mendSchema(copy: string): Promise<void> {
  const template = `${copy}.new`;
  try {
    const fresh = await openFile(template);
    fresh.exec('pragma wal_checkpoint(truncate)');
    fresh.close();
    const first = read(template, PAGE);
    if (first !== undefined && read(copy, PAGE) !== undefined) write(copy, first.subarray(HEADER), HEADER);
  } finally {
    for (const suffix of SUFFIXES) rmSync(`${template}${suffix}`, { force: true });
  }
}

function read(path: string, length: number): Buffer | undefined {
  if (!existsSync(path)) return undefined;
  const bytes = Buffer.alloc(length);
  const file = openSync(path, 'r');
  try {
    return readSync(file, bytes, 0, length, 0) === length ? bytes : undefined;
  } finally {
    closeSync(file);
  }
}

function write(path: string, bytes: Buffer, at: number): void {
  const file = openSync(path, 'r+');
  try {
    writeSync(file, bytes, 0, bytes.length, at);
  } finally {
    closeSync(file);
  }
}
