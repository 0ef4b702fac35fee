import { registerApiProvider } from '@mariozechner/pi-ai';
import { SUMMARY } from '../session.mjs';

// The entry loads a terminal; the compaction functions stand by themselves.
const entry = import.meta.resolve('@mariozechner/pi-coding-agent');
const {
  compact,
  DEFAULT_COMPACTION_SETTINGS: SETTINGS,
  estimateContextTokens,
  prepareCompaction,
  shouldCompact,
} = await import(new URL('core/compaction/compaction.js', entry).href);
const { buildSessionContext, SessionManager } = await import(new URL('core/session-manager.js', entry).href);

const HUGE = 1_000_000_000;
const MODEL = { api: 'instant', reasoning: false };
const STAMP = { timestamp: '2026-01-01T00:00:00.000Z' };
const USAGE = { input: 1000, output: 100, cacheRead: 0, cacheWrite: 0, totalTokens: 1100 };

const open = (chat, extra) => ({
  messages: chat.map((message) => toPi(message, extra)),
  decide: (list) => shouldCompact(estimateContextTokens(list).tokens, HUGE, SETTINGS),
});

/** pi's decision: its estimate of the list, and the same where it reads the provider's last figure instead. */
export const decide = {
  pi: { title: 'pi shouldCompact(estimateContextTokens())', open: (chat) => open(chat, {}) },
  'pi-usage': {
    title: 'pi, reading the usage reported with each answer',
    measures: false,
    open: (chat) => open(chat, { usage: USAGE }),
  },
};

const check = ({ messages }) =>
  messages.length > 1 && messages.length < 1000 && messages[0].summary.startsWith(SUMMARY);

/** pi's whole compaction: of entries that its session holds with their ids, and of messages that it must take in first. */
export const full = {
  pi: {
    title: 'pi prepareCompaction(), compact(), buildSessionContext()',
    start: 'session',
    prepare: (chat) => {
      registerInstant();
      const entries = chat.map((message, index) => ({
        type: 'message',
        id: `e${index}`,
        parentId: index === 0 ? null : `e${index - 1}`,
        ...STAMP,
        message: toPi(message, {}),
      }));
      return async () => {
        const result = await compact(prepareCompaction(entries, SETTINGS), MODEL, 'key');
        const parentId = entries.at(-1).id;
        // As its session does it: the result becomes an entry, and the list to send is made from all entries.
        return buildSessionContext([...entries, { ...STAMP, ...result, type: 'compaction', id: 'c0', parentId }]);
      };
    },
    check,
  },
  'pi-messages': {
    title: 'pi appendMessage() of each, then the same',
    start: 'messages',
    prepare: (chat) => {
      registerInstant();
      const messages = chat.map((message) => toPi(message, {}));
      return async () => {
        const session = SessionManager.inMemory();
        for (const message of messages) session.appendMessage(message);
        const result = await compact(prepareCompaction(session.getBranch(), SETTINGS), MODEL, 'key');
        session.appendCompaction(result.summary, result.firstKeptEntryId, result.tokensBefore, result.details);
        return session.buildSessionContext();
      };
    },
    check,
  },
};

function registerInstant() {
  registerApiProvider({ api: 'instant', stream: instant, streamSimple: instant });
}

function instant() {
  return {
    result: async () => ({ role: 'assistant', stopReason: 'stop', content: [{ type: 'text', text: SUMMARY }] }),
  };
}

function toPi(message, extra) {
  const text = { type: 'text', text: message.content };
  if (message.role === 'user') return { role: 'user', content: [text], timestamp: 0 };
  if (message.role === 'tool') {
    const { tool_call_id: toolCallId } = message;
    return { role: 'toolResult', toolCallId, toolName: 'tool', content: [text], isError: false, timestamp: 0 };
  }
  const calls = (message.tool_calls ?? []).map(({ id, function: { name, arguments: input } }) => ({
    type: 'toolCall',
    id,
    name,
    arguments: JSON.parse(input),
  }));
  return { role: 'assistant', content: [text, ...calls], stopReason: 'stop', timestamp: 0, ...extra };
}
