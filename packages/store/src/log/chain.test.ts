import { describe, expect, test } from 'vitest';
import { chainedId, isChainedId } from './chain.ts';

const id = (native: unknown): string => chainedId('p', typeof native === 'string' ? native : JSON.stringify(native));
const mark = { cache_control: { type: 'ephemeral' } };
const result = (content: unknown, more: object = {}) => ({
  role: 'user',
  content: [{ type: 'tool_result', tool_use_id: 't', content, ...more }],
});

describe('a message keeps its id', () => {
  test.each<[string, readonly unknown[]]>([
    [
      'as a text, a list of it, and marked',
      [
        { role: 'user', content: 'a "b" \\' },
        { role: 'user', content: [{ type: 'text', text: 'a "b" \\' }] },
        { role: 'user', content: [{ type: 'text', text: 'a "b" \\', ...mark }] },
        { role: 'user', content: [{ ...mark, type: 'text', text: 'a "b" \\' }], ...mark },
      ],
    ],
    [
      'in Responses, as an item with its type or without',
      [
        { role: 'user', content: 'a' },
        { type: 'message', role: 'user', content: 'a' },
        { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'a' }] },
        { role: 'user', content: [{ type: 'output_text', text: 'a' }] },
      ],
    ],
    [
      'where a tool answers a text, a list of it, and marked',
      [result('r'), result([{ type: 'text', text: 'r' }]), result([{ type: 'text', text: 'r', ...mark }], mark)],
    ],
    [
      'where the output of a call is a text or a list of it',
      [
        { type: 'function_call_output', call_id: 'c', output: 'o' },
        { type: 'function_call_output', call_id: 'c', output: [{ type: 'input_text', text: 'o' }] },
      ],
    ],
    [
      'in the spaces and escapes of another serializer',
      [
        '{"role": "user", "content": "\\u00e4"}',
        '{"role": "user", "content": [{"type": "text", "text": "\\u00e4"}]}',
        '{"role": "user", "content": [{"type": "text", "text": "\\u00e4", "cache_control": {"type": "ephemeral"}}]}',
      ],
    ],
  ])('%s', (_name, forms) => {
    expect(new Set(forms.map(id)).size).toBe(1);
  });
});

describe('an edit is another message', () => {
  test.each<[string, unknown, unknown]>([
    ['another text', { role: 'user', content: 'a' }, { role: 'user', content: [{ type: 'text', text: 'b' }] }],
    [
      'a second text',
      { role: 'user', content: 'ab' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'a' },
          { type: 'text', text: 'b' },
        ],
      },
    ],
    [
      'a citation',
      { role: 'assistant', content: 'a' },
      { role: 'assistant', content: [{ type: 'text', text: 'a', citations: [] }] },
    ],
    ['thought', { role: 'assistant', content: 'a' }, { role: 'assistant', content: [{ type: 'thinking', text: 'a' }] }],
    ['another kind of item', { type: 'message', content: 'a' }, { content: 'a' }],
    [
      'what a call is given, whatever it is called',
      { role: 'assistant', content: [{ type: 'tool_use', id: 'c', name: 'f', input: { cache_control: 1 } }] },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'c', name: 'f', input: {} }] },
    ],
    [
      'what a call is given as content',
      { role: 'assistant', content: [{ type: 'tool_use', input: { content: [{ type: 'text', text: 'a' }] } }] },
      { role: 'assistant', content: [{ type: 'tool_use', input: { content: 'a' } }] },
    ],
  ])('%s', (_name, one, other) => {
    expect(id(one)).not.toBe(id(other));
  });
});

test('ids of texts are what they were, those of lists are known by the check, and what is no JSON has one too', () => {
  const text = '{"role":"user","content":"hi"}';
  const list = '{"role":"user","content":[{"type":"text","text":"hi"}]}';
  expect(id(text)).toBe('jm8j1m80in3s');
  expect(isChainedId(id(text), 'p', list)).toBe(true);
  expect(isChainedId(id(text), 'p', text.replace('hi', 'ho'))).toBe(false);
  const odd = [
    '{"type":"text"',
    '{"content":[{"type":"text","text":"a"}',
    `${'{"content":[{"type":"text","content":['.repeat(20_000)}`,
  ];
  for (const native of odd) expect(id(native)).toBe(id(native));
});
