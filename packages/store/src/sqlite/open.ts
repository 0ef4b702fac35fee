import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { StoreError } from '../model/errors.ts';
import type { Durability } from '../model/port.ts';
import { type Database, openDatabase } from './driver.ts';
import { asStoreError } from './errors.ts';
import { patiently } from './patience.ts';
import { APPLICATION_ID, MIGRATIONS } from './schema.ts';
import { rollBack } from './transaction.ts';

/** Opens a file, makes it where it is missing, and brings it to the schema this version knows. */
export async function openFile(path: string, durability: Durability = 'machine'): Promise<Database> {
  let database: Database | undefined;
  try {
    if (path !== ':memory:') makePrivate(path);
    database = openDatabase(path);
    await prepare(database, path);
    // In a write-ahead log that is not waited for, what was committed is whole or, after a power cut, not there.
    if (durability === 'process') database.exec('pragma synchronous = normal');
    return database;
  } catch (error) {
    database?.close();
    throw asStoreError(error, path);
  }
}

/** The schema version of a file; throws where a newer version of this program wrote it, or another program. */
export function checkedVersion(database: Database, path: string): number {
  const version = pragma(database, 'user_version');
  const isOurs = pragma(database, 'application_id') === APPLICATION_ID;
  if (!isOurs && (version > 0 || countTables(database) > 0)) {
    throw new StoreError('bad-input', `${path} belongs to another program; choose another file for the store.`);
  }
  if (version <= MIGRATIONS.length) return version;
  throw new StoreError(
    'newer-schema',
    `${path} has schema ${version}; this version of @epitome/store knows ${MIGRATIONS.length}. Update it, or choose another file.`,
  );
}

/** Conversations are private: nobody but the user may read the file. */
function makePrivate(path: string): void {
  try {
    makeFolder(dirname(path));
    closeSync(openSync(path, 'a', 0o600));
  } catch {
    // Opening the database says better what is wrong.
  }
}

// Node's own way never ends where a parent exists and nothing can be made in it, as in /proc.
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  mkdirSync(path, { mode: 0o700 });
}

async function prepare(database: Database, path: string): Promise<void> {
  // Untrusted files must not run code of their own, and damage is to be found early.
  database.exec('pragma trusted_schema = off; pragma cell_size_check = on; pragma foreign_keys = on');
  await patiently(() => checkedVersion(database, path));
  // Durable means on disk: every commit waits for it.
  await patiently(() => database.exec('pragma journal_mode = wal; pragma synchronous = full'));
  database.exec('pragma secure_delete = on; pragma temp_store = memory; pragma cache_size = -32000');
  // Pages that are written again and again (tips, newest index pages) go back to the file once per 16 MB, not per 4.
  database.exec('pragma wal_autocheckpoint = 4000; pragma journal_size_limit = 33554432');
  await migrate(database, path);
}

/** Several processes may start at once: the first one migrates, the others wait and find it done. */
async function migrate(database: Database, path: string): Promise<void> {
  if ((await patiently(() => checkedVersion(database, path))) === MIGRATIONS.length) return;
  await patiently(() => database.exec('begin immediate'));
  try {
    const version = checkedVersion(database, path);
    for (const step of MIGRATIONS.slice(version)) database.exec(step);
    database.exec(`pragma application_id = ${APPLICATION_ID}; pragma user_version = ${MIGRATIONS.length}`);
    database.exec('commit');
  } catch (error) {
    rollBack(() => database.exec('rollback'));
    throw error;
  }
}

function pragma(database: Database, name: string): number {
  const row = database.prepare(`pragma ${name}`).get() as Record<string, number>;
  return row[name] ?? 0;
}

function countTables(database: Database): number {
  const row = database.prepare('select count(*) as count from sqlite_schema').get() as { count: number };
  return row.count;
}
