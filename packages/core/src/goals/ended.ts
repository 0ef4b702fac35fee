import type { Payback } from '../model/cost.ts';
import type { Decision } from '../model/decision.ts';
import type { Plan } from '../model/plan.ts';
import type { CompactionRecord, MessageTally, Method, Status, TokenSpan } from '../model/record.ts';

/** How a compaction ended, as far as it is told here: an outcome of the engine is one. */
export type Ended = {
  readonly status: Status;
  readonly reason: string;
  readonly tokens: TokenSpan;
  readonly counts: MessageTally;
  readonly method: Method;
  readonly decision: Decision;
  readonly rung?: string;
  readonly plan?: Pick<Plan, 'split'>;
  readonly record?: CompactionRecord;
  readonly discardedContextSummary?: string;
  readonly payback?: Payback;
};
