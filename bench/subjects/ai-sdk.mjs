import { pruneMessages } from 'ai';

const prune = (messages) =>
  pruneMessages({ messages, reasoning: 'before-last-message', toolCalls: 'before-last-3-messages' });

/** The AI SDK has no decision: its users prune before each step. */
export const decide = {
  'ai-sdk': {
    title: 'AI SDK pruneMessages()',
    open: (chat) => ({ messages: chat.map(toModelMessage), decide: prune }),
  },
};

/** Pruning neither measures nor summarizes. */
export const full = {
  'ai-sdk': {
    title: 'AI SDK pruneMessages()',
    compacts: false,
    prepare: (chat) => {
      const messages = chat.map(toModelMessage);
      return () => prune(messages);
    },
    check: (pruned) => pruned.length > 0,
  },
};

/** An AI SDK model message; Mastra's prompts have the same shape. */
export function toModelMessage(message) {
  const text = { type: 'text', text: message.content };
  if (message.role === 'user') return { role: 'user', content: [text] };
  if (message.role === 'tool') {
    const output = { type: 'text', value: message.content };
    const result = { type: 'tool-result', toolCallId: message.tool_call_id, toolName: 'tool', output };
    return { role: 'tool', content: [result] };
  }
  const calls = (message.tool_calls ?? []).map(({ id, function: { name, arguments: input } }) => ({
    type: 'tool-call',
    toolCallId: id,
    toolName: name,
    input: JSON.parse(input),
  }));
  return { role: 'assistant', content: [text, ...calls] };
}
