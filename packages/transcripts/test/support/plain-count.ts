// Counts of messages, calls and results in the raw files, by nothing but JSON.parse and loops: the readers are checked
// against it, so it shares no code with them.

/** What a file holds. */
export type Tally = { readonly messages: number; readonly calls: number; readonly results: number };

/** Counts one file of a folder of the corpus. */
export function plainCount(folder: string, text: string): Tally {
  const count = COUNTS[folder];
  if (count === undefined) throw new Error(`no plain count for ${folder}`);
  return count(text);
}

type Json = { readonly [key: string]: unknown };

const lines = (text: string): Json[] =>
  text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [JSON.parse(line)]));
const list = (value: unknown): Json[] => (Array.isArray(value) ? value : []);
const at = (value: unknown, ...keys: string[]): unknown =>
  keys.reduce<unknown>((inner, key) => (inner as Json | undefined)?.[key], value);
const where = (values: Json[], key: string, ...wanted: string[]): Json[] =>
  values.filter((value) => wanted.includes(String(value[key])));

const COUNTS: Readonly<Record<string, (text: string) => Tally>> = {
  'claude-code': (text) => {
    const seen = new Map(where(lines(text), 'type', 'user', 'assistant').map((line) => [line['uuid'], line]));
    const blocks = [...seen.values()].flatMap((line) => list(at(line, 'message', 'content')));
    const calls = where(blocks, 'type', 'tool_use').length;
    return { messages: seen.size, calls, results: where(blocks, 'type', 'tool_result').length };
  },
  codex: (text) => {
    const types = where(lines(text), 'type', 'response_item').map((line) => String(at(line, 'payload', 'type')));
    const calls = types.filter((type) => type.endsWith('_call')).length;
    return { messages: types.length, calls, results: types.filter((type) => type.endsWith('_call_output')).length };
  },
  'gemini-cli': (text) => {
    const records = /^\s*\{\s*\n/.test(text) ? list(JSON.parse(text)['messages']) : lines(text);
    const latest = new Map(where(records, 'type', 'user', 'gemini').map((record) => [record['id'], record]));
    const calls = [...latest.values()].flatMap((record) => list(record['toolCalls']));
    return {
      messages: latest.size,
      calls: calls.length,
      results: calls.flatMap((call) => list(call['result'])).length,
    };
  },
  opencode: (text) => {
    const messages = list(JSON.parse(text)['messages']);
    const tools = where(
      messages.flatMap((message) => list(message['parts'])),
      'type',
      'tool',
    );
    const states = tools.map((part) => String(at(part, 'state', 'status')));
    const results = states.filter((state) => state === 'completed' || state === 'error').length;
    return { messages: messages.length, calls: tools.length, results };
  },
  pi: (text) => {
    const all = where(lines(text), 'type', 'message').map((line) => line['message'] as Json);
    const messages = all.filter((message) => list(message['content']).length > 0);
    const blocks = messages.flatMap((message) => list(message['content']));
    const calls = where(blocks, 'type', 'toolCall').length;
    return { messages: messages.length, calls, results: where(messages, 'role', 'toolResult').length };
  },
  'copilot-cli': (text) => {
    const events = lines(text);
    const asked = where(events, 'type', 'assistant.message').flatMap((event) =>
      list(at(event, 'data', 'toolRequests')),
    );
    const ids = new Set(asked.map((call) => call['toolCallId']));
    const starts = where(events, 'type', 'tool.execution_start');
    const own = starts.filter((event) => !ids.has(at(event, 'data', 'toolCallId'))).length;
    const results = where(events, 'type', 'tool.execution_complete').length;
    const said = where(events, 'type', 'user.message', 'assistant.message').length;
    return { messages: said + results + own, calls: asked.length + own, results };
  },
  forge: (text) => {
    const messages = list(at(JSON.parse(text), 'context', 'messages'));
    const calls = messages.flatMap((message) => list(at(message, 'text', 'tool_calls'))).length;
    return { messages: messages.length, calls, results: messages.filter((message) => 'tool' in message).length };
  },
  'swe-agent': (text) => ({ messages: list(JSON.parse(text)['history']).length, calls: 0, results: 0 }),
};
