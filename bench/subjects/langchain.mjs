import { AIMessage, HumanMessage, ToolMessage, trimMessages } from '@langchain/core/messages';
import { countTokensApproximately, summarizationMiddleware } from 'langchain';
import { SUMMARY } from '../session.mjs';

const model = { invoke: async () => ({ content: SUMMARY }) };
const HUGE = 1_000_000_000;

/** LangChain's two ways: the middleware before each model call, and trimming to a budget. */
export const decide = {
  langchain: {
    title: 'LangChain summarizationMiddleware',
    open: (chat) => {
      const { beforeModel } = middleware({ tokens: HUGE });
      return { messages: chat.map(toLangChain), decide: (messages) => beforeModel({ messages }, { context: {} }) };
    },
  },
  'langchain-trim': {
    title: 'LangChain trimMessages()',
    open: (chat) => ({
      messages: chat.map(toLangChain),
      decide: (messages) =>
        trimMessages(messages, { maxTokens: HUGE, strategy: 'last', tokenCounter: countTokensApproximately }),
    }),
  },
};

/** LangChain's whole compaction, with what it keeps by default. */
export const full = {
  langchain: {
    title: 'LangChain summarizationMiddleware',
    prepare: (chat) => {
      const { beforeModel } = middleware({ tokens: 1000 });
      const messages = chat.map(toLangChain);
      return () => beforeModel({ messages }, { context: {} });
    },
    check: ({ messages }) => messages.some(({ content }) => String(content).includes(SUMMARY)),
  },
};

function middleware(trigger) {
  const made = summarizationMiddleware({ model, trigger });
  const { beforeModel } = made;
  return { beforeModel: typeof beforeModel === 'function' ? beforeModel : beforeModel.hook };
}

function toLangChain(message) {
  const { content } = message;
  if (message.role === 'user') return new HumanMessage(content);
  if (message.role === 'tool') return new ToolMessage({ content, tool_call_id: message.tool_call_id });
  const calls = (message.tool_calls ?? []).map(({ id, function: { name, arguments: input } }) => ({
    type: 'tool_call',
    id,
    name,
    args: JSON.parse(input),
  }));
  return new AIMessage({ content, tool_calls: calls });
}
