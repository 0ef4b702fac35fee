export { type ActiveRecord, activeRecords, editingUndos, isCommitted, undoneIds } from './active.ts';
export { leavingBound } from './bound.ts';
export { nextId } from './ids.ts';
export { type LateMessage, withLateMessages } from './late.ts';
