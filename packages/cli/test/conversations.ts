import type { FormatName } from 'epitome';

/** Turns of one session: what was asked, which file was read, what it held and what came of it. */
const turns = Array.from({ length: 12 }, (_, turn) => ({
  id: `call_${turn}`,
  ask: `Turn ${turn}: the importer rejects rows of batch ${turn * 7}; find the reason in src/import/step${turn}.ts.`,
  path: `src/import/step${turn}.ts`,
  found: `export const step${turn} = (row: Row): Row => ({ ...row, batch: row.batch + ${turn} });\n`.repeat(12),
  answer: `Step ${turn} added ${turn} to the batch number. It is fixed and its test passes.`,
}));

type Turn = (typeof turns)[number];

const messages: Readonly<Record<FormatName, (turn: Turn) => readonly object[]>> = {
  'openai-chat': ({ id, ask, path, found, answer }) => [
    { role: 'user', content: ask },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id, type: 'function', function: { name: 'read_file', arguments: JSON.stringify({ path }) } }],
    },
    { role: 'tool', tool_call_id: id, content: found },
    { role: 'assistant', content: answer },
  ],
  'openai-responses': ({ id, ask, path, found, answer }) => [
    { type: 'message', role: 'user', content: [{ type: 'input_text', text: ask }] },
    { type: 'function_call', call_id: id, name: 'read_file', arguments: JSON.stringify({ path }) },
    { type: 'function_call_output', call_id: id, output: found },
    { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: answer }] },
  ],
  anthropic: ({ id, ask, path, found, answer }) => [
    { role: 'user', content: ask },
    { role: 'assistant', content: [{ type: 'tool_use', id, name: 'read_file', input: { path } }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: found }] },
    { role: 'assistant', content: [{ type: 'text', text: answer }] },
  ],
  gemini: ({ ask, path, found, answer }) => [
    { role: 'user', parts: [{ text: ask }] },
    { role: 'model', parts: [{ functionCall: { name: 'read_file', args: { path } } }] },
    { role: 'user', parts: [{ functionResponse: { name: 'read_file', response: { output: found } } }] },
    { role: 'model', parts: [{ text: answer }] },
  ],
  'ai-sdk': ({ id, ask, path, found, answer }) => [
    { role: 'user', content: ask },
    { role: 'assistant', content: [{ type: 'tool-call', toolCallId: id, toolName: 'read_file', input: { path } }] },
    {
      role: 'tool',
      content: [{ type: 'tool-result', toolCallId: id, toolName: 'read_file', output: { type: 'text', value: found } }],
    },
    { role: 'assistant', content: answer },
  ],
};

const newest: Readonly<Record<FormatName, object>> = {
  'openai-chat': { role: 'user', content: 'Now write the change log.' },
  'openai-responses': {
    type: 'message',
    role: 'user',
    content: [{ type: 'input_text', text: 'Now write the change log.' }],
  },
  anthropic: { role: 'user', content: 'Now write the change log.' },
  gemini: { role: 'user', parts: [{ text: 'Now write the change log.' }] },
  'ai-sdk': { role: 'user', content: 'Now write the change log.' },
};

/** A session of 49 messages in a format, about 4,500 tokens, which ends with a prompt. */
export function session(format: FormatName): readonly object[] {
  return [...turns.flatMap(messages[format]), newest[format]];
}

/** The session in the object its API takes. */
export function request(format: FormatName): { readonly [key: string]: unknown } {
  const tools = [{ name: 'read_file', description: 'Reads a file.' }];
  switch (format) {
    case 'openai-chat':
      return { model: 'gpt-x', temperature: 0.5, messages: session(format), tools };
    case 'openai-responses':
      return { model: 'gpt-x', store: false, input: session(format), instructions: 'Be brief.', tools };
    case 'anthropic':
      return { model: 'claude-x', max_tokens: 100, system: 'Be brief.', messages: session(format), tools };
    case 'gemini':
      return { contents: session(format), systemInstruction: { parts: [{ text: 'Be brief.' }] }, tools };
    case 'ai-sdk':
      return { system: 'Be brief.', messages: session(format) };
    default:
      return format satisfies never;
  }
}
