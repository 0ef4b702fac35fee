import { createStore } from '../log/log.ts';
import type { RecordWorld } from '../log/undo.ts';
import type { Store } from '../model/port.ts';
import type { Advance, Advanced, Engine, Rows } from '../model/rows.ts';
import { createQueue } from '../text/queue.ts';
import { memoryRows } from './rows.ts';
import type { Tables } from './tables.ts';

/** A store in memory: gone with the process. For tests, and for sessions nobody keeps. */
export function memoryStore(world?: RecordWorld): Store {
  const tenants = new Map<string, Tables>();
  const enqueue = createQueue();
  let last = 0;
  const rowsOf = (tenant: string): Rows => {
    const tables: Tables = tenants.get(tenant) ?? new Map();
    tenants.set(tenant, tables);
    return memoryRows(tables, () => {
      last += 1;
      return last;
    });
  };
  const engine: Engine = {
    kind: 'memory',
    transact: ({ tenant }, work) => enqueue(() => work(rowsOf(tenant))),
    advance: (tenant, move) => enqueue(() => advance(rowsOf(tenant), move)),
    settle: async () => {},
    scrub: async () => {},
    close: async () => tenants.clear(),
  };
  return createStore(engine, world);
}

async function advance(rows: Rows, { conversation, branch, from, messages }: Advance): Promise<Advanced | undefined> {
  const own = await rows.branch(conversation, branch);
  const isBehind = own !== undefined && own.segment === from.segment && own.depth === from.depth;
  if (!isBehind || (await rows.endOf(conversation, from.segment)) !== from.depth) return undefined;
  const ids = messages.map(({ id }) => id);
  if (new Set(ids).size < ids.length || (await rows.heads(conversation, ids)).length > 0) return undefined;
  await rows.addMessages(conversation, messages);
  const tip = messages.at(-1);
  if (tip !== undefined) await rows.putBranch(conversation, { ...own, ...from, depth: tip.depth, tip: tip.id });
  return { records: (await rows.recordHeads(conversation)).length > 0 ? 'some' : 'none' };
}
