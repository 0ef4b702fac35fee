import type { Decision, Policy } from 'epitome';
import type { TurnReport, TurnStatus } from '../model/report.ts';
import { tokensAsItCame } from './came.ts';
import { SummaryPending } from './deferred.ts';
import type { Decided, Sending } from './sending.ts';

/** Whether a request can be sent as it is. */
export function isFitting({ tokens }: Decision, { window, reserved }: Policy): boolean {
  return tokens <= window - reserved;
}

/** What was done with a turn, in figures. `otherwise`: what becomes of its request where nothing was compacted now. */
export function reportOf(sending: Sending, decided: Decided, otherwise: 'reused' | 'kept'): TurnReport {
  const { branch, left } = sending;
  const { decision, compacted, isRetry } = decided;
  const after = Math.ceil(decision.tokens);
  const netCost = compacted?.outcome.payback?.netCost;
  const isMade = compacted !== undefined && compacted.published !== 'nothing' && branch.recordId !== undefined;
  const status = isMade ? 'compacted' : otherwise;
  return {
    status,
    reason: reasonOf(decided, status),
    tokensBefore: tokensAsItCame(sending, decided),
    tokensAfter: after,
    conversation: branch.conversation,
    branch: branch.name,
    ...(branch.recordId === undefined ? {} : { recordId: branch.recordId }),
    ...(netCost === undefined ? {} : { netCost }),
    ...(isRetry ? { retried: true } : {}),
    ...(left.foreign > 0 || left.stray.size > 0 ? { isReasoningLeftOut: true } : {}),
    ...(left.isKept ? { isReasoningKept: true } : {}),
    ...noticeOf(sending, decided, status),
  };
}

// What was asked for was not decided, and where nothing came of it the outcome says why.
function reasonOf({ decision, compacted, before, deferred, isRetry }: Decided, status: TurnStatus): string {
  if (isRetry) return 'overflow';
  if (deferred !== undefined) return deferred.reason;
  if (compacted === undefined) return decision.reason;
  const { trigger, outcome } = compacted;
  const isByTrigger = status === 'compacted' && (trigger === 'threshold' || trigger === 'prepared');
  return isByTrigger && before !== undefined ? before.reason : outcome.reason;
}

// What the engine takes where nobody says otherwise.
const USUAL_TIMEOUT_MS = 60_000;

/** Why a request goes out whole though a compaction was due, in words for whoever sent it. */
function noticeOf({ plane }: Sending, decided: Decided, status: TurnStatus): Pick<TurnReport, 'notice'> {
  const { compacted, deferred, decision, policy } = decided;
  const used = Math.round(decision.utilization * 100);
  const goesOn = `continuing with full history (${used}% used)`;
  if (deferred instanceof SummaryPending) return { notice: `${deferred.message}; ${goesOn}` };
  if (deferred !== undefined) return { notice: deferred.message };
  const isLate = compacted?.outcome.findings.some(({ code }) => code === 'summarizer-timeout') ?? false;
  if (!isLate || status === 'compacted' || !isFitting(decision, policy)) return {};
  const seconds = (plane.engine().timeoutMs ?? USUAL_TIMEOUT_MS) / 1000;
  return { notice: `Compaction timed out after ${seconds}s; ${goesOn}.` };
}
