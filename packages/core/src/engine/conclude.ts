import { wholeTokens } from '../model/count.ts';
import type { Decision } from '../model/decision.ts';
import type { Finding } from '../model/finding.ts';
import { BLANK_RECORD, type CompactionRecord, NOTHING_SPENT, type Spent, type TokenSpan } from '../model/record.ts';
import type { View } from '../model/view.ts';
import { project } from '../record/project.ts';
import type { Outcome, OutcomeReason } from './outcome.ts';
import type { World } from './ports.ts';
import type { Request } from './request.ts';
import type { MeasuredView, State } from './state.ts';

/** What an outcome is concluded from. */
export type Concluded = { readonly request: Request; readonly state: State; readonly decision: Decision };

/** Nothing was due: no record. */
export function unchanged(concluded: Concluded): Outcome {
  const { decision } = concluded;
  return { ...kept(concluded), status: 'noop', reason: decision.reason, records: [], findings: [] };
}

/** The counter failed: nothing is known about sizes, so nothing is done. */
export function uncounted(request: Request, finding: Finding): Outcome {
  const view = project(request, request.records, request.policy.reuse);
  return {
    ...untouched(shown(request, view)),
    status: 'failed-token-count',
    reason: 'counter-failed',
    tokens: { before: 0, after: 0, fixed: 0, basis: 'estimated' },
    records: [],
    findings: [finding],
    decision: UNCOUNTED,
  };
}

/** The decision where nothing can be counted. */
export const UNCOUNTED: Decision = {
  compact: false,
  isSafetyValve: false,
  reason: 'counter-failed',
  tokens: 0,
  utilization: 0,
  messagesSince: 0,
};

/** How an attempt ended that changed nothing. */
export type Attempt = Pick<CompactionRecord, 'status' | 'findings'> &
  Partial<Pick<CompactionRecord, 'calls' | 'usage' | 'goal'>> & { readonly reason: OutcomeReason };

/** It was due, but the view stays as it is: a record says why. */
export function attempted(concluded: Concluded, world: World, attempt: Attempt): Outcome {
  const { status, reason, findings } = attempt;
  const base = kept(concluded);
  const { tokens, counts } = base;
  const spent = spentOf({ ...NOTHING_SPENT, ...attempt });
  const record = newRecord(concluded.request, world, { ...spent, status, reason, findings, tokens, counts });
  return { ...base, status, reason, record, records: [record], findings };
}

/** What was spent, without what does not belong to that. */
export function spentOf({ calls, usage, findings, goal }: Spent): Spent {
  return { calls, usage, findings, ...(goal === undefined ? {} : { goal }) };
}

function kept({ request, state, decision }: Concluded): Omit<Outcome, 'status' | 'reason' | 'records' | 'findings'> {
  return { ...untouched(shown(request, state.view)), tokens: span(state, state), decision };
}

/** The messages of a view; the caller's own list where no record changes anything of it. */
function shown({ natives }: Request, { entries }: View): readonly unknown[] {
  const isOriginal = entries.length === natives.length && entries.every(({ recordId }) => recordId === undefined);
  return isOriginal ? natives : entries.map(({ message }) => message.native);
}

/** What an outcome says of messages it leaves as they are. */
export function untouched(messages: readonly unknown[]): Pick<Outcome, 'messages' | 'counts' | 'method' | 'degraded'> {
  const count = messages.length;
  const counts = { before: count, after: count, compressed: 0, preserved: count };
  return { messages, counts, method: 'none', degraded: false };
}

/** Sizes before and after, in whole tokens. */
export function span(before: MeasuredView, after: MeasuredView): TokenSpan {
  const { request, fixed, basis } = before.sizes;
  return { before: wholeTokens(request), after: wholeTokens(after.sizes.request), fixed: wholeTokens(fixed), basis };
}

type Details = Partial<CompactionRecord> & Pick<CompactionRecord, 'status' | 'reason' | 'tokens' | 'counts'>;

/** A record of this request, as the world dates and names it. */
export function newRecord(request: Request, world: World, details: Details): CompactionRecord {
  const tipId = request.ids.at(-1);
  return {
    ...BLANK_RECORD,
    id: world.newId(),
    at: world.now(),
    preset: request.policy.preset,
    cause: request.cause,
    ...(tipId === undefined ? {} : { tipId }),
    ...details,
  };
}
