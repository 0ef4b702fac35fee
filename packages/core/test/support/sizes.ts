import { expect } from 'vitest';
import { type CompactionRecord, type Counter, estimateTokens, preview } from '../../src/index.ts';
import { IMAGE_MARK, type Note } from '../../src/testing/index.ts';
import { keptOf } from './fates.ts';
import type { Law } from './harness.ts';
import type { Run } from './run.ts';
import { livePrompt, newestAside } from './structure.ts';

/** Laws on tokens: of the request, of summaries, of what a summarizer is asked. */
export const SIZES: readonly Law<Run>[] = [
  {
    name: 'law 11: the request is smaller, or it is the same one',
    check: (run) => {
      const { tokens } = run.outcome;
      if (isCommitted(run)) expect(tokens.after).toBeLessThan(tokens.before);
      else expect(tokens.after).toBe(tokens.before);
    },
  },
  {
    name: 'law 12: after a success the request fits the window, or a finding says what stands in the way',
    check: (run) => {
      const { outcome, policy } = run;
      if (!isCommitted(run) || outcome.findings.some(({ code }) => code === 'unshrinkable')) return;
      expect(outcome.tokens.after).toBeLessThanOrEqual(policy.window - policy.reserved);
      if (policy.target !== undefined) expect(outcome.tokens.after).toBeLessThanOrEqual(policy.target);
    },
  },
  {
    name: 'law 12: where the window is still exceeded, hardly anything is left but what always stays',
    check: (run) => {
      const { outcome, policy, ports, input, rendered } = run;
      const isOver = isCommitted(run) && outcome.tokens.after > policy.window - policy.reserved;
      // Items of one response that begin with reasoning are kept whole with it (R3), which may be much.
      if (input.format === 'openai-responses') return;
      // A summary that was refused ends the run, whatever is left to do.
      if (!isOver || isOutOfReach(run) || outcome.records.some(({ status }) => status === 'failed-empty-summary'))
        return;
      const stays = alwaysStays(rendered.notes);
      const messages = [...keptOf(run.fates)].filter((at) => !stays.has(at)).map((at) => rendered.messages[at]);
      const { system: _, tools: __, ...bare } = { ...input, messages, records: [] };
      // A rung must save a tenth; what it writes itself takes some of that.
      expect(preview(bare, ports).tokens.before).toBeLessThan(outcome.tokens.after * 0.16 + FRAME);
    },
  },
  {
    name: 'the figures are what the meter says of the messages',
    check: ({ input, outcome, ports }) => {
      const again = preview({ ...input, messages: outcome.messages, records: [] }, ports);
      expect(again.tokens).toEqual({
        before: outcome.tokens.after,
        fixed: outcome.tokens.fixed,
        basis: outcome.tokens.basis,
      });
    },
  },
  {
    name: 'law 17: model calls stay within their limit, whatever the model answers',
    check: ({ outcome, summarizer, ports }) => {
      const calls = outcome.records.map((record) => record.calls);
      expect(calls.reduce((sum, count) => sum + count, 0)).toBe(summarizer.briefs.length);
      expect(Math.max(0, ...calls)).toBeLessThanOrEqual(ports.maxCalls ?? 32);
    },
  },
  {
    name: 'law 33: a brief fits the window of the summarizer',
    check: (run) => {
      const {
        summarizer,
        case: { summarizerWindow },
      } = run;
      const count = counterOf(run);
      const sizes = summarizer.briefs.map(({ system, prompt }) => count(system) + count(prompt));
      expect(Math.max(0, ...sizes)).toBeLessThanOrEqual(summarizerWindow);
    },
  },
  {
    name: 'law 34: a summary stays under its cap',
    check: (run) => {
      const { outcome, policy } = run;
      const count = counterOf(run);
      for (const record of outcome.records)
        expect(count(record.text)).toBeLessThanOrEqual(capOf(record, policy.summaryMaxTokens));
    },
  },
  {
    name: 'law 35: no image byte reaches a summarizer or a summary, a placeholder does',
    check: ({ summarizer, outcome, fates, before }) => {
      const briefs = summarizer.briefs.map(({ prompt }) => prompt).join('\n');
      const summaries = fates.map((fate) => ('text' in fate ? fate.text : '')).join('\n');
      expect(briefs.includes(IMAGE_MARK) || summaries.includes(IMAGE_MARK)).toBe(false);
      const hasImages = JSON.stringify(before).includes(IMAGE_MARK);
      const hasLost =
        hasImages && outcome.status === 'compressed' && !JSON.stringify(outcome.messages).includes(IMAGE_MARK);
      const isShown = outcome.method === 'model' && !outcome.findings.some(({ code }) => code === 'left-out');
      if (hasLost && isShown) expect(briefs).toContain('[image image/png');
    },
  },
];

// Tags, label, note and acknowledgement around a summary, at the largest factor of a meter in these cases.
const FRAME = 600;

// What stands before a provider's own compaction item, and a loop with bound thinking.
function isOutOfReach({ case: { script } }: Run): boolean {
  return script.thinking === 'signed' || script.steps.some(({ kind }) => kind === 'compaction');
}

// System messages, the live prompt with its batch, and every batch of its turn that waits for a result, with what the
// assistant said right before: where a response comes as several items, nobody can tell where it began.
function alwaysStays(notes: readonly Note[]): ReadonlySet<number> {
  const newest = notes.findLastIndex(({ isPrompt }) => isPrompt);
  const answered = new Set(notes.flatMap(({ results }) => results));
  const isWaiting = ({ calls }: Note, at: number): boolean => at > newest && calls.some((id) => !answered.has(id));
  const waiting = notes.filter(isWaiting).map(({ step }) => step);
  const isLive = waiting.length > 0 || livePrompt(notes) !== undefined;
  const aside = newestAside(notes);
  const steps = new Set(isLive ? [...waiting, notes[newest]?.step ?? -1, notes[aside ?? -1]?.step ?? -1] : []);
  const stays = new Set(notes.flatMap(({ step, isSystem }, at) => (isSystem || steps.has(step) ? [at] : [])));
  for (const first of notes.flatMap(({ step }, at) => (waiting.includes(step) ? [at] : []))) {
    for (let at = first - 1; at > newest && notes[at]?.results.length === 0; at -= 1) stays.add(at);
  }
  return stays;
}

function isCommitted({ outcome: { status } }: Run): boolean {
  return status === 'compressed' || status === 'truncated';
}

// A model may take twice what it was asked for; a mechanical summary has tags and one line around its budget.
function capOf({ method }: CompactionRecord, asked: number): number {
  return method === 'model' ? asked * 2 : asked + 80;
}

// The meter of the run: what is compared must be measured alike.
function counterOf({ ports, policy }: Run): Counter {
  return ports.counter ?? (policy.meter.kind === 'quarter' ? (text) => text.length / 4 : estimateTokens);
}
