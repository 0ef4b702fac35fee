import { existsSync, rmSync } from 'node:fs';
import { createStore } from '../log/log.ts';
import { StoreError } from '../model/errors.ts';
import type { Log, Store } from '../model/port.ts';
import { changedMessages, changedRecords } from './checks.ts';
import { copyFile, SUFFIXES } from './copy.ts';
import { checkedSize, diagnoseFile } from './diagnose.ts';
import { type Database, openDatabase } from './driver.ts';
import { sqliteEngine } from './engine.ts';
import { mendHeader, mendSchema } from './mend.ts';
import { openFile } from './open.ts';
import { ownedIn } from './owned.ts';
import { MIGRATIONS } from './schema.ts';
import { linesOfTenant, tenantsIn } from './wreck.ts';

/** What was brought over from a damaged file. */
export type Salvage = {
  readonly messages: number;
  readonly conversations: number;
  readonly records: number;
  /** What could not be read, or is not what was once stored, in words. */
  readonly lost: readonly string[];
};

/** Copies all that is readable of a damaged file into a new one. The damaged file is only read. */
export async function salvageFile(path: string, target: string): Promise<Salvage> {
  checkedSize(path);
  if (existsSync(target)) throw new StoreError('taken', `${target} is there already; name a file that is not.`);
  const copy = `${target}.wreck`;
  try {
    copyFile(path, copy);
    mendHeader(copy);
    const wreck = await openWreck(path, copy);
    const version = versionOf(wreck);
    const store = createStore(sqliteEngine(await openFile(target), target));
    const changed = changedIn(wreck);
    const salvage = await bringOver(wreck, store);
    wreck.close();
    await store.close();
    if (salvage.messages + salvage.conversations === 0) {
      for (const suffix of SUFFIXES) rmSync(`${target}${suffix}`, { force: true });
      throw nothingIn(path);
    }
    const { problems } = await diagnoseFile(target);
    return { ...salvage, lost: [...salvage.lost, ...unknownTo(version), ...changed, ...problems] };
  } finally {
    for (const suffix of SUFFIXES) rmSync(`${copy}${suffix}`, { force: true });
  }
}

function nothingIn(path: string, cause?: unknown): StoreError {
  return new StoreError('corrupt', `${path} is damaged or no database, and nothing of it can be read.`, { cause });
}

async function openWreck(path: string, copy: string): Promise<Database> {
  try {
    return readable(copy);
  } catch {
    // The page that says where the tables are is lost.
  }
  try {
    await mendSchema(copy);
    return readable(copy);
  } catch (cause) {
    throw nothingIn(path, cause);
  }
}

function readable(copy: string): Database {
  const wreck = openDatabase(copy);
  try {
    wreck.prepare('select count(*) from sqlite_schema').get();
    // Fails where the table is not known.
    wreck.prepare('select seq from messages');
    migrateGently(wreck);
    return wreck;
  } catch (error) {
    wreck.close();
    throw error;
  }
}

/** A file of an earlier version is read like one of this: it is a copy. What its damage keeps from being changed is reported as lost. */
function migrateGently(wreck: Database): void {
  for (const statement of MIGRATIONS.slice(Math.max(1, versionOf(wreck)))
    .join('')
    .split(';')) {
    try {
      wreck.exec(statement);
    } catch {
      // Reading says what is missing.
    }
  }
}

function versionOf(wreck: Database): number {
  return (wreck.prepare('pragma user_version').get() as { user_version: number }).user_version;
}

/** A newer version may keep what this one cannot see: that nothing was lost could not be said. */
function unknownTo(version: number): readonly string[] {
  return version > MIGRATIONS.length
    ? [`By its header it has schema ${version}, which is newer: what only newer versions know was not copied.`]
    : [];
}

/** What can be read and is not what was stored once. What cannot be read is told of where it is missed. */
function changedIn(wreck: Database): readonly string[] {
  const found = [() => changedMessages(wreck, MIGRATIONS.length), () => changedRecords(wreck, MIGRATIONS.length)];
  const changed: string[] = [];
  for (const find of found) {
    try {
      for (const { kind, sentence } of find()) if (kind === 'changed') changed.push(sentence);
    } catch {
      // Too damaged to be checked.
    }
  }
  return changed;
}

async function bringOver(wreck: Database, store: Store): Promise<Salvage> {
  const lost: string[] = [];
  const totals = { messages: 0, conversations: 0, records: 0 };
  const owned = ownedIn(wreck);
  for (const tenant of tenantsIn(wreck, lost)) {
    const log = store.forTenant(tenant);
    let batch: string[] = [];
    for (const line of linesOfTenant({ wreck, tenant, owned }, lost)) {
      batch.push(line);
      if (batch.length < BATCH) continue;
      await importGently(log, batch, lost);
      batch = [];
    }
    await importGently(log, batch, lost);
    const stats = await log.stats();
    totals.messages += stats.messages;
    totals.conversations += stats.conversations;
    totals.records += stats.records;
  }
  return { ...totals, lost };
}

const BATCH = 500;

/** A line that cannot be taken in is left out alone: what was taken in before is known again. */
async function importGently(log: Log, lines: readonly string[], lost: string[]): Promise<void> {
  try {
    await log.import(lines);
    return;
  } catch {
    // One of them is wrong: which, the next tries tell.
  }
  for (const line of lines) {
    await log.import([line]).catch((error: unknown) => {
      lost.push(error instanceof Error ? error.message : String(error));
    });
  }
}
