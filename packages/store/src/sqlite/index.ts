import { createStore } from '../log/log.ts';
import type { Durability, Store } from '../model/port.ts';
import { sqliteEngine } from './engine.ts';
import { openFile } from './open.ts';
import { probeOf } from './probe.ts';

export { type Diagnosis, diagnoseFile } from './diagnose.ts';
export { type Database, openDatabase, type Statement, type Value } from './driver.ts';
export { sqliteJobs } from './jobs.ts';
export { type Salvage, salvageFile } from './salvage.ts';

/** A store in one SQLite file, made where it is missing. Several processes may open the same file. */
export async function sqliteStore(path: string, options: { readonly durability?: Durability } = {}): Promise<Store> {
  const store = createStore(sqliteEngine(await openFile(path, options.durability), path));
  return path === ':memory:' ? store : { ...store, probe: probeOf(path) };
}
