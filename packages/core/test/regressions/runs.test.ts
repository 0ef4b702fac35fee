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

test('a system message is none of the newest that stay', () => {
  const { user, assistant } = builders['openai-chat'];
  const rules = { role: 'system', content: 'rules' };
  const messages = [
    user('Go.'),
    assistant(words),
    assistant(words),
    user('And?'),
    assistant(words),
    rules,
    user('Now.'),
  ];
  const input = { format: 'openai-chat', messages, policy: 'selective', window: 100_000, cause: 'manual' } as const;
  const headAt = (retentionWindow: number) => preview({ ...input, retentionWindow }).plan?.head;
  expect([3, 4].map(headAt)).toEqual([[1, 2], undefined]);
});

describe('a request over its window is planned as the call takes it', () => {
  const { user, assistant, call, result } = builders['openai-chat'];
  const line = 'a line of the file '.repeat(12);
  const turns = Array.from({ length: 30 }, (_, turn) => [
    user(`question ${turn} ${line}`),
    call(`c${turn}`, 'read', { turn }),
    result(`c${turn}`, 'read', line.repeat(6)),
    assistant(`answer ${turn}`),
  ]).flat();
  const alternating = Array.from({ length: 30 }, (_, turn) => [user(`${turn} ${line}`), assistant(line)]).flat();
  const replaced = (before: readonly unknown[], after: readonly unknown[]): readonly number[] =>
    before.flatMap((message, at) => (after.includes(message) ? [] : at));

  test.each([
    ['runs, until it fits', turns, 0.8, {}],
    ['runs, until it meets a target', turns, 1.5, { target: 9000 }],
    ['everything, where the runs would not do', turns, 0.2, {}],
    ['the oldest, where there is no run', alternating, 0.8, {}],
  ])('%s', async (_, messages, share, limits) => {
    const input = { format: 'openai-chat', messages, policy: 'selective' } as const;
    const { tokens } = preview({ ...input, window: 100_000 });
    const over: CompactInput = { ...input, window: Math.floor(tokens.before * share), cause: 'manual', ...limits };
    const outcome = await compact(over);
    expect(outcome.status).toBe('compressed');
    // How long summaries will be is a guess, which may be wrong by a run.
    const [planned, taken] = [preview(over).plan?.head ?? [], replaced(messages, outcome.messages)];
    const [shorter, longer] = planned.length < taken.length ? [planned, taken] : [taken, planned];
    expect(shorter).toEqual(longer.slice(0, shorter.length));
    expect(longer.length - shorter.length).toBeLessThanOrEqual(3);
    expect(shorter.length).toBeGreaterThan(3);
  });
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
