import { createStore } from '../log/log.ts';
import type { RecordWorld } from '../log/undo.ts';
import type { Store } from '../model/port.ts';
import { postgresEngine } from './engine.ts';
import { openPool, type PostgresOptions } from './open.ts';

export { postgresJobs } from './jobs.ts';
export type { PostgresOptions } from './open.ts';

/** A store on a PostgreSQL server, for any number of processes on any number of machines. */
export async function postgresStore(options: PostgresOptions, world?: RecordWorld): Promise<Store> {
  return createStore(postgresEngine(await openPool(options)), world);
}
