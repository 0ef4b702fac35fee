import type { Decision } from 'epitome';
import type { TurnReport } from '../model/report.ts';
import type { Compacted } from './compact.ts';
import type { Decided, Sending } from './sending.ts';

/** What was done with a turn, in figures. */
export function reportOf({ branch, left }: Sending, decided: Decided, isChanged: boolean): TurnReport {
  const { decision, compacted, before, isRetry } = decided;
  const after = Math.ceil(decision.tokens);
  const netCost = compacted?.outcome.payback?.netCost;
  const isMade = compacted !== undefined && compacted.published !== 'nothing' && branch.recordId !== undefined;
  const status = isMade ? 'compacted' : isChanged ? 'reused' : 'kept';
  return {
    status,
    reason: compacted === undefined ? decision.reason : reasonOf(compacted, isMade ? before : undefined),
    tokensBefore: isMade && before !== undefined ? Math.ceil(before.tokens) : after + Math.max(branch.saved, 0),
    tokensAfter: after,
    conversation: branch.conversation,
    branch: branch.name,
    ...(branch.recordId === undefined ? {} : { recordId: branch.recordId }),
    ...(netCost === undefined ? {} : { netCost }),
    ...(isRetry ? { retried: true } : {}),
    ...(left.foreign > 0 || left.stray.size > 0 ? { isReasoningLeftOut: true } : {}),
  };
}

// What was asked for was not decided, and where nothing came of it the outcome says why.
function reasonOf({ trigger, outcome }: Compacted, before: Decision | undefined): string {
  return trigger === 'manual' ? outcome.reason : (before?.reason ?? outcome.reason);
}
