import type { TurnReport } from '../model/report.ts';
import type { Decided, Sending } from './sending.ts';

/** What was done with a turn, in figures. */
export function reportOf({ branch }: Sending, decided: Decided, isChanged: boolean): TurnReport {
  const { decision, compacted, before, isRetry } = decided;
  const after = Math.ceil(decision.tokens);
  const netCost = compacted?.outcome.payback?.netCost;
  const isMade = compacted !== undefined && compacted.published !== 'nothing' && branch.recordId !== undefined;
  const status = isMade ? 'compacted' : isChanged ? 'reused' : 'kept';
  return {
    status,
    reason: compacted === undefined ? decision.reason : (before?.reason ?? compacted.outcome.reason),
    tokensBefore: isMade && before !== undefined ? Math.ceil(before.tokens) : after + Math.max(branch.saved, 0),
    tokensAfter: after,
    conversation: branch.conversation,
    branch: branch.name,
    ...(branch.recordId === undefined ? {} : { recordId: branch.recordId }),
    ...(netCost === undefined ? {} : { netCost }),
    ...(isRetry ? { retried: true } : {}),
  };
}
