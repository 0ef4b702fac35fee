import { wholeTokens } from '../model/count.ts';
import type { Decision } from '../model/decision.ts';
import type { TokenSpan } from '../model/record.ts';
import type { View } from '../model/view.ts';
import { project } from '../record/project.ts';
import type { Outcome } from './outcome.ts';
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
export function uncounted(request: Request, detail: string): Outcome {
  const view = project(request, request.records, request.policy.reuse);
  return {
    ...untouched(shown(request, view)),
    status: 'failed-token-count',
    reason: 'counter-failed',
    tokens: { before: 0, after: 0, fixed: 0, basis: 'estimated' },
    records: [],
    findings: [{ code: 'counter-failed', detail }],
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

/** An outcome that leaves the view as it is, but for why. */
export function kept({
  request,
  state,
  decision,
}: Concluded): Omit<Outcome, 'status' | 'reason' | 'records' | 'findings'> {
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
