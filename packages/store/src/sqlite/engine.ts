import type { Advance, Advanced, Engine, Rows, Scope } from '../model/rows.ts';
import { follow } from './branches.ts';
import type { Database } from './driver.ts';
import { isTaken } from './errors.ts';
import { createGate } from './gate.ts';
import { indexSome, isBehind } from './indexing.ts';
import { addMessages } from './messages.ts';
import { patiently } from './patience.ts';
import { hasRecords } from './records.ts';
import { createRest } from './rest.ts';
import { sqliteRows } from './rows.ts';
import { createScrubber } from './scrub.ts';
import { type Prepare, statementsOf } from './statements.ts';
import { atOnce, rollBack } from './transaction.ts';

/** The engine over an open file. One connection: its transactions run one after the other. */
export function sqliteEngine(database: Database, path: string): Engine {
  const prepare = statementsOf(database);
  const rowsOf = rowsByTenant(prepare);
  const { openly, close } = createGate(path);
  const run = <T>(mode: Scope['mode'], work: () => T | Promise<T>): Promise<T> => {
    const once = (askedAt: number): Promise<T> => inTransaction(() => begin(prepare, mode, askedAt), work);
    // Reading waits only while a file is repaired after a crash, and may then begin anew.
    return openly((askedAt) => (mode === 'read' ? patiently(() => once(askedAt), askedAt) : once(askedAt)));
  };
  const settle = async (): Promise<void> => {
    while (await run('read', () => isBehind(prepare))) await run('write', () => indexSome(prepare));
  };
  // Whoever rests lets the others go first.
  const rest = createRest(async () => {
    while (await run('read', () => isBehind(prepare)))
      await openly(async () => atOnce(prepare, () => indexSome(prepare)));
  });
  const scrubber = createScrubber(prepare, openly);
  return {
    kind: 'sqlite',
    transact: ({ tenant, mode }, work) => run(mode, () => work(rowsOf(tenant))),
    advance: (tenant, move) => {
      const step = (): Advanced => moveTip(prepare, { tenant, ...move });
      const done = openly((askedAt) => patiently(() => atOnce(prepare, step), askedAt));
      return done.catch(nothingIfTaken).finally(rest.putOff);
    },
    settle,
    scrub: scrubber.scrub,
    close: () => {
      rest.end();
      scrubber.end();
      return close(() => closeFile(database));
    },
  };
}

const MOST_TENANTS = 1000;

function rowsByTenant(prepare: Prepare): (tenant: string) => Rows {
  const known = new Map<string, Rows>();
  return (tenant) => {
    const rows = known.get(tenant) ?? sqliteRows(prepare, tenant);
    if (known.size >= MOST_TENANTS) known.clear();
    known.set(tenant, rows);
    return rows;
  };
}

/** What is in the WAL goes to the file, so that a copy of the file is a copy of the store. */
function closeFile(database: Database): void {
  try {
    database.exec('pragma wal_checkpoint(truncate)');
  } catch {
    // Another process has it open: it will do the same when it is done.
  }
  database.close();
}

type Transaction = { readonly commit: () => unknown; readonly rollback: () => unknown };

async function begin(prepare: Prepare, mode: Scope['mode'], askedAt: number): Promise<Transaction> {
  await patiently(() => prepare(mode === 'write' ? 'begin immediate' : 'begin').run(), askedAt);
  return { commit: () => prepare('commit').run(), rollback: () => prepare('rollback').run() };
}

async function inTransaction<T>(start: () => Promise<Transaction>, work: () => T | Promise<T>): Promise<T> {
  const { commit, rollback } = await start();
  try {
    const result = await work();
    commit();
    return result;
  } catch (error) {
    rollBack(rollback);
    throw error;
  }
}

class TipMoved extends Error {}

type Move = Advance & { readonly tenant: string };

function moveTip(prepare: Prepare, move: Move): Advanced {
  const { tenant, conversation, branch, from, messages } = move;
  const last = messages.at(-1);
  if (last === undefined) throw new TipMoved();
  const owner = { tenant, key: conversation };
  if (!follow(prepare, { ...owner, name: branch, from })) throw new TipMoved();
  // A message that is there already stands in the way of one of the same place.
  addMessages(prepare, owner, messages);
  return { records: hasRecords(prepare, owner) ? 'some' : 'none' };
}

function nothingIfTaken(error: unknown): undefined {
  if (error instanceof TipMoved || isTaken(error)) return undefined;
  throw error;
}
