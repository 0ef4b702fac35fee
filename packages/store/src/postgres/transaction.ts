import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool, PoolClient, QueryResult } from 'pg';
import { StoreError } from '../model/errors.ts';
import type { Scope } from '../model/rows.ts';
import { asStoreError, isLost, isRace, unknownEnd } from './errors.ts';

/** One statement on an open transaction. Statements are sent without waiting for those before them. */
export type Query = <T extends object>(
  sql: string,
  values?: readonly unknown[],
  mode?: 'prepared' | 'unprepared',
) => Promise<readonly T[]>;

const MOST_RACES = 8;
const MOST_LOSSES = 2;

/** Runs work in a transaction bound to a tenant, again where another one was faster. */
export async function transact<T>(pool: Pool, scope: Scope, work: (query: Query) => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await attempt(pool, scope, work);
    } catch (error) {
      const most = isRace(error) ? MOST_RACES : isLost(error) ? MOST_LOSSES : 0;
      if (tries > most) throw asStoreError(error);
    }
    await sleep(2 ** tries * Math.random());
  }
}

async function attempt<T>(pool: Pool, scope: Scope, work: (query: Query) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    const opened = open(client, scope);
    const result = await work(queryOn(client));
    await opened;
    await commit(client);
    return result;
  } catch (error) {
    broken = await rollBack(client);
    throw error;
  } finally {
    client.release(broken);
  }
}

// Those that write take a lock and look again behind it: whatever a database has for its default, they must see what was
// committed while they waited.
const BEGIN = {
  read: 'begin isolation level repeatable read, read only',
  write: 'begin isolation level read committed, read write',
} as const;

/** Sent ahead: the first statement of the work follows at once. The tenant holds for this transaction alone, so that
 * neither a pool nor a pooler in between can carry it over to another one. */
function open(client: PoolClient, { tenant, mode }: Scope): Promise<unknown> {
  const begun = client.query(BEGIN[mode]);
  const bound = client.query({
    name: 'bind',
    text: `select set_config('epitome.tenant', $1, true), set_config('lock_timeout', '5000', true)`,
    values: [tenant],
  });
  const both = Promise.all([begun, bound]);
  // Where it fails, the statements behind it fail too and say so.
  both.catch(() => {});
  return both;
}

/** Statements on a client; each text is prepared once per connection. */
function queryOn(client: PoolClient): Query {
  return async <T extends object>(sql: string, values: readonly unknown[] = [], mode = 'prepared') => {
    const name = mode === 'prepared' ? { name: nameOf(sql) } : {};
    const result: QueryResult = await client.query({ ...name, text: sql, values: [...values] });
    return result.rows as T[];
  };
}

const names = new Map<string, string>();

function nameOf(sql: string): string {
  const known = names.get(sql) ?? `epitome_${names.size}`;
  names.set(sql, known);
  return known;
}

async function commit(client: PoolClient): Promise<void> {
  let result: QueryResult;
  try {
    result = await client.query('commit');
  } catch (cause) {
    // A distributed server finds out only now that another transaction was faster.
    throw isLost(cause) ? unknownEnd(cause) : cause;
  }
  if (result.command !== 'COMMIT')
    throw new StoreError('unavailable', 'PostgreSQL did not keep the transaction; try again.');
}

async function rollBack(client: PoolClient): Promise<Error | undefined> {
  try {
    await client.query('rollback');
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}
