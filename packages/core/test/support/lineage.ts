import { expect } from 'vitest';
import { type CompactionRecord, compact, idsOf, type LogRecord } from '../../src/index.ts';
import { builders } from '../../src/testing/index.ts';
import type { Law } from './harness.ts';
import { isCommitted, logOf, viewOf } from './records.ts';
import { portsOf, type Run } from './run.ts';
import type { Session } from './session.ts';

/** Laws on what several compactions do to one conversation. */
export const LINEAGE: readonly Law<Session>[] = [
  {
    name: 'law 13: compacting again and again comes to an end, smaller each time',
    check: async ({ steps }) => {
      const last = steps.at(-1);
      if (last === undefined || last.case.behaviours.some(isSlow)) return;
      let { messages } = last.outcome;
      for (let pass = 0; ; pass += 1) {
        expect(pass).toBeLessThan(12);
        const input = { ...last.input, messages, records: [], cause: 'manual' } as const;
        const outcome = await compact(input, portsOf(last.case, 100 + pass).ports);
        if (!isCommitted(outcome)) return;
        expect(outcome.tokens.after).toBeLessThan(outcome.tokens.before);
        messages = outcome.messages;
      }
    },
  },
  {
    name: 'law 14: a compaction that succeeded is not repeated before anything new is said',
    check: async ({ steps }) => {
      for (const run of steps) {
        if (!isCommitted(run.outcome) || run.case.preset === 'selective') continue;
        const { messages } = run.outcome;
        for (const given of [run.input, { ...run.input, messages }]) {
          const { ports, summarizer } = portsOf(run.case, 200);
          const again = await compact({ ...given, records: logOf(run), cause: 'automatic' }, ports);
          expect(summarizer.briefs).toEqual([]);
          // A request that cannot be sent is tried again whenever it comes, at no cost; it may only get smaller.
          const isOver = run.outcome.tokens.after > run.policy.window - run.policy.reserved;
          if (isOver && isCommitted(again)) expect(again.tokens.after).toBeLessThan(run.outcome.tokens.after);
          else expect(again).toMatchObject({ status: 'noop', messages });
        }
      }
    },
  },
  {
    name: 'law 15: the cutoff of later summaries never moves back',
    check: (session) => {
      if (session.case.mode !== 'log' || session.case.preset === 'selective') return;
      const ids = idsOf(session.case.format, session.rendered.messages);
      const summaries = committed(session).filter(({ inserts }) => inserts.length > 0);
      const cutoffs = summaries.map(({ lastSummarizedId }) => ids.indexOf(lastSummarizedId ?? ''));
      expect(cutoffs).toEqual(cutoffs.toSorted((a, b) => a - b));
    },
  },
  {
    name: 'law 16: after a success no model is asked before the request has grown',
    check: async ({ steps }) => {
      for (const run of steps) {
        const { input, outcome } = run;
        if (!isCommitted(outcome) || !run.policy.waitsForGrowth) continue;
        const messages = [...input.messages, builders[input.format].user('Go on.')];
        const { ports, summarizer } = portsOf(run.case, 300);
        const next = await compact({ ...input, messages, records: logOf(run), cause: 'automatic' }, ports);
        if (next.tokens.before < outcome.tokens.after * 1.1) expect(summarizer.briefs).toEqual([]);
      }
    },
  },
  {
    name: 'law 22: between compactions the view is a byte prefix of the next view',
    check: async (session) => {
      if (session.case.mode !== 'log') return;
      for (const [index, run] of session.steps.entries()) {
        const next = session.steps[index + 1];
        if (next === undefined) continue;
        const shown = run.outcome.messages.map((native) => JSON.stringify(native));
        expect(next.before.slice(0, shown.length).map((native) => JSON.stringify(native))).toEqual(shown);
      }
    },
  },
  {
    name: 'law 23: a fork above the parent of a summary never sees it',
    check: async (session) => {
      if (session.case.mode !== 'log') return;
      const ids = idsOf(session.case.format, session.rendered.messages);
      for (const run of session.steps) {
        const parents = run.outcome.records.flatMap(({ parentId }) =>
          parentId === undefined ? [] : ids.indexOf(parentId),
        );
        const earlier = run.input.records ?? [];
        if (!isCommitted(run.outcome) || earlier.length > 0 || run.policy.reuse !== 'strict') continue;
        const messages = run.input.messages.slice(0, Math.min(...parents));
        expect(await viewOf({ ...run, input: { ...run.input, messages } }, logOf(run))).toBe(messages);
      }
    },
  },
  {
    name: 'law 31: taking compactions back one by one goes through every earlier view to the very first list',
    check: async (session) => {
      const last = session.steps.at(-1);
      if (session.case.mode !== 'log' || last === undefined) return;
      const views: (readonly unknown[])[] = [];
      let log: readonly LogRecord[] = logOf(last);
      for (const record of committed(session).toReversed()) {
        log = [...log, { kind: 'undo', id: `u-${record.id}`, at: 0, undoes: record.id }];
        views.push(await viewOf(last, log));
      }
      for (const [index, view] of views.entries()) {
        const kept = committed(session).slice(0, committed(session).length - index - 1);
        expect(view).toEqual(await viewOf(last, kept));
      }
      if (views.length > 0) expect(views.at(-1)).toBe(last.input.messages);
    },
  },
  {
    name: 'law 34: summaries do not nest and do not pile up',
    check: ({ steps, case: { preset, script } }) => {
      // What stands before a provider's own compaction item is out of reach.
      const isOne = preset !== 'selective' && !script.steps.some(({ kind }) => kind === 'compaction');
      for (const { outcome, fates, rendered } of steps) {
        const summaries = fates.filter(({ kind }) => kind === 'summary');
        if (isOne && isCommitted(outcome)) expect(summaries.length).toBeLessThanOrEqual(1);
        for (const { text } of outcome.records)
          expect(holdsFrame(text) && !holdsFrame(JSON.stringify(rendered.messages))).toBe(false);
      }
    },
  },
];

/** A law of one compaction, held against every compaction of a session. */
export function atEachStep({ name, check }: Law<Run>): Law<Session> {
  return {
    name,
    check: async ({ steps }) => {
      for (const run of steps) await check(run);
    },
  };
}

function committed({ steps }: Session): readonly CompactionRecord[] {
  return steps.flatMap(({ outcome }) => outcome.records).filter(isCommitted);
}

function isSlow(behaviour: string): boolean {
  return behaviour === 'hangs' || behaviour === 'ignores-signal';
}

function holdsFrame(text: string): boolean {
  return text.includes('<conversation_summary check=');
}
