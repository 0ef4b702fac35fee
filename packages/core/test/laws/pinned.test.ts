import { expect } from 'vitest';
import { compact, type LogRecord, type Outcome } from '../../src/index.ts';
import { renderScript } from '../../src/testing/index.ts';
import { holdLaws } from '../support/harness.ts';
import { inputOf, portsOf } from '../support/run.ts';
import { type SessionCase, sessionArbitrary } from '../support/session.ts';

const RULES = 'Answer in Finnish; never touch the folder legacy/. ✓';

holdLaws({ name: 'pinned', given: (format) => sessionArbitrary(format), run: runPinned, runs: 60 }, [
  {
    name: 'law 27: pinned instructions stand once and byte for byte behind every summary, however many there were',
    check: (outcomes: readonly Outcome[]) => {
      for (const { record, messages } of outcomes) {
        if (record === undefined || record.inserts.length === 0 || record.status !== 'compressed') continue;
        expect(JSON.stringify(messages).split(RULES).length - 1).toBe(1);
      }
    },
  },
  {
    name: 'law 27: no summarizer is shown pinned instructions, so none can rewrite them',
    check: (outcomes: readonly Outcome[]) => {
      for (const { record } of outcomes) expect(record?.text ?? '').not.toContain(RULES);
    },
  },
]);

/** The history grows and stays whole, its log is passed, and one provider of state holds the rules. */
async function runPinned(given: SessionCase): Promise<readonly Outcome[]> {
  const rendered = renderScript(given.script, given.format);
  const outcomes: Outcome[] = [];
  const records: LogRecord[] = [];
  for (const [step, stop] of given.stops.entries()) {
    const messages = rendered.messages.slice(0, stop);
    const input = { ...inputOf(given, { ...rendered, messages }), records: [...records] };
    const outcome = await compact(input, { ...portsOf(given, step).ports, state: { rules: () => RULES } });
    records.push(...outcome.records);
    outcomes.push(outcome);
  }
  return outcomes;
}
