import { checkLike } from '../model/check.ts';
import { CompactionError } from '../model/errors.ts';
import type { LogRecord, UndoRecord } from '../model/record.ts';
import { isCommitted, undoneIds } from './active.ts';
import { checkRecords } from './check.ts';

/** Where a new record gets its id and time from. */
export type RecordWorld = { readonly newId: () => string; readonly now: () => number };

/** The record that takes back the newest compaction in force, or the one named. Nothing is deleted. */
export function undo(records: readonly LogRecord[], world: RecordWorld, recordId?: string): UndoRecord {
  checkRecords(records);
  const isInForce = inForceIn(records);
  const found = records.findLast((record) => isInForce(record) && (recordId === undefined || record.id === recordId));
  if (found === undefined) throw new CompactionError('unknown-record', missing('compaction in force', recordId));
  return { kind: 'undo', id: newRecordId(world, records), at: world.now(), undoes: found.id };
}

/**
 * The record that takes back the newest undo in force. A compaction made since ends it: that one was made of what the undo left,
 * and both would tell of the same messages.
 */
export function redo(records: readonly LogRecord[], world: RecordWorld): UndoRecord {
  checkRecords(records);
  const undone = undoneIds(records);
  // An undo of an undo is a redo: taking that back would be an undo again.
  const undos = new Set(records.flatMap((record) => (record.kind === 'undo' ? record.id : [])));
  const at = records.findLastIndex(
    (record) => record.kind === 'undo' && !undone.has(record.id) && !undos.has(record.undoes),
  );
  const found = records[at];
  const isOver = records.slice(at + 1).some(inForceIn(records));
  if (found === undefined || isOver) {
    const what = found === undefined ? 'undo in force' : 'undo behind the newest compaction';
    throw new CompactionError('unknown-record', missing(what));
  }
  return { kind: 'undo', id: newRecordId(world, records), at: world.now(), undoes: found.id };
}

function inForceIn(records: readonly LogRecord[]): (record: LogRecord) => boolean {
  const undone = undoneIds(records);
  return (record) => record.kind === 'compaction' && isCommitted(record) && !undone.has(record.id);
}

/** An id for one more record. One that a record has already is told apart by a number: by it the two would be one. */
export function newRecordId({ newId }: RecordWorld, records: readonly LogRecord[]): string {
  const id = newId();
  checkLike(id, '', 'newId()');
  let free = id;
  for (let number = 2; records.some((record) => record.id === free); number += 1) free = `${id}-${number}`;
  return free;
}

function missing(what: string, recordId?: string): string {
  return `The log holds no ${what}${recordId === undefined ? '' : ` with the id ${recordId}`}.`;
}
