import { describeOutcome, idsOf, type Outcome, type Plan, type Policy } from 'epitome';
import type { Conversation } from '../input/conversation.ts';
import type { Ended } from './passed.ts';
import { rangesOf } from './ranges.ts';
import { findingSentence, methodSentence, percent, reasonSentence } from './sentences.ts';
import { sessionData } from './session-notes.ts';

/** A finished run with what it was run on. */
export type Run = {
  readonly outcome: Ended;
  readonly conversation: Conversation;
  readonly policy: Policy;
  readonly durationMs: number;
};

/** The report a program reads. */
export function machineReport({ outcome, conversation, policy, durationMs }: Run): object {
  const { status, reason, method, degraded, tokens, counts, plan, findings, decision, record, records } = outcome;
  return {
    status,
    reason,
    preset: policy.preset,
    window: policy.window,
    format: conversation.format,
    formatBasis: conversation.formatBasis,
    ...(conversation.kind === 'session' ? { session: sessionData(conversation.session) } : {}),
    method,
    degraded,
    tokens,
    messages: counts,
    plan: plan === undefined ? null : planOf(plan, coveredBy(records, conversation)),
    findings,
    decision,
    discardedContextSummary: outcome.discardedContextSummary,
    record: record ?? null,
    records,
    durationMs,
  };
}

/** What was replaced, in indexes of native messages. */
function planOf({ split, firstKept, masks }: Plan, covered: readonly number[]): object {
  const last = covered.at(-1);
  return { split, ranges: rangesOf(covered), firstKept: last === undefined ? firstKept : last + 1, masks };
}

/** Messages of the input that the records of this run cover, ascending. */
function coveredBy(records: Outcome['records'], { format, messages }: Conversation): readonly number[] {
  const covered = new Set(records.flatMap(({ covers }) => covers));
  return idsOf(format, messages).flatMap((id, index) => (covered.has(id) ? index : []));
}

/** The report a person reads. */
export function humanReport({ outcome, conversation, policy }: Run): readonly string[] {
  const { status, reason, tokens, counts, findings, decision } = outcome;
  const isChanged = status === 'compressed' || status === 'truncated';
  const figures = [
    `  tokens    ${tokens.before} → ${tokens.after} (${percent(1 - tokens.after / tokens.before)} less), ${tokens.fixed} of them fixed`,
    `  messages  ${counts.before} → ${counts.after}: ${counts.compressed} compacted, ${counts.preserved} kept as they were`,
    `  preset    ${policy.preset} (${reason}), ${methodSentence(outcome)}`,
  ];
  const basis = conversation.formatBasis === 'assumed' ? ' (assumed; --format names another)' : '';
  return [
    describeOutcome(outcome),
    ...(isChanged ? figures : []),
    ...(status === 'noop' ? [`  ${reasonSentence(reason, decision, policy)}`] : []),
    ...(isChanged ? [`  format    ${conversation.format}${basis}`] : []),
    ...(outcome.discardedContextSummary === undefined ? [] : [`  left out  ${outcome.discardedContextSummary}`]),
    ...findings.map((finding) => `  note      ${findingSentence(finding)}`),
  ];
}
