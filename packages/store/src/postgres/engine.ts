import type { Pool } from 'pg';
import type { Advance, Advanced, Engine } from '../model/rows.ts';
import { createQueue } from '../text/queue.ts';
import { asStoreError, isLost, isRace, unknownEnd } from './errors.ts';
import { indexSome, isBehind, isDue } from './indexing.ts';
import { columnsFor } from './messages.ts';
import { postgresRows } from './rows.ts';
import { transact } from './transaction.ts';

/** The engine over a pool of connections. */
export function postgresEngine(pool: Pool): Engine {
  const enqueue = createQueue();
  return {
    kind: 'postgres',
    transact: (scope, work) => transact(pool, scope, (query) => work(postgresRows(query, scope.tenant))),
    advance: async (tenant, move) => {
      const done = await advance(pool, tenant, move);
      // Nobody waits for it; what it leaves, the next one or a recall takes up.
      if (done !== undefined && isDue()) void enqueue(() => indexAll(pool, tenant)).catch(() => {});
      return done;
    },
    settle: async (tenant) => {
      const isBehindNow = await transact(pool, { tenant, mode: 'read' }, (query) => isBehind(query, tenant));
      if (isBehindNow) await indexAll(pool, tenant);
    },
    // Deleted rows are gone for every query at once; the server's own vacuum frees their space.
    scrub: async () => {},
    close: async () => {
      await enqueue(async () => {});
      await pool.end();
    },
  };
}

async function indexAll(pool: Pool, tenant: string): Promise<void> {
  while (await transact(pool, { tenant, mode: 'write' }, (query) => indexSome(query, tenant)));
}

const ADVANCE = `select epitome.advance($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) as moved`;

const MANY = 16;

/** One statement: a function of the schema binds the tenant, and sees whether the tip moved. */
async function advance(pool: Pool, tenant: string, move: Advance): Promise<Advanced | undefined> {
  const { conversation, branch, from, messages } = move;
  const last = messages.at(-1);
  const { depths, ids, roles, wide, natives, holes } = columnsFor(messages);
  // Payloads take further statements; many messages are faster in one statement than in the function's loop.
  if (last === undefined || holes.length > 0 || messages.length > MANY) return undefined;
  const client = await pool.connect().catch((error: unknown) => {
    throw asStoreError(error);
  });
  let broken: Error | undefined;
  try {
    const place = [tenant, conversation, branch, from.segment, from.depth, last.depth, last.id];
    const query = { name: 'advance', text: ADVANCE, values: [...place, depths, ids, roles, wide, natives] };
    const { rows } = await client.query<{ moved: boolean }>(query);
    return rows[0]?.moved === true ? {} : undefined;
  } catch (error) {
    // The careful way begins anew as often as it takes.
    if (isRace(error)) return undefined;
    broken = isLost(error) && error instanceof Error ? error : undefined;
    throw isLost(error) ? unknownEnd(error) : asStoreError(error);
  } finally {
    client.release(broken);
  }
}
