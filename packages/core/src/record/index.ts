export { type ActiveRecord, activeRecords, isCommitted, undoneIds } from './active.ts';
export { nextId } from './ids.ts';
export { type LateMessage, withLateMessages } from './late.ts';
