import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compact, type Outcome } from '../../src/index.ts';
import { builders, scriptedSummarizer } from '../../src/testing/index.ts';

const { user, assistant } = builders['openai-chat'];
const WINDOW = 10_000;
const TRIGGER = 7000;
// Tags, label, note and acknowledgement around a summary of a few lines.
const SMALLEST = 250;

const words = (count: number): string => 'word '.repeat(count).trim();

/** Pairs of so many words each, and a live prompt of so many. */
type Pasted = { readonly pairs: readonly number[]; readonly paste: number; readonly hasModel: boolean };

const histories = fc.record({
  pairs: fc.array(fc.integer({ min: 20, max: 1500 }), { minLength: 3, maxLength: 24, size: 'max' }),
  paste: fc.oneof(
    fc.integer({ min: 1, max: WINDOW - 50 }),
    fc.integer({ min: 3100, max: 3600 }),
    fc.integer({ min: 6600, max: 7100 }),
  ),
  hasModel: fc.boolean(),
});

function compacted({ pairs, paste, hasModel }: Pasted): Promise<Outcome> {
  const earlier = pairs.flatMap((size, at) => [user(`q${at} ${words(size)}`), assistant(`a${at} ${words(size)}`)]);
  const input = {
    format: 'openai-chat',
    messages: [...earlier, user(`paste ${words(paste)}`)],
    window: WINDOW,
  } as const;
  return compact(input, hasModel ? { summarizer: scriptedSummarizer('snapshot') } : {});
}

test('nothing is left out without a summary for a target that nobody gave', async () => {
  const law = fc.asyncProperty(histories, async (history) => {
    const { status, record, findings } = await compacted(history);
    const isLeftOut = status === 'truncated' || (status === 'compressed' && record?.text === '');
    if (!isLeftOut && !findings.some(({ code }) => code === 'left-out')) return;
    expect(history.paste + SMALLEST).toBeGreaterThan(TRIGGER);
  });
  await fc.assert(law, { numRuns: 60 });
});

test('a longer live prompt never keeps more', async () => {
  const law = fc.asyncProperty(histories, fc.integer({ min: 1, max: 400 }), async (history, more) => {
    const longer = { ...history, paste: Math.min(history.paste + more, WINDOW - 50) };
    const [one, other] = [await compacted(history), await compacted(longer)];
    const said = (outcome: Outcome): readonly string[] =>
      outcome.messages.map((message) => JSON.stringify(message).slice(0, 40)).filter((text) => /"[qa]\d+ /.test(text));
    if (one.status === 'noop') return;
    expect(other.status).not.toBe('noop');
    expect(said(one)).toEqual(expect.arrayContaining([...said(other)]));
    if (one.status === 'truncated') expect(other.status).toBe('truncated');
  });
  await fc.assert(law, { numRuns: 60 });
});
