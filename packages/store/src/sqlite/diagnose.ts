import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { isStoreError, StoreError } from '../model/errors.ts';
import { changedMessages, changedRecords, damagedPayloads, lostTips } from './checks.ts';
import { copyFile } from './copy.ts';
import { type Database, openDatabase } from './driver.ts';
import { asStoreError, codeOf } from './errors.ts';
import { lengthBefore } from './mend.ts';
import { checkedVersion } from './open.ts';

/** What a look at a file found. */
export type Diagnosis = {
  readonly path: string;
  readonly bytes: number;
  /** Absent where they cannot be counted. */
  readonly messages?: number;
  /** Empty where all is well. Each says what is wrong, and where; `salvageFile` copies what is readable. */
  readonly problems: readonly string[];
};

/** Looks through a whole file: its pages, every payload by its hash, every message by the hash chain or its sum, every record by its sum. Changes nothing. */
export async function diagnoseFile(path: string): Promise<Diagnosis> {
  const bytes = checkedSize(path);
  const found = await lookThrough(path).catch(async (error: unknown) => {
    if (isStoreError(error) && error.code === 'read-only') return lookThroughCopy(path);
    throw error;
  });
  const length = found.problems.length === 0 ? undefined : lengthBefore(path);
  const missing = length === undefined ? [] : [`Its end is missing: it was ${length.toLocaleString('en')} bytes long.`];
  return { path, bytes, ...found, problems: [...missing, ...found.problems] };
}

type Found = Pick<Diagnosis, 'messages' | 'problems'>;

/** Where even reading would need a file beside it, and none may be made there, a copy is looked through. */
async function lookThroughCopy(path: string): Promise<Found> {
  const folder = mkdtempSync(join(tmpdir(), 'epitome-doctor-'));
  try {
    const copy = join(folder, basename(path));
    copyFile(path, copy);
    return await lookThrough(copy, path);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function lookThrough(file: string, path: string = file): Promise<Found> {
  const problems: string[] = [];
  let messages: number | undefined;
  let database: Database | undefined;
  try {
    database = openDatabase(file, { readOnly: true });
    const version = checkedVersion(database, path);
    problems.push(...damagedPages(database), ...damagedPayloads(database));
    messages = countOf(database);
    problems.push(...(await changedMessages(database, version)), ...lostTips(database, version));
    problems.push(...changedRecords(database, version));
  } catch (error) {
    const known = asStoreError(error, path);
    if (isStoreError(known) && known.code === 'read-only') throw known;
    if (!isStoreError(known) && codeOf(known) === undefined) throw error;
    problems.push(known instanceof Error ? known.message : String(known));
  } finally {
    database?.close();
  }
  return { problems, ...(messages === undefined ? {} : { messages }) };
}

/** The size of a file that can be looked through. */
export function checkedSize(path: string): number {
  if (!existsSync(path)) throw new StoreError('unavailable', `There is no file ${path}.`);
  const found = statSync(path);
  if (!found.isFile()) throw new StoreError('bad-input', `${path} is no file.`);
  if (found.size === 0) throw new StoreError('bad-input', `${path} is empty: nothing was ever stored there.`);
  return found.size;
}

function countOf(database: Database): number {
  return (database.prepare('select count(*) as n from messages').get() as { n: number }).n;
}

function damagedPages(database: Database): readonly string[] {
  const rows = database.prepare('pragma integrity_check(20)').all() as { integrity_check: string }[];
  return rows.map((row) => row.integrity_check).filter((finding) => finding !== 'ok');
}
