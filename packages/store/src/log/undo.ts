import { isCompactionError, type LogRecord, redo, type UndoRecord, undo } from 'epitome';
import { leavingBound, undoneIds } from 'epitome/record';
import { StoreError } from '../model/errors.ts';
import type { ChangeRef } from '../model/port.ts';
import type { Rows } from '../model/rows.ts';
import { inForce, isSettled, logOn, standing } from './lineage.ts';
import { rowOf } from './publish.ts';
import { type BranchState, readBranch } from './reading.ts';
import { entriesOf } from './records.ts';
import { storedOn } from './stored.ts';

/** Where new records get their id and time from. */
export type RecordWorld = { readonly newId: () => string; readonly now: () => number };

/** Takes back the newest compaction in force on a branch, or the one named. */
export async function undoOn(
  rows: Rows,
  ref: ChangeRef & { readonly recordId: string | undefined },
  world: RecordWorld,
): Promise<readonly LogRecord[]> {
  const state = await readBranch(rows, ref, 'records');
  const log = logOn(state.heads, state);
  const taken = asStoreError(() => undo(log, world, ref.recordId));
  const replaced = await takenBy(rows, state, taken.undoes);
  // A restoration took its record's place: without it the record is in force again.
  const earlier = replaced.flatMap((id) => undoInForce(log, id) ?? []);
  const back: readonly UndoRecord[] = [taken, ...earlier.map(({ id }) => undoing(id, world))];
  return written(rows, state, { ...ref, added: back });
}

/** Takes back the newest undo in force on a branch. */
export async function redoOn(rows: Rows, ref: ChangeRef, world: RecordWorld): Promise<readonly LogRecord[]> {
  const state = await readBranch(rows, ref, 'records');
  const log = logOn(state.heads, state);
  const taken = asStoreError(() => redo(log, world));
  const redone = log.find(({ id }) => id === taken.undoes);
  const target = redone?.kind === 'undo' ? redone.undoes : '';
  await checkNotReplaced(rows, state, target);
  const replaced = await takenBy(rows, state, target);
  const back: readonly UndoRecord[] = [taken, ...replaced.map((id) => undoing(id, world))];
  return written(rows, state, { ...ref, added: back });
}

/** What a restoration in force stands in for was taken away by it, and not by an undo. */
async function checkNotReplaced(rows: Rows, state: BranchState, target: string): Promise<void> {
  const ids = inForce(state.heads, state, 'strict').map(({ head }) => head.id);
  const standIns = ids.length === 0 ? [] : await rows.recordRows(state.conversation.key, ids);
  if (standIns.every(({ details }) => (JSON.parse(details) as Restoration).restores !== target)) return;
  throw new StoreError('unknown-record', 'The log holds no undo behind the newest compaction.');
}

async function written(rows: Rows, state: BranchState, back: Back): Promise<readonly LogRecord[]> {
  const records = await behindMessages(rows, state, back);
  await write(rows, state, { records });
  return records;
}

/** Records that change a view, as they are about to be added. */
type Back = Pick<ChangeRef, 'endedBehind'> & { readonly added: readonly LogRecord[] };

/** Records that bring an earlier view back, without the thinking of messages that were written behind another one. */
export async function behindMessages(
  rows: Rows,
  state: BranchState,
  { added, endedBehind }: Back,
): Promise<readonly LogRecord[]> {
  const heads = standing(state.heads, state).filter(isSettled);
  const entries = await entriesOf(rows, state.conversation.key, { heads, undone: new Set() });
  const branch = await storedOn(rows, state);
  const records = entries.map(({ record }) => record);
  const hasEnded = endedBehind !== undefined && endedBehind === branch.ids.at(-1);
  return asStoreError(() => leavingBound(added, { branch, records, hasEnded }));
}

/**
 * What the details of a restoration hold: the record it stands in for, and all that were taken back for it, those whose
 * summaries went into that record included. Earlier versions took back that record alone.
 */
export type Restoration = { readonly restores?: string; readonly taken?: readonly string[] };

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

/** The records that a restoration took back; none for any other record. */
async function takenBy(rows: Rows, { conversation }: BranchState, id: string): Promise<readonly string[]> {
  const [row] = await rows.recordRows(conversation.key, [id]);
  const { restores, taken } = row === undefined ? {} : (JSON.parse(row.details) as Restoration);
  return taken ?? (restores === undefined ? [] : [restores]);
}

function asStoreError<T>(run: () => T): T {
  try {
    return run();
  } catch (cause) {
    if (!isCompactionError(cause)) throw cause;
    const code = cause.code === 'bound-reasoning' ? cause.code : 'unknown-record';
    throw new StoreError(code, cause.message, { cause });
  }
}
