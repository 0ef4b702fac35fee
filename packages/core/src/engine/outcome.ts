import type { Payback } from '../model/cost.ts';
import type { Decision } from '../model/decision.ts';
import type { Finding } from '../model/finding.ts';
import type { Plan, PlanRefusal } from '../model/plan.ts';
import type { CompactionRecord, MessageTally, Method, Status, TokenSpan } from '../model/record.ts';
import type { Rung } from './rungs.ts';

/** Why an outcome is what it is: the decision's reason, or why it could not be carried out. */
export type OutcomeReason =
  | Decision['reason']
  | PlanRefusal
  | 'unshrinkable'
  | 'inflated'
  | 'summary-rejected'
  | 'invalid-output';

/** How a compaction ended. `messages` is always safe to send; on any failure it is the view as it was before. */
export type Outcome = {
  readonly status: Status;
  readonly reason: OutcomeReason;
  /** Native messages of the view. */
  readonly messages: readonly unknown[];
  readonly tokens: TokenSpan;
  readonly counts: MessageTally;
  readonly method: Method;
  /** True where a fault made it less than was asked for. */
  readonly degraded: boolean;
  /** The record of this outcome; absent where the trigger was not passed. */
  readonly record?: CompactionRecord;
  /** All records of this call, to be appended to the log: several where it took several runs. */
  readonly records: readonly CompactionRecord[];
  readonly findings: readonly Finding[];
  readonly decision: Decision;
  readonly plan?: Plan;
  /** Which rung of the ladder made it, where one did. */
  readonly rung?: Rung['name'];
  readonly discardedContextSummary?: string;
  /** What it costs and saves, where prices are known. */
  readonly payback?: Payback;
};

// Under this size Gemini CLI calls a compression that grew "not beneficial".
const SMALL_HISTORY = 50_000;

/** What to tell the user, in the words of Gemini CLI. */
export function describeOutcome({ status, tokens }: Pick<Outcome, 'status' | 'tokens'>): string {
  switch (status) {
    case 'compressed':
    case 'truncated':
      return `Chat history compressed from ${tokens.before} to ${tokens.after} tokens.`;
    case 'noop':
      return 'Nothing to compress.';
    case 'failed-inflated':
      return tokens.before < SMALL_HISTORY
        ? 'Compression was not beneficial for this history size.'
        : 'Chat history compression did not reduce size. Continuing with full history.';
    case 'failed-token-count':
      return 'Could not compress chat history due to a token counting error.';
    case 'failed-empty-summary':
      return 'The summary was empty or refused. Continuing with full history.';
    default:
      return status satisfies never;
  }
}
