import { isCompactionError, type LogRecord, redo, type UndoRecord, undo } from 'epitome';
import { undoneIds } from 'epitome/record';
import { StoreError } from '../model/errors.ts';
import type { BranchRef } from '../model/port.ts';
import type { Rows } from '../model/rows.ts';
import { logOn } from './lineage.ts';
import { rowOf } from './publish.ts';
import { type BranchState, readBranch } from './reading.ts';

/** Where new records get their id and time from. */
export type RecordWorld = { readonly newId: () => string; readonly now: () => number };

/** Takes back the newest compaction in force on a branch, or the one named. */
export async function undoOn(
  rows: Rows,
  ref: BranchRef & { readonly recordId: string | undefined },
  world: RecordWorld,
): Promise<readonly LogRecord[]> {
  const state = await readBranch(rows, ref, 'records');
  const log = logOn(state.heads, state);
  const taken = asStoreError(() => undo(log, world, ref.recordId));
  const restored = await restoredBy(rows, state, taken.undoes);
  // A restoration took its record's place: without it the record is in force again.
  const earlier = restored === undefined ? undefined : undoInForce(log, restored);
  const back: readonly UndoRecord[] = earlier === undefined ? [taken] : [taken, undoing(earlier.id, world)];
  await write(rows, state, { records: back });
  return back;
}

/** Takes back the newest undo in force on a branch. */
export async function redoOn(rows: Rows, ref: BranchRef, world: RecordWorld): Promise<readonly LogRecord[]> {
  const state = await readBranch(rows, ref, 'records');
  const log = logOn(state.heads, state);
  const taken = asStoreError(() => redo(log, world));
  const redone = log.find(({ id }) => id === taken.undoes);
  const restored = redone?.kind === 'undo' ? await restoredBy(rows, state, redone.undoes) : undefined;
  const back: readonly UndoRecord[] = restored === undefined ? [taken] : [taken, undoing(restored, world)];
  await write(rows, state, { records: back });
  return back;
}

/** What the details of a restoration hold: the record it stands in for. */
export type Restoration = { readonly restores?: string };

/** Writes records that change the view of one branch. */
export async function write(
  rows: Rows,
  state: BranchState,
  { records, details = {} }: { readonly records: readonly LogRecord[]; readonly details?: Restoration },
): Promise<void> {
  for (const record of records) {
    const of = record.kind === 'compaction' ? details : {};
    await rows.addRecord(state.conversation.key, await rowOf(rows, state, { record, details: of, scope: 'branch' }));
  }
}

/** An undo of a record that is known to be there. */
export function undoing(recordId: string, { newId, now }: RecordWorld): UndoRecord {
  return { kind: 'undo', id: newId(), at: now(), undoes: recordId };
}

function undoInForce(log: readonly LogRecord[], recordId: string): LogRecord | undefined {
  const undone = undoneIds(log);
  return log.findLast((record) => record.kind === 'undo' && record.undoes === recordId && !undone.has(record.id));
}

async function restoredBy(rows: Rows, { conversation }: BranchState, id: string): Promise<string | undefined> {
  const [row] = await rows.recordRows(conversation.key, [id]);
  return row === undefined ? undefined : (JSON.parse(row.details) as Restoration).restores;
}

function asStoreError<T>(run: () => T): T {
  try {
    return run();
  } catch (cause) {
    if (!isCompactionError(cause)) throw cause;
    throw new StoreError('unknown-record', cause.message, { cause });
  }
}
