import type { FormatName } from 'epitome';
import { expect, test } from 'vitest';
import { parseConversation } from './conversation.ts';

const read = (value: unknown, format?: string) => {
  const text = JSON.stringify(value);
  return parseConversation({ name: 'x.json', bytes: Buffer.from(text), text }, format);
};

const plain = [
  { role: 'user', content: 'hello' },
  { role: 'assistant', content: 'hi' },
];
const toolCall = { role: 'assistant', content: null, tool_calls: [{ id: 'c', type: 'function', function: {} }] };
const block = (type: string, rest: object = {}) => [...plain, { role: 'assistant', content: [{ type, ...rest }] }];

const cases: readonly (readonly [string, unknown, FormatName, string])[] = [
  ['plain text', plain, 'openai-chat', 'assumed'],
  ['an empty list', [], 'openai-chat', 'assumed'],
  ['tool_calls', [...plain, toolCall], 'openai-chat', 'detected'],
  ['a tool message', [...plain, { role: 'tool', tool_call_id: 'c', content: 'x' }], 'openai-chat', 'detected'],
  ['image_url', block('image_url', { image_url: {} }), 'openai-chat', 'detected'],
  ['tool_use', block('tool_use', { id: 't', name: 'n', input: {} }), 'anthropic', 'detected'],
  ['tool_result', block('tool_result', { tool_use_id: 't' }), 'anthropic', 'detected'],
  ['thinking', block('thinking', { thinking: '', signature: '' }), 'anthropic', 'detected'],
  ['an image with a source', block('image', { source: { type: 'base64' } }), 'anthropic', 'detected'],
  ['a hosted result', block('web_search_tool_result'), 'anthropic', 'detected'],
  ['tool-call', block('tool-call', { toolCallId: 't' }), 'ai-sdk', 'detected'],
  ['tool-result', block('tool-result', { toolCallId: 't' }), 'ai-sdk', 'detected'],
  ['a file with mediaType', block('file', { mediaType: 'text/plain' }), 'ai-sdk', 'detected'],
  ['an image of the SDK', block('image', { image: 'data:' }), 'ai-sdk', 'detected'],
  ['input_text', block('input_text', { text: 'x' }), 'openai-responses', 'detected'],
  ['function_call', [...plain, { type: 'function_call', call_id: 'c' }], 'openai-responses', 'detected'],
  ['function_call_output', [{ type: 'function_call_output', call_id: 'c' }], 'openai-responses', 'detected'],
  ['reasoning items', [...plain, { type: 'reasoning', summary: [] }], 'openai-responses', 'detected'],
  ['message items', [{ type: 'message', role: 'user', content: 'x' }], 'openai-responses', 'detected'],
  ['parts', [{ role: 'user', parts: [{ text: 'x' }] }], 'gemini', 'detected'],
  ['an object with contents', { contents: [{ parts: [{ text: 'x' }] }] }, 'gemini', 'detected'],
  ['an object with input', { input: plain }, 'openai-responses', 'detected'],
  ['an object with a text as input', { input: 'hello' }, 'openai-responses', 'detected'],
  ['an object with messages', { messages: plain }, 'openai-chat', 'assumed'],
  ['an object with system', { system: 's', messages: plain }, 'anthropic', 'assumed'],
  ['an object with a Claude model', { model: 'claude-sonnet-4-5', messages: plain }, 'anthropic', 'detected'],
  ['tool-call beside system', { system: 's', messages: block('tool-call') }, 'ai-sdk', 'detected'],
  [
    "Anthropic's own answer",
    [{ ...plain[0] }, { type: 'message', role: 'assistant', content: [{ type: 'text' }] }],
    'openai-chat',
    'assumed',
  ],
];

test.each(cases)('%s is read as such', (_name, value, format, basis) => {
  expect(read(value)).toMatchObject({ format, formatBasis: basis });
});

test('the most frequent evidence wins', () => {
  expect(read([...block('tool_use'), ...block('tool_result'), toolCall]).format).toBe('anthropic');
});

test.each([
  ['gemini', plain, 'no entry is a message of gemini; the first has the keys role, content'],
  ['openai-chat', block('tool_use'), 'message 2 is one of anthropic, not of openai-chat; try --format anthropic'],
  ['anthropic', [...plain, toolCall], 'message 2 is one of openai-chat, not of anthropic'],
  ['openai-chat', [{ role: 'user', parts: [{ text: 'x' }] }], 'no entry is a message of openai-chat'],
  [undefined, [{ role: 'user', parts: [{ type: 'text', text: 'UI message' }] }], 'no entry is a message of gemini'],
  [undefined, [1, 2], 'message 0 is a number'],
  [undefined, [...plain, 'text'], 'message 2 is a string'],
  [undefined, [{ foo: 1 }], 'no entry is a message of openai-chat; the first has the keys foo'],
  [undefined, { foo: 1 }, 'an object without messages, input or contents (it has foo)'],
  [undefined, { messages: { a: 1 } }, 'messages is an object; it must be an array'],
  [undefined, 'text', 'holds a string'],
  [undefined, null, 'holds null'],
  ['nonsense', plain, 'There is no format "nonsense"'],
])('%s for %j is refused', (format, value, message) => {
  expect(() => read(value, format)).toThrow(message);
});

test.each([
  [
    { messages: plain, system: 's', tools: [1] },
    { system: 's', tools: [1] },
  ],
  [
    { input: plain, instructions: 'i', tools: [1] },
    { system: 'i', tools: [1] },
  ],
  [{ contents: [], systemInstruction: { parts: [] } }, { system: { parts: [] } }],
  [{ contents: [], system_instruction: { parts: [] } }, { system: { parts: [] } }],
  [
    { contents: [], config: { systemInstruction: 's', tools: [1] } },
    { system: 's', tools: [1] },
  ],
  [
    { messages: plain, functions: [1], model: 'm' },
    { tools: [1], model: 'm' },
  ],
])('what goes out beside the messages of %j is found', (value, fixed) => {
  expect(read(value)).toMatchObject(fixed);
});
