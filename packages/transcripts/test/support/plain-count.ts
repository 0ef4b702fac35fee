// Counts of messages, calls and results in the raw files, by nothing but JSON.parse and loops: the readers are checked
// against it, so it shares no code with them.

/** What a file holds: how much of it, and every text that must not be lost. */
export type Tally = { readonly messages: number; readonly calls: number; readonly results: number };
export type Counted = Tally & { readonly texts: readonly string[] };

/** Counts one file of a folder of the corpus. */
export function plainCount(folder: string, text: string): Counted {
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

/** All texts within a value. */
export const textsIn = (value: unknown): string[] => {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
};
const under = (values: Json[], ...keys: string[]): string[] =>
  values.flatMap((value) => keys.flatMap((key) => textsIn(value[key])));

const COUNTS: Readonly<Record<string, (text: string) => Counted>> = {
  'claude-code': (text) => {
    const seen = new Map(where(lines(text), 'type', 'user', 'assistant').map((line) => [line['uuid'], line]));
    const blocks = [...seen.values()].flatMap((line) => list(at(line, 'message', 'content')));
    const calls = where(blocks, 'type', 'tool_use').length;
    const said = [...seen.values()]
      .map((line) => at(line, 'message', 'content'))
      .filter((content) => !Array.isArray(content));
    const texts = [...said.flatMap(textsIn), ...under(blocks, 'text', 'thinking', 'input', 'content')];
    return { messages: seen.size, calls, results: where(blocks, 'type', 'tool_result').length, texts };
  },
  codex: (text) => {
    const items = where(lines(text), 'type', 'response_item').map((line) => line['payload'] as Json);
    const types = items.map((item) => String(item['type']));
    const calls = types.filter((type) => type.endsWith('_call')).length;
    const results = types.filter((type) => type.endsWith('_call_output')).length;
    const texts = under(items, 'content', 'summary', 'arguments', 'input', 'output', 'encrypted_content');
    return { messages: types.length, calls, results, texts };
  },
  'gemini-cli': (text) => {
    const records = /^\s*\{\s*\n/.test(text) ? list(JSON.parse(text)['messages']) : lines(text);
    const latest = new Map(where(records, 'type', 'user', 'gemini').map((record) => [record['id'], record]));
    const calls = [...latest.values()].flatMap((record) => list(record['toolCalls']));
    const results = calls.flatMap((call) => list(call['result']));
    const thoughts = [...latest.values()].flatMap((record) => list(record['thoughts']));
    const texts = [
      ...under([...latest.values()], 'content'),
      ...under(thoughts, 'subject', 'description'),
      ...under(calls, 'args', 'result'),
    ];
    return { messages: latest.size, calls: calls.length, results: results.length, texts };
  },
  opencode: (text) => {
    const messages = list(JSON.parse(text)['messages']);
    const parts = messages.flatMap((message) => list(message['parts']));
    const tools = where(parts, 'type', 'tool');
    const texts = [
      ...under(where(parts, 'type', 'text', 'reasoning'), 'text'),
      ...under(
        tools.map((part) => part['state'] as Json),
        ...['input', 'output', 'error'],
      ),
    ];
    const states = tools.map((part) => String(at(part, 'state', 'status')));
    const results = states.filter((state) => state === 'completed' || state === 'error').length;
    return { messages: messages.length, calls: tools.length, results, texts };
  },
  pi: (text) => {
    const all = where(lines(text), 'type', 'message').map((line) => line['message'] as Json);
    const messages = all.filter((message) => list(message['content']).length > 0);
    const blocks = messages.flatMap((message) => list(message['content']));
    const calls = where(blocks, 'type', 'toolCall').length;
    const texts = under(blocks, 'text', 'thinking', 'arguments');
    return { messages: messages.length, calls, results: where(messages, 'role', 'toolResult').length, texts };
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
    const data = (type: string): Json[] => where(events, 'type', type).map((event) => event['data'] as Json);
    const texts = [
      ...under([...data('user.message'), ...data('assistant.message')], 'content', 'reasoningText'),
      ...under([...asked, ...data('tool.execution_start')], 'arguments'),
      ...data('tool.execution_complete').flatMap((done) => textsIn(at(done, 'result', 'content'))),
    ];
    return { messages: said + results + own, calls: asked.length + own, results, texts };
  },
  forge: (text) => {
    const messages = list(at(JSON.parse(text), 'context', 'messages'));
    const calls = messages.flatMap((message) => list(at(message, 'text', 'tool_calls')));
    const texts = [
      ...messages.flatMap((message) => textsIn(at(message, 'text', 'content'))),
      ...under(calls, 'arguments'),
      ...messages.flatMap((message) => textsIn(at(message, 'tool', 'output'))),
    ];
    const results = messages.filter((message) => 'tool' in message).length;
    return { messages: messages.length, calls: calls.length, results, texts };
  },
  'swe-agent': (text) => {
    const history = list(JSON.parse(text)['history']);
    return { messages: history.length, calls: 0, results: 0, texts: under(history, 'content') };
  },
};
