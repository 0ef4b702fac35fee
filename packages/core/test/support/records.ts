import { expect } from 'vitest';
import { type CompactInput, compact, describeOutcome, type LogRecord, type Outcome } from '../../src/index.ts';
import { USABLE_BEHAVIOURS } from '../../src/testing/index.ts';
import type { Law } from './harness.ts';
import { portsOf, type Run } from './run.ts';

/** Laws on outcomes and records: what is said, what is kept when nothing may change, what can be taken back. */
export const RECORDS: readonly Law<Run>[] = [
  {
    name: 'whatever fails, the very list that was given comes back',
    check: (run) => {
      const { outcome, before, input } = run;
      if (isCommitted(outcome)) return;
      expect(outcome.messages).toEqual(before);
      if (before === input.messages) expect(outcome.messages).toBe(input.messages);
    },
  },
  {
    name: 'law 14: below the trigger nothing is done, asked or recorded',
    check: ({ outcome, summarizer }) => {
      if (outcome.decision.compact || outcome.status === 'failed-token-count') return;
      expect(outcome).toMatchObject({ status: 'noop', records: [], findings: [], reason: outcome.decision.reason });
      expect(summarizer.briefs).toEqual([]);
    },
  },
  {
    name: 'every attempt that passed its trigger is recorded, with the figures of its outcome',
    check: ({ outcome }) => {
      if (!outcome.decision.compact) return;
      expect(outcome.records).toContain(outcome.record);
      expect(outcome.record).toMatchObject({ status: outcome.status, method: outcome.method });
      expect(outcome.record?.tokens.after).toBe(outcome.tokens.after);
    },
  },
  {
    name: 'law 18: the same input gives the same outcome',
    check: async (run) => {
      // It costs another run, so one history in three; and time decides what comes of waiting.
      const waits = run.case.behaviours.some((one) => one === 'hangs' || one === 'ignores-signal');
      if (waits || run.case.options.window % 3 !== 0) return;
      const again = await compact(run.input, portsOf(run.case, run.step).ports);
      expect(JSON.stringify(again)).toBe(JSON.stringify(run.outcome));
    },
  },
  {
    name: 'law 32: an empty history, or one prompt alone, is left as it is, and nobody is asked',
    check: ({ input, rendered: { notes }, outcome, summarizer }) => {
      if (notes.length > 1 || notes[0]?.isPrompt === false) return;
      expect(outcome.status).toBe('noop');
      expect(outcome.messages).toBe(input.messages);
      expect(summarizer.briefs).toEqual([]);
    },
  },
  {
    name: 'law 37: a summarizer that fails leaves the list alone, or the result is marked as degraded',
    check: ({ case: { behaviours }, outcome, summarizer }) => {
      const isUsable = behaviours.some((behaviour) => USABLE_BEHAVIOURS.includes(behaviour));
      if (isUsable || summarizer.briefs.length === 0 || !isCommitted(outcome)) return;
      expect(outcome.method).not.toBe('model');
      expect(outcome.degraded).toBe(true);
    },
  },
  {
    name: 'a record survives JSON, and projecting it gives the very same view',
    check: async (run) => {
      if (!isCommitted(run.outcome)) return;
      const records: readonly LogRecord[] = JSON.parse(JSON.stringify(logOf(run)));
      expect(await viewOf(run, records)).toEqual(run.outcome.messages);
    },
  },
  {
    name: 'law 31: an undo brings back the very messages there were',
    check: async (run) => {
      const { outcome, before } = run;
      if (!isCommitted(outcome)) return;
      const undone = outcome.records.map(
        (record, at): LogRecord => ({ kind: 'undo', id: `u${at}`, at: 0, undoes: record.id }),
      );
      const view = await viewOf(run, [...logOf(run), ...undone]);
      expect(view).toEqual(before);
      if (before === run.input.messages) expect(view).toBe(before);
    },
  },
  {
    name: 'the counts add up, and a sentence says what happened',
    check: ({ outcome, before }) => {
      const { counts } = outcome;
      expect(counts.before).toBe(before.length);
      expect(counts.after).toBe(outcome.messages.length);
      if (outcome.records.length <= 1) expect(counts.compressed + counts.preserved).toBe(counts.before);
      expect(describeOutcome(outcome)).toMatch(/^[A-Z].*[.]$/);
    },
  },
];

/** The log after a run. */
export function logOf({ input, outcome }: Run): readonly LogRecord[] {
  return [...(input.records ?? []), ...outcome.records];
}

/** The view of a log, by a call that has nothing to do. */
export async function viewOf(
  { input, policy }: Pick<Run, 'input' | 'policy'>,
  records: readonly LogRecord[],
): Promise<readonly unknown[]> {
  const { format, messages, system, tools, ids } = input;
  const idle = {
    format,
    messages,
    system,
    tools,
    ...(ids === undefined ? {} : { ids }),
    records,
  } satisfies Partial<CompactInput>;
  const outcome = await compact({ ...idle, policy: { ...policy, triggers: [] } });
  expect(outcome.status).toBe('noop');
  return outcome.messages;
}

/** Whether an outcome changed the view. */
export function isCommitted({ status }: Pick<Outcome, 'status'>): boolean {
  return status === 'compressed' || status === 'truncated';
}
