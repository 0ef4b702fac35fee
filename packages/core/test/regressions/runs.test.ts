import { describe, expect, test } from 'vitest';
import { type CompactInput, compact, createCompactor, preview } from '../../src/index.ts';
import { builders, scriptedSummarizer } from '../../src/testing/index.ts';

const words = 'a word of the story '.repeat(40);

test('a model that failed in one of several runs leaves the outcome degraded, whoever wrote the next summary', async () => {
  const { user, assistant } = builders['openai-chat'];
  const messages = [user('Go.'), assistant(words), assistant(words), user('And?'), assistant(words), user('Now.')];
  const summarizer = scriptedSummarizer({ text: 'Something else entirely was said. '.repeat(400) });
  const input = { format: 'openai-chat', messages, policy: 'selective', retentionWindow: 0, cause: 'manual' } as const;
  const outcome = await compact({ ...input, window: 100_000, target: 400 }, { summarizer, maxCalls: 1 });
  expect(outcome.records.map(({ status, method, calls }) => `${status} ${method} ${calls}`)).toEqual([
    'noop none 1',
    'compressed mechanical 0',
  ]);
  expect(outcome.degraded).toBe(true);
});

describe('OpenAI Responses: thinking and the answer it led to are one message', () => {
  const { user, assistant, call, result } = builders['openai-responses'];
  const thought = (id: string): unknown => ({
    type: 'reasoning',
    id,
    summary: [{ type: 'summary_text', text: words }],
  });
  const given = { format: 'openai-responses', policy: 'selective', window: 100_000, retentionWindow: 0 } as const;

  test('one answer is no run of two', async () => {
    const messages = [user('Go.'), thought('rs_1'), assistant(words), user('And?'), thought('rs_2'), assistant(words)];
    const input: CompactInput = { ...given, messages: [...messages, user('Now.')], cause: 'manual' };
    const outcome = await compact(input, { summarizer: scriptedSummarizer('normal') });
    expect(outcome).toMatchObject({ status: 'noop', reason: 'nothing-to-cut' });
  });

  test('a call with its thinking and its result is one', () => {
    const messages = [user('Go.'), thought('rs_1'), call('c1', 'run'), result('c1', 'run', words), user('Now.')];
    expect(preview({ ...given, messages, cause: 'manual' }).plan?.head).toEqual([1, 2, 3]);
  });

  test.each([
    [4, 'below-threshold'],
    [3, 'message-threshold'],
  ])('three messages at a threshold of %i: %s', (messageThreshold, reason) => {
    const messages = [user('Go.'), thought('rs_1'), assistant(words), user('Now.')];
    expect(preview({ ...given, messages, messageThreshold }).decision.reason).toBe(reason);
    expect(createCompactor({ ...given, messageThreshold }).decide(messages).reason).toBe(reason);
  });

  test('the retention window counts them as one', () => {
    const steps = [call('c1', 'run'), result('c1', 'run', words), thought('rs_1'), assistant(words)];
    const messages = [user('Go.'), ...steps, user('Now.')];
    const headAt = (retentionWindow: number) =>
      preview({ ...given, messages, retentionWindow, cause: 'manual' }).plan?.head;
    expect([1, 2, 3].map(headAt)).toEqual([[1, 2, 3, 4], [1, 2], undefined]);
  });
});
