// What a compaction needs and a decision does not: one chunk, loaded when the first compaction is due.
export { carryOut } from './carry-out.ts';
export { compactFurther } from './further.ts';
export { joined } from './joined.ts';
export { publishPrepared } from './prepared.ts';
export { outcomeNow } from './published.ts';
