import type { FormatName } from '../model/format.ts';

/** A tool's input as JSON. */
export type ToolInput = Readonly<Record<string, unknown>>;

/** Native messages of one dialect by hand, for tests and examples. */
export type Builders = {
  readonly user: (text: string) => unknown;
  readonly assistant: (text: string) => unknown;
  /** An assistant message with one call. */
  readonly call: (id: string, name: string, input?: ToolInput) => unknown;
  /** The message that answers a call. */
  readonly result: (id: string, name: string, text: string) => unknown;
};

/** Builders of every dialect, by its name. */
export const builders: Readonly<Record<FormatName, Builders>> = {
  'openai-chat': {
    user: (content) => ({ role: 'user', content }),
    assistant: (content) => ({ role: 'assistant', content }),
    call: (id, name, input = {}) => ({
      role: 'assistant',
      content: null,
      tool_calls: [{ id, type: 'function', function: { name, arguments: JSON.stringify(input) } }],
    }),
    result: (id, _name, content) => ({ role: 'tool', tool_call_id: id, content }),
  },
  'openai-responses': {
    user: (content) => ({ role: 'user', content }),
    assistant: (text) => ({ type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] }),
    call: (id, name, input = {}) => ({
      type: 'function_call',
      call_id: id,
      name,
      arguments: JSON.stringify(input),
    }),
    result: (id, _name, output) => ({ type: 'function_call_output', call_id: id, output }),
  },
  anthropic: {
    user: (content) => ({ role: 'user', content }),
    assistant: (content) => ({ role: 'assistant', content }),
    call: (id, name, input = {}) => ({ role: 'assistant', content: [{ type: 'tool_use', id, name, input }] }),
    result: (id, _name, content) => ({
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: id, content }],
    }),
  },
  gemini: {
    user: (text) => ({ role: 'user', parts: [{ text }] }),
    assistant: (text) => ({ role: 'model', parts: [{ text }] }),
    call: (_id, name, args = {}) => ({ role: 'model', parts: [{ functionCall: { name, args } }] }),
    result: (_id, name, output) => ({
      role: 'user',
      parts: [{ functionResponse: { name, response: { output } } }],
    }),
  },
  'ai-sdk': {
    user: (content) => ({ role: 'user', content }),
    assistant: (content) => ({ role: 'assistant', content }),
    call: (toolCallId, toolName, input = {}) => ({
      role: 'assistant',
      content: [{ type: 'tool-call', toolCallId, toolName, input }],
    }),
    result: (toolCallId, toolName, value) => ({
      role: 'tool',
      content: [{ type: 'tool-result', toolCallId, toolName, output: { type: 'text', value } }],
    }),
  },
};
