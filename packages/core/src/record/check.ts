import { checkGiven, checkLike, isObject } from '../model/check.ts';
import { BLANK_RECORD } from '../model/record.ts';

const UNDO = { id: '', undoes: '' };
const EDITS = { edits: [{ messageId: '', part: 0 }] };
const COMPACTION = { ...BLANK_RECORD, inserts: [{ role: '', text: '' }], ...EDITS };

/** Throws for the first record that is not as the engine writes them. Covers may be many: they are not gone through. */
export function checkRecords(records: unknown): void {
  checkLike(records, [], 'records');
  for (const [at, record] of Array.isArray(records) ? records.entries() : []) {
    const isUndo = isObject(record) && record['kind'] === 'undo';
    checkLike(record, isUndo ? UNDO : COMPACTION, `records[${at}]`);
    if (isUndo) checkGiven(record, EDITS, `records[${at}]`);
  }
}
