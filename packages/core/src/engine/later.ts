// What a compaction needs and a decision does not: one chunk, loaded when the first compaction is due.
export { attempted } from './attempt.ts';
export { climbAndConclude } from './climb.ts';
export { compactFurther } from './further.ts';
export { published } from './published.ts';
