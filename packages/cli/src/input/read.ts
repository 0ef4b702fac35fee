import { constants, isUtf8 } from 'node:buffer';
import { createReadStream, type Stats } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { addAbortSignal, type Readable } from 'node:stream';
import { systemCode, UsageError } from '../errors.ts';
import { barOf, createStatus, NO_STATUS } from '../output/status.ts';

/** A file as it came, and its text without a byte order mark. */
export type Source = {
  /** What to call it in messages. */
  readonly name: string;
  readonly bytes: Buffer;
  readonly text: string;
};

// Beyond it the parsed values no longer fit the default heap of Node.
const MOST_BYTES = 256_000_000;

/** A file or what is piped in, to be read any number of times. */
export type Input = {
  /** What to call it in messages. */
  readonly name: string;
  /** Where it is, if it is a file and no pipe. */
  readonly path?: string;
  readonly size?: number;
  /** The bytes from the start. */
  readonly bytes: () => AsyncIterable<Buffer> | Iterable<Buffer>;
  /** All of it, as text. */
  readonly source: () => Promise<Source>;
};

/** Opens a file, or standard input for `-` and where something is piped in. */
export async function openInput(file: string | undefined, signal: AbortSignal): Promise<Input> {
  if (file === undefined && process.stdin.isTTY) {
    throw new UsageError('No input: name a file, or pipe a conversation in.');
  }
  if (file === undefined || file === '-') return heldInput('stdin', await collect(process.stdin, 'stdin', signal));
  const found = await statOf(file);
  if (found.isDirectory()) throw new UsageError(`${file} is a directory; name a file in it.`);
  // A pipe or device can be read but once.
  if (!found.isFile()) return heldInput(file, await readFile(file, signal));
  return {
    name: file,
    path: file,
    size: found.size,
    bytes: () => streamOf({ file, size: found.size }, signal),
    source: async () => textOf(file, await readFile(file, signal)),
  };
}

/** Reads a file, or standard input for `-` and where something is piped in. */
export async function readSource(file: string | undefined, signal: AbortSignal): Promise<Source> {
  return (await openInput(file, signal)).source();
}

function heldInput(name: string, bytes: Buffer): Input {
  return { name, size: bytes.length, bytes: () => [bytes], source: async () => textOf(name, bytes) };
}

async function statOf(file: string): Promise<Stats> {
  try {
    return await stat(file);
  } catch (cause) {
    throw readFailure(file, cause);
  }
}

async function* streamOf(of: { file: string; size: number }, signal: AbortSignal): AsyncGenerator<Buffer> {
  const { file, size } = of;
  const status = size < SLOW ? NO_STATUS : createStatus(process.stderr);
  let done = 0;
  try {
    for await (const chunk of createReadStream(file, { signal, highWaterMark: CHUNK })) {
      done += chunk.length;
      status.show(`${barOf(done, size)} ${Math.round(done / 1e6)} of ${Math.round(size / 1e6)} MB: ${file}`);
      yield chunk;
    }
  } catch (cause) {
    throw readFailure(file, cause);
  } finally {
    status.clear();
  }
}

// What takes longer than a moment is worth a line on the terminal.
const SLOW = 50_000_000;

const CHUNK = 1024 * 1024;

async function readFile(file: string, signal: AbortSignal): Promise<Buffer> {
  let handle: FileHandle | undefined;
  try {
    handle = await open(file);
    const found = await handle.stat();
    if (found.isDirectory()) throw new UsageError(`${file} is a directory; name a file in it.`);
    if (found.size > MOST_BYTES) throw tooLarge(file, `${Math.round(found.size / 1e6)} MB`);
    return await collect(handle.createReadStream({ autoClose: false }), file, signal);
  } catch (cause) {
    throw readFailure(file, cause);
  } finally {
    await handle?.close();
  }
}

// A pipe or device tells no size: what it gives is counted.
async function collect(stream: Readable, name: string, signal: AbortSignal): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of addAbortSignal(signal, stream)) {
    size += chunk.length;
    if (size > MOST_BYTES) throw tooLarge(name, `more than ${MOST_BYTES / 1e6} MB`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function tooLarge(name: string, size: string): UsageError {
  return new UsageError(`${name} has ${size}; the most that is read is ${MOST_BYTES / 1e6} MB.`);
}

function readFailure(file: string, cause: unknown): unknown {
  switch (systemCode(cause)) {
    case 'ENOENT':
    case 'ENOTDIR':
      return new UsageError(`There is no file ${file}.`);
    case 'EACCES':
    case 'EPERM':
      return new UsageError(`${file} may not be read: permission denied.`);
    case 'ENAMETOOLONG':
    case 'ELOOP':
    case 'EIO':
    case 'ENXIO':
      return new UsageError(`${file} cannot be read (${systemCode(cause)}).`);
    default:
      return cause;
  }
}

function textOf(name: string, bytes: Buffer): Source {
  const refusal = whyNotText(bytes);
  if (refusal !== undefined) throw new UsageError(`${name} ${refusal}`);
  const hasMark = bytes.length >= 3 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  if (bytes.length > constants.MAX_STRING_LENGTH) throw tooLarge(name, `${bytes.length} bytes`);
  return { name, bytes, text: bytes.toString('utf8', hasMark ? 3 : 0) };
}

function whyNotText(bytes: Buffer): string | undefined {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) {
    return 'is UTF-16; convert it first: iconv -f UTF-16 -t UTF-8.';
  }
  if (first === 0x1f && second === 0x8b) return 'is compressed; unpack it first: gunzip -c.';
  if (bytes.includes(0) || !isUtf8(bytes)) return 'is not text: it is a binary file, or not in UTF-8.';
  return undefined;
}
