import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SUMMARY } from '../session.mjs';

// The entry loads the whole command; the parts that compact are reached by their paths in the published package.
const entry = import.meta.resolve('@google/gemini-cli-core');
const [{ ChatCompressionService }, { GeminiChat }, { estimateTokenCountSync }] = await Promise.all(
  ['src/context/chatCompressionService.js', 'src/core/geminiChat.js', 'src/utils/tokenCalculation.js'].map(
    (path) => import(new URL(path, entry).href),
  ),
);

const MODEL = 'gemini-2.5-pro';
const folder = mkdtempSync(join(tmpdir(), 'bench-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

let truncations = 0;
const answer = { candidates: [{ content: { role: 'model', parts: [{ text: SUMMARY }] } }] };
const settings = {
  getModel: () => MODEL,
  getActiveModel: () => MODEL,
  getCompressionThreshold: async () => 1,
  getSessionMemory: () => '',
  getSessionId: () => 'bench',
  getProjectRoot: () => folder,
  getContentGenerator: () => ({}),
  getNextCompressionTruncationId: () => {
    truncations += 1;
    return truncations;
  },
  getTruncateToolOutputThreshold: () => 40_000,
  getBaseLlmClient: () => ({ generateContent: async () => answer }),
  storage: { getProjectTempDir: () => folder },
};
// Every other setting (hooks, telemetry, experiments) is off.
const config = new Proxy(settings, {
  get: (known, key) => known[key] ?? (key === 'config' ? config : () => undefined),
});

const service = new ChatCompressionService();
const newChat = (history) => new GeminiChat({ config, promptId: 'bench' }, '', [], history);

/** What Gemini CLI runs before each turn, and its own estimate of the history. */
export const decide = {
  'gemini-cli': {
    title: 'Gemini CLI ChatCompressionService.compress(), below its limit',
    open: (chat) => {
      const session = newChat([]);
      return {
        messages: chat.map((message, index) => ({ id: `m${index}`, content: toContent(message) })),
        append: (turn) => session.agentHistory.push(turn),
        decide: () => service.compress(session, 'bench', false, MODEL, config, false),
      };
    },
  },
  'gemini-cli-estimate': {
    title: 'Gemini CLI estimateTokenCountSync()',
    open: (chat) => ({
      messages: chat.map(toContent),
      decide: (list) => estimateTokenCountSync(list.flatMap(({ parts }) => parts)) > 1_000_000_000,
    }),
  },
};

/** A forced compression; old tool results go to files, as it does. */
export const full = {
  'gemini-cli': {
    title: 'Gemini CLI ChatCompressionService.compress()',
    prepare: (chat) => {
      const session = newChat(chat.map(toContent));
      return () => service.compress(session, 'bench', true, MODEL, config, false);
    },
    check: ({ newHistory }) => newHistory !== null && newHistory.length > 2,
  },
};

function toContent(message) {
  const text = { text: message.content };
  if (message.role === 'user') return { role: 'user', parts: [text] };
  if (message.role === 'tool') {
    const response = { output: message.content };
    return { role: 'user', parts: [{ functionResponse: { id: message.tool_call_id, name: 'tool', response } }] };
  }
  const calls = (message.tool_calls ?? []).map(({ id, function: { name, arguments: input } }) => ({
    functionCall: { id, name, args: JSON.parse(input) },
  }));
  return { role: 'model', parts: [text, ...calls] };
}
