import { expect, test } from 'vitest';
import { joined } from '../../src/engine/joined.ts';
import { compact, createCompactor } from '../../src/index.ts';

const words = (start: string, count: number): string => `${start} ${'word '.repeat(count)}`;

test('a summary is never parted from its bridge, so that it is neither dropped nor nested', async () => {
  const use = (id: string) => ({ role: 'assistant', content: [{ type: 'tool_use', id, name: 'read', input: {} }] });
  const answer = (id: string) => ({
    role: 'user',
    content: [{ type: 'tool_result', tool_use_id: id, content: words('result', 400) }],
  });
  const says = (role: 'user' | 'assistant', content: string) => ({ role, content });
  const prompts: string[] = [];
  const compactor = createCompactor(
    { format: 'anthropic', policy: 'selective', window: 2000, tokenThreshold: 900, retentionWindow: 2 },
    {
      summarizer: ({ prompt }) => {
        prompts.push(prompt);
        const text = `SUMMARY-${prompts.length} ${'fact '.repeat(prompts.length === 1 ? 500 : 20)}`;
        return Promise.resolve({ text: `<summary>${text}</summary>` });
      },
    },
  );
  const opening = [use('a'), answer('a'), use('b'), answer('b'), says('assistant', words('answer', 100))];
  const history: unknown[] = [says('user', words('TASK', 900)), ...opening, says('user', 'prompt 4')];
  await compactor.beforeModel(history);
  const later = [says('assistant', 'answer 5'), says('user', words('prompt 6', 600))];
  await compactor.beforeModel([...history, ...later]);
  const latest = [...later, says('assistant', 'answer 7'), says('user', words('prompt 8', 200))];
  const { messages } = await compactor.beforeModel([...history, ...latest]);
  expect(messages[0]).toBe(history[0]);
  expect(prompts[1]).toContain('SUMMARY-1');
  expect(messages.filter((message) => JSON.stringify(message).includes('SUMMARY-'))).toHaveLength(1);
  expect(JSON.stringify(messages)).toContain('SUMMARY-2');
});

test('a request that overflowed is compacted run by run until it fits', async () => {
  const turn = (day: number) => [
    { role: 'user', content: `question ${day}` },
    { role: 'assistant', content: words('one', 100) },
    { role: 'assistant', content: words('two', 100) },
  ];
  const messages = [...Array.from({ length: 10 }, (_, day) => turn(day)).flat(), { role: 'user', content: 'last' }];
  const { status, tokens, findings } = await compact(
    { format: 'openai-chat', messages, policy: 'selective', window: 200_000, cause: 'overflow' },
    { summarizer: () => Promise.resolve({ text: '<summary>short</summary>' }) },
  );
  expect(status).toBe('compressed');
  expect(tokens.after).toBeLessThanOrEqual(tokens.before * 0.7);
  expect(findings).toEqual([]);
});

test('a compaction that was published stands, whatever comes of another one behind it', async () => {
  const turn = (day: number) => [
    { role: 'user', content: `question ${day}` },
    { role: 'assistant', content: words('answer', 100) },
  ];
  const messages = [...Array.from({ length: 10 }, (_, day) => turn(day)).flat(), { role: 'user', content: 'last' }];
  const input = { format: 'openai-chat', messages, window: 4000 } as const;
  const first = await compact({ ...input, cause: 'manual' });
  const second = await compact({ ...input, messages: first.messages, cause: 'automatic' });
  expect([first.status, second.status]).toEqual(['compressed', 'noop']);
  const outcome = joined(first, second);
  expect(outcome).toMatchObject({ status: 'compressed', method: first.method, counts: first.counts });
  expect(outcome.record).toBe(first.record);
  expect(outcome.messages).toBe(first.messages);
});
