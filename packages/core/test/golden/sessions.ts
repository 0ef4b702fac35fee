import type { FormatName } from '../../src/index.ts';

/** A small conversation of each dialect, with what makes it hard to cut. */
export type Session = { readonly name: string; readonly format: FormatName; readonly messages: readonly unknown[] };

const chat = (id: string, command: string, output: string): readonly unknown[] => [
  {
    role: 'assistant',
    content: null,
    tool_calls: [{ id, type: 'function', function: { name: 'shell', arguments: JSON.stringify({ command }) } }],
  },
  { role: 'tool', tool_call_id: id, content: output },
];

const thinking = (text: string) => ({ type: 'thinking', thinking: text, signature: `sig(${text})` });
const toolUse = (id: string, path: string) => ({ type: 'tool_use', id, name: 'read_file', input: { path } });
const toolResult = (id: string, content: string) => ({ type: 'tool_result', tool_use_id: id, content });
const longFile = (name: string): string => `// ${name}\n${'export const line = compute(input, options);\n'.repeat(12)}`;

export const sessions: readonly Session[] = [
  {
    name: 'openai-chat-agent-mid-loop',
    format: 'openai-chat',
    messages: [
      { role: 'system', content: 'You are a careful coding agent.' },
      { role: 'user', content: 'The login redirect loops. Find out why; do not touch src/legacy.' },
      ...chat(
        'c1',
        'rg -n redirect src',
        `src/auth/session.ts:41\nsrc/auth/login.ts:17\n${'src/legacy/old.ts:1\n'.repeat(20)}`,
      ),
      ...chat('c2', 'cat src/auth/session.ts', longFile('session.ts')),
      {
        role: 'assistant',
        content: 'session.ts sends users without a cookie back to /login, which sets none. I will fix session.ts.',
      },
      { role: 'user', content: 'Good. Fix it and run the tests.' },
      ...chat('c3', 'apply_patch src/auth/session.ts', 'Done.'),
      ...chat('c4', 'npm test', `${'✓ a test that passes\n'.repeat(30)}✗ login keeps the cookie\nexit code 1`),
    ],
  },
  {
    name: 'anthropic-thinking-finished-and-running',
    format: 'anthropic',
    messages: [
      { role: 'user', content: 'Compare a.ts and b.ts.' },
      { role: 'assistant', content: [thinking('read both'), toolUse('t1', 'a.ts'), toolUse('t2', 'b.ts')] },
      { role: 'user', content: [toolResult('t2', longFile('b.ts')), toolResult('t1', longFile('a.ts'))] },
      {
        role: 'assistant',
        content: [thinking('same'), { type: 'text', text: 'They are the same but for their names.' }],
      },
      { role: 'user', content: 'Merge them into c.ts.' },
      { role: 'assistant', content: [thinking('write c'), toolUse('t3', 'c.ts')] },
      { role: 'user', content: [toolResult('t3', longFile('c.ts'))] },
    ],
  },
  {
    name: 'anthropic-thinking-all-finished',
    format: 'anthropic',
    messages: [
      { role: 'user', content: `Read the plan. ${longFile('plan.md')}` },
      {
        role: 'assistant',
        content: [thinking('long'), { type: 'text', text: `It has twelve steps. ${longFile('steps')}` }],
      },
      { role: 'user', content: 'Which comes first?' },
      { role: 'assistant', content: [thinking('first'), { type: 'text', text: 'The compute step.' }] },
      { role: 'user', content: 'And last?' },
    ],
  },
  {
    name: 'gemini-parallel-calls',
    format: 'gemini',
    messages: [
      { role: 'user', parts: [{ text: 'What is the weather in Bern and in Basel?' }] },
      {
        role: 'model',
        parts: [
          { functionCall: { name: 'weather', args: { city: 'Bern' } }, thoughtSignature: 'c2ln' },
          { functionCall: { name: 'weather', args: { city: 'Basel' } } },
        ],
      },
      {
        role: 'user',
        parts: [
          { functionResponse: { name: 'weather', response: { output: `sunny ${'hour by hour '.repeat(40)}` } } },
          { functionResponse: { name: 'weather', response: { output: `rain ${'hour by hour '.repeat(40)}` } } },
        ],
      },
      { role: 'model', parts: [{ text: 'Sunny in Bern, rain in Basel.' }] },
      { role: 'user', parts: [{ text: 'And in Chur?' }] },
      {
        role: 'model',
        parts: [{ functionCall: { name: 'weather', args: { city: 'Chur' } }, thoughtSignature: 'c2ln' }],
      },
      {
        role: 'user',
        parts: [{ functionResponse: { name: 'weather', response: { output: `snow ${'hour by hour '.repeat(40)}` } } }],
      },
      {
        role: 'model',
        parts: [{ functionCall: { name: 'weather', args: { city: 'Davos' } }, thoughtSignature: 'c2ln' }],
      },
      { role: 'user', parts: [{ functionResponse: { name: 'weather', response: { output: 'snow' } } }] },
    ],
  },
  {
    name: 'openai-responses-reasoning-items',
    format: 'openai-responses',
    messages: [
      { role: 'user', content: 'Count the tests.' },
      { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'abc' },
      { type: 'function_call', call_id: 'f1', name: 'shell', arguments: '{"command":"rg -c test"}' },
      { type: 'function_call_output', call_id: 'f1', output: `412\n${'packages/core/src/a.test.ts:12\n'.repeat(30)}` },
      { type: 'reasoning', id: 'rs_2', summary: [], encrypted_content: 'def' },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'There are 412 tests.' }] },
      { role: 'user', content: 'Which are slow?' },
      { type: 'reasoning', id: 'rs_3', summary: [], encrypted_content: 'ghi' },
      { type: 'function_call', call_id: 'f2', name: 'shell', arguments: '{"command":"npm test -- --slow"}' },
    ],
  },
  {
    name: 'ai-sdk-chinese',
    format: 'ai-sdk',
    messages: [
      { role: 'user', content: [{ type: 'text', text: '请把解析器重构一下，不要改公共接口。' }] },
      {
        role: 'assistant',
        content: [{ type: 'tool-call', toolCallId: 'k1', toolName: 'read', input: { path: 'src/解析.ts' } }],
      },
      {
        role: 'tool',
        content: [
          {
            type: 'tool-result',
            toolCallId: 'k1',
            toolName: 'read',
            output: { type: 'text', value: '函数很多。'.repeat(80) },
          },
        ],
      },
      { role: 'assistant', content: [{ type: 'text', text: '我会先拆分词法分析，再整理语法分析。' }] },
      { role: 'user', content: '好，开始吧。' },
    ],
  },
];
