import { estimateTokens, FORMAT_NAMES, type FormatName, formats, type Message } from 'epitome';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { convertMessages, decodeAll, handoverOf, messagesOf, repairMessages } from '../src/index.ts';
import { plainFaults } from './support/plain-pairs.ts';
import { sessionIn } from './support/read.ts';

const errorsOf = (format: FormatName, natives: readonly unknown[]) =>
  formats[format].validate(natives).filter(({ severity }) => severity === 'error');

const files = {
  'openai-chat': 'api-openai-chat.jsonl',
  'openai-responses': 'api-responses.json',
  anthropic: 'claude-code.jsonl',
  gemini: 'api-gemini.json',
  'ai-sdk': 'opencode.json',
} as const satisfies Record<FormatName, string>;

describe.each(FORMAT_NAMES)('%s', (format) => {
  test('whatever messages are missing, a repair leaves no pair broken', async () => {
    const whole = messagesOf(await sessionIn(files[format]));
    fc.assert(
      fc.property(fc.subarray([...whole], { minLength: 1 }), (some) => {
        const { messages } = repairMessages(some, format);
        // A conversation that begins in the middle is no fault of a pair.
        const broken = errorsOf(format, messages).filter(({ rule }) => rule !== 'G4' && rule !== 'G2' && rule !== 'R3');
        expect(broken).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });

  test.each(FORMAT_NAMES)('whatever messages are missing, they go over to %s as a valid list', async (to) => {
    const whole = messagesOf(await sessionIn(files[format]));
    fc.assert(
      fc.property(fc.subarray([...whole], { minLength: 1 }), (some) => {
        const { messages } = convertMessages(some, format, to);
        expect([errorsOf(to, messages), plainFaults(to, messages)]).toEqual([[], []]);
      }),
      { numRuns: 60 },
    );
  });

  test('a repair keeps every message that needs none as the very same value', async () => {
    const whole = messagesOf(await sessionIn(files[format]));
    const last = whole.slice(0, -1);
    const { messages } = repairMessages(last, format);
    for (const message of messages) expect(last.includes(message)).toBe(true);
  });
});

test('what was put right is counted', async () => {
  const whole = messagesOf(await sessionIn('api-openai-chat.jsonl'));
  const isResult = (message: unknown): boolean => JSON.stringify(message).includes('"role":"tool"');
  const unanswered = repairMessages(
    whole.filter((message) => !isResult(message)),
    'openai-chat',
  );
  expect(unanswered.losses).toMatchObject({ unanswered: 3, orphans: 0 });
  expect(JSON.stringify(unanswered.messages)).toContain('No result was recorded');
  const orphans = repairMessages(
    whole.filter((message) => !JSON.stringify(message).includes('tool_calls')),
    'openai-chat',
  );
  expect(orphans.losses).toMatchObject({ unanswered: 0, orphans: 3 });
  expect(JSON.stringify(orphans.messages)).toContain('1 replacement in src/date.ts');
});

test('thinking stays with its provider, images go along', async () => {
  const natives = messagesOf(await sessionIn('claude-code.jsonl'));
  for (const to of ['gemini', 'openai-chat', 'ai-sdk', 'openai-responses'] as const) {
    const { messages, losses } = convertMessages(natives, 'anthropic', to);
    expect(losses.reasoning).toBe(1);
    expect(JSON.stringify(messages)).not.toContain('c2lnbmVk');
    expect(JSON.stringify(messages)).toContain('iVBORw0KGgo');
  }
});

test('ids and names that a provider refuses are made fit, each pair alike', () => {
  const natives = [
    { role: 'user', content: 'go' },
    { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'a|b', toolName: 'x.y', input: { n: 1 } }] },
    {
      role: 'tool',
      content: [{ type: 'tool-result', toolCallId: 'a|b', toolName: 'x.y', output: { type: 'text', value: 'r' } }],
    },
  ];
  expect(convertMessages(natives, 'ai-sdk', 'anthropic').messages.slice(1)).toEqual([
    { role: 'assistant', content: [{ type: 'tool_use', id: 'a_b', name: 'x_y', input: { n: 1 } }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a_b', content: 'r' }] },
  ]);
});

test.each(['openai-chat', 'openai-responses', 'anthropic', 'gemini', 'ai-sdk'] as const)(
  'the raw text of a custom tool goes over to %s as an object',
  (to) => {
    const patch = '*** Begin Patch\n*** Update File: a.ts\n"quoted"\n*** End Patch';
    const natives = [
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'go' }] },
      { type: 'custom_tool_call', call_id: 'c1', name: 'apply_patch', input: patch },
      { type: 'custom_tool_call_output', call_id: 'c1', output: 'Done' },
      { type: 'function_call', call_id: 'c2', name: 'list', arguments: '[1]' },
      { type: 'function_call_output', call_id: 'c2', output: 'Done' },
    ];
    const { messages } = convertMessages(natives, 'openai-responses', to);
    expect(errorsOf(to, messages)).toEqual([]);
    const inputs = decodeAll(messages, to).flatMap(({ parts }) =>
      parts.flatMap((part) => (part.kind === 'tool-call' ? [JSON.parse(part.input)] : [])),
    );
    expect(inputs).toEqual([{ input: patch }, { input: [1] }]);
  },
);

test('decisions have a section of their own, in whole sentences, where there are any', () => {
  const said = (role: 'user' | 'assistant', text: string): Message => ({
    role,
    parts: [{ kind: 'text', text }],
    native: undefined,
  });
  const messages = [
    said('user', 'Make the queue survive a restart.'),
    said('assistant', 'Let me read the journal instead of guessing. The problem is clear.'),
    said('assistant', 'We decided to keep the journal in one file. Here is the root cause:'),
    said('assistant', '- The journal is lost because the process never syncs it.\n- Fixed the path'),
    said('assistant', 'Done, it survives.'),
  ];
  for (const maxTokens of [250, 4000]) {
    const text = handoverOf(messages, { maxTokens });
    expect(estimateTokens(text)).toBeLessThanOrEqual(maxTokens);
    const section = text.split('## Decisions and findings\n\n')[1]?.split('\n\n')[0];
    expect(section?.split('\n').at(-1)).toBe('- The journal is lost because the process never syncs it.');
    expect(text.split('We decided to keep').length).toBeLessThanOrEqual(2);
  }
  const whole = handoverOf(messages, { maxTokens: 4000 });
  expect(whole).toContain('## Decisions and findings\n\n- We decided to keep the journal in one file.\n- The journal');
  expect(handoverOf(messages.slice(0, 2), { maxTokens: 4000 })).not.toContain('## Decisions');
});

test('a hand-over keeps to its length and tells goal, files, commands and where it stands', async () => {
  const messages = decodeAll(messagesOf(await sessionIn('claude-code.jsonl')), 'anthropic');
  for (const maxTokens of [250, 500, 4000]) {
    const text = handoverOf(messages, { maxTokens, title: 'Dates' });
    expect(estimateTokens(text)).toBeLessThanOrEqual(maxTokens);
    expect(text).toContain('# Hand-over: Dates');
    expect(text).toContain('parseDate');
  }
  const headings = handoverOf(messages, { maxTokens: 4000 }).match(/^## .*$/gm) ?? [];
  expect(headings.slice(0, 2)).toEqual(['## Goal', '## Where it stands, and what is next']);
  expect(headings).toContain('## Files');
  const whole = handoverOf(messages, { maxTokens: 4000, goal: 'Ship it', summary: 'All is well.' });
  for (const words of [
    '## Goal',
    'Ship it',
    '## Summary\n\nAll is well.',
    '## Files',
    'src/date.ts',
    '## Where it stands, and what is next',
  ]) {
    expect(whole).toContain(words);
  }
});
