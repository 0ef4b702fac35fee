import { OpenAIResponsesCompactionSession } from '@openai/agents-openai';

const client = {
  responses: {
    compact: async () => ({ output: [{ type: 'compaction', id: 'cmp_1', encrypted_content: 'sealed' }] }),
  },
};

const newSession = () =>
  new OpenAIResponsesCompactionSession({
    client,
    model: 'gpt-5',
    compactionMode: 'input',
    shouldTriggerCompaction: () => false,
  });

/** The session's own decision hook, asked after each message is stored; storing is not counted. */
export const decide = {
  'openai-agents': {
    title: 'OpenAI Agents compaction session',
    open: async (chat) => {
      const session = newSession();
      await session.runCompaction();
      return {
        messages: chat.map(toItems),
        append: (items) => session.addItems(items),
        decide: () => session.runCompaction(),
      };
    },
  },
};

/** A forced compaction of the stored session; the service answers at once. */
export const full = {
  'openai-agents': {
    title: 'OpenAI Agents compaction session',
    prepare: async (chat) => {
      const session = newSession();
      await session.addItems(chat.flatMap(toItems));
      return async () => {
        await session.runCompaction({ force: true });
        return session.getItems();
      };
    },
    check: (items) => items.length === 1,
  },
};

function toItems(message) {
  const { content } = message;
  if (message.role === 'user') return [{ type: 'message', role: 'user', content }];
  if (message.role === 'tool') {
    const output = { type: 'text', text: content };
    const callId = message.tool_call_id;
    return [{ type: 'function_call_result', callId, name: 'tool', status: 'completed', output }];
  }
  const said = [{ type: 'output_text', text: content }];
  const calls = (message.tool_calls ?? []).map(({ id, function: fn }) => ({
    type: 'function_call',
    callId: id,
    name: fn.name,
    arguments: fn.arguments,
    status: 'completed',
  }));
  return [{ type: 'message', role: 'assistant', status: 'completed', content: said }, ...calls];
}
