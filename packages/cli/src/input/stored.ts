import { open, readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import {
  isTranscriptError,
  listDatabase,
  type OpencodeMessage,
  type OpencodeRecord,
  type Query,
  readOpencode,
  readStored,
  type StoredEntry,
} from '@epitome/transcripts';
import { messageOf, UsageError } from '../errors.ts';
import { isObject, type JsonObject } from './json.ts';
import { openhandsStorage } from './openhands.ts';
import type { Storage } from './storage.ts';

/** Works on an agent's own storage where the file is one; gives `undefined` where it is any other file. */
export async function withStorage<T>(path: string, work: (storage: Storage) => Promise<T>): Promise<T | undefined> {
  if (OPENCODE_FILE.test(path.replaceAll('\\', '/'))) return work(await opencodeFile(path));
  const events = await openhandsStorage(path);
  if (events !== undefined) return work(events);
  if (!(await isDatabase(path))) return undefined;
  const { openDatabase } = await import('@epitome/store/sqlite');
  const database = openDatabase(path, { readOnly: true });
  try {
    // A file of another program must not run code of its own.
    database.exec('pragma trusted_schema = off');
    const query: Query = (sql, ...values) => database.prepare(sql).all(...values);
    return await work({ entries: listDatabase(query), read: (entry) => readStored(query, entry) });
  } catch (cause) {
    if (isTranscriptError(cause)) throw new UsageError(`${path} cannot be read: ${cause.message}.`, { cause });
    throw isSqlite(cause) ? new UsageError(`${path} cannot be read: ${messageOf(cause)}.`, { cause }) : cause;
  } finally {
    database.close();
  }
}

// A session of opencode before it had a database; its messages and parts lie in folders beside.
const OPENCODE_FILE = /(?:^|\/)session\/[^/]+\/ses_[^/]+\.json$/;
const MAGIC = 'SQLite format 3\0';

async function isDatabase(path: string): Promise<boolean> {
  const handle = await open(path).catch(() => undefined);
  if (handle === undefined) return false;
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(MAGIC.length), 0, MAGIC.length, 0);
    return bytesRead === MAGIC.length && buffer.toString('latin1') === MAGIC;
  } catch {
    // A folder or a device: whoever reads it says what is wrong.
    return false;
  } finally {
    await handle.close();
  }
}

function isSqlite(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && String(cause.code).includes('SQLITE');
}

async function opencodeFile(path: string): Promise<Storage> {
  const id = basename(path, '.json');
  const info = await jsonOf(path);
  const storage = dirname(dirname(dirname(path)));
  const title = info['title'];
  const entry: StoredEntry = { source: 'opencode', id, ...(typeof title === 'string' ? { title } : {}) };
  return { entries: [entry], read: () => readOpencode({ ...info, id }, messagesIn(storage, id)) };
}

async function jsonOf(path: string): Promise<JsonObject> {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new UsageError(`${path} cannot be read: ${messageOf(cause)}.`);
  });
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value;
  } catch {
    // Told below.
  }
  throw new UsageError(`${path} is no session of opencode: it holds no JSON object.`);
}

async function* messagesIn(storage: string, session: string): AsyncGenerator<OpencodeMessage> {
  for (const message of await recordsIn(join(storage, 'message', session))) {
    yield { ...message, parts: await recordsIn(join(storage, 'part', message.id)) };
  }
}

/** Files of a folder in the order of their names, which is that of time. */
async function recordsIn(folder: string): Promise<readonly OpencodeRecord[]> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.json')).sort();
  return Promise.all(
    names.map(async (name) => ({ id: basename(name, '.json'), text: await readFile(join(folder, name), 'utf8') })),
  );
}
