import { expect, test } from 'vitest';
import type { Brief } from '../model/brief.ts';
import { BEHAVIOURS, scriptedSummarizer } from './summarizers.ts';

const brief: Brief = { system: 's', prompt: 'p'.repeat(500), maxTokens: 100, purpose: 'summary' };

test('behaves as listed, call by call, goes on with the last, and keeps the briefs', async () => {
  const summarizer = scriptedSummarizer({ text: 'first' }, 'echo');
  const { signal } = new AbortController();
  expect((await summarizer(brief, signal)).text).toBe('first');
  expect((await summarizer(brief, signal)).text).toBe(brief.prompt);
  expect((await summarizer(brief, signal)).text).toBe(brief.prompt);
  expect(summarizer.briefs).toEqual([brief, brief, brief]);
});

test.each(BEHAVIOURS)('%s ends, or hangs as it says', async (behaviour) => {
  const controller = new AbortController();
  const call = async (): Promise<unknown> => scriptedSummarizer(behaviour)(brief, controller.signal);
  const ended = await Promise.race([
    call().then(
      () => 'answers',
      () => 'fails',
    ),
    new Promise((resolve) => setTimeout(() => resolve('hangs'), 20)),
  ]);
  const expected: Partial<Record<typeof behaviour, string>> = {
    throws: 'fails',
    rejects: 'fails',
    hangs: 'hangs',
    'ignores-signal': 'hangs',
  };
  expect(ended).toBe(expected[behaviour] ?? 'answers');
});

test('a summarizer that hangs gives up when the signal aborts', async () => {
  const controller = new AbortController();
  const waiting = scriptedSummarizer('hangs')(brief, controller.signal);
  controller.abort(new Error('enough'));
  await expect(waiting).rejects.toThrow('enough');
});
