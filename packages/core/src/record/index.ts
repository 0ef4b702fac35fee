export { type ActiveRecord, activeRecords, isCommitted, undoneIds, undosInForce } from './active.ts';
export { type LateMessage, leavingBound, strandsSteps } from './bound.ts';
export { nextId } from './ids.ts';
export { withLateMessages } from './late.ts';
export { type Past, pastOf } from './past.ts';
