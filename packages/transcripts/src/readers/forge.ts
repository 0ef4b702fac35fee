import type { Item, Piece, Reader, Usage } from '../model/item.ts';
import {
  defined,
  isObject,
  type JsonObject,
  numberOf,
  objectOf,
  objectsOf,
  stringOf,
  textOf,
  timeOf,
} from '../model/json.ts';
import { oneSession, unread } from './items.ts';

/** forge: a conversation with `context.messages`, each `{text}`, `{tool}` or `{image}`; a dump has it one key deeper. */
export const forge: Reader = {
  source: 'forge',
  claims: ({ path, value }) => {
    if (path.join('.') === 'conversation.context')
      return isObject(value) && objectsOf(value['messages']).some(isMessage);
    return path.join('.') === 'context.messages' && isObject(value) && isMessage(value);
  },
  open: () => oneSession(SESSION, itemsOf),
};

const SESSION = { source: 'forge', format: 'openai-chat' } as const;

function isMessage(value: JsonObject): boolean {
  const { text, tool, image, message } = value;
  return [text, tool, image, message].some(isObject);
}

function itemsOf({ path, value }: Piece): readonly Item[] {
  const key = path[0] === 'conversation' ? path.slice(1).join('.') : path.join('.');
  switch (key) {
    case 'context.messages':
      return isObject(value) ? messageItems(value) : [unread(key)];
    case 'context':
      return objectsOf(objectOf(value)['messages']).flatMap(messageItems);
    case 'id':
      return [{ kind: 'details', details: { id: stringOf(value) } }];
    case 'title':
      return [{ kind: 'details', details: defined({ title: stringOf(value) || undefined }) }];
    case 'created_at':
      return [{ kind: 'details', details: defined({ startedAt: timeOf(value) }) }];
    case 'context.usage':
      return usageItems(objectOf(value));
    default:
      return [];
  }
}

function messageItems(value: JsonObject): readonly Item[] {
  const record = isObject(value['message']) ? value['message'] : value;
  const { text, tool, image } = record;
  const usage = isObject(value['usage']) ? usageItems(value['usage']) : [];
  if (isObject(text)) return [textEntry(text), ...usage];
  if (isObject(tool)) return [{ kind: 'entry', natives: [resultOf(tool)] }];
  if (isObject(image)) {
    const block = { type: 'image_url', image_url: { url: stringOf(image['url']) } };
    return [{ kind: 'entry', natives: [{ role: 'user', content: [block] }] }];
  }
  return [unread(Object.keys(record)[0] ?? '')];
}

function textEntry(text: JsonObject): Item {
  const role = stringOf(text['role']).toLowerCase();
  const model = stringOf(text['model']);
  const calls = objectsOf(text['tool_calls']).map((call) => ({
    id: stringOf(call['call_id']),
    type: 'function',
    function: { name: stringOf(call['name']), arguments: textOf(call['arguments'] ?? {}) },
  }));
  const reasoning = objectsOf(text['reasoning_details'])
    .map((detail) => stringOf(detail['text']))
    .join('');
  const native = {
    role,
    content: text['content'] ?? '',
    ...(reasoning === '' ? {} : { reasoning_content: reasoning }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
  const isPrompt = role === 'user' && text['droppable'] !== true;
  return { kind: 'entry', natives: [native], ...(isPrompt ? { isPrompt } : {}), ...(model === '' ? {} : { model }) };
}

function resultOf(tool: JsonObject): unknown {
  const { call_id, output } = tool;
  const { values, is_error } = objectOf(output);
  const blocks = objectsOf(values).flatMap(({ text, image, ai }): readonly JsonObject[] => {
    if (isObject(image)) return [{ type: 'image_url', image_url: { url: stringOf(image['url']) } }];
    const words = stringOf(text) || stringOf(objectOf(ai)['value']);
    return words === '' ? [] : [{ type: 'text', text: words }];
  });
  const isPlain = blocks.every(({ type }) => type === 'text');
  return {
    role: 'tool',
    tool_call_id: stringOf(call_id),
    content: isPlain ? blocks.map(({ text }) => text).join('\n') : blocks,
    ...(is_error === true ? { is_error: true } : {}),
  };
}

function usageItems(value: JsonObject): readonly Item[] {
  const count = (key: string): number => {
    const { Actual, Approx } = objectOf(value[key]);
    return numberOf(value[key]) || numberOf(Actual) || numberOf(Approx);
  };
  const prompt = count('prompt_tokens');
  if (prompt === 0) return [];
  const usage: Usage = {
    prompt,
    output: count('completion_tokens'),
    ...defined({ cached: count('cached_tokens') || undefined }),
  };
  return [{ kind: 'usage', usage }];
}
