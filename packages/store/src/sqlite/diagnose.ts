import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { isStoreError, StoreError } from '../model/errors.ts';
import { changedMessages, changedRecords, damagedPayloads, lostTips, type Problem } from './checks.ts';
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
  const found = lookThroughOrCopy(path);
  const length = found.problems.length === 0 ? undefined : lengthBefore(path);
  const missing = length === undefined ? [] : [`Its end is missing: it was ${length.toLocaleString('en')} bytes long.`];
  return { path, bytes, ...found, problems: [...missing, ...found.problems] };
}

type Found = Pick<Diagnosis, 'messages' | 'problems'>;

function lookThroughOrCopy(path: string): Found {
  try {
    return lookThrough(path);
  } catch (error) {
    if (isStoreError(error) && error.code === 'read-only') return lookThroughCopy(path);
    throw error;
  }
}

/** Where even reading would need a file beside it, and none may be made there, a copy is looked through. */
function lookThroughCopy(path: string): Found {
  const folder = mkdtempSync(join(tmpdir(), 'epitome-doctor-'));
  try {
    const copy = join(folder, basename(path));
    copyFile(path, copy);
    return lookThrough(copy, path);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function lookThrough(file: string, path: string = file): Found {
  const problems: string[] = [];
  let messages: number | undefined;
  let database: Database | undefined;
  try {
    database = openDatabase(file, { readOnly: true });
    const version = checkedVersion(database, path);
    const say = (found: readonly Problem[]): void => {
      for (const { sentence } of found) problems.push(sentence);
    };
    for (const sentence of damagedPages(database)) problems.push(sentence);
    say(damagedPayloads(database));
    messages = countOf(database);
    say(changedMessages(database, version));
    say(lostTips(database, version));
    say(changedRecords(database, version));
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
  if (!existsSync(path)) throw new StoreError('unavailable', `There is no file ${path}; name the one of a store.`);
  const found = statSync(path);
  if (!found.isFile()) throw new StoreError('bad-input', `${path} is no file; name the one of a store.`);
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
