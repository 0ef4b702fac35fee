import type { Details, Item, Reader, Usage } from '../model/item.ts';
import { defined, isObject, type JsonObject, numberOf, objectOf, objectsOf, stringOf, timeOf } from '../model/json.ts';
import { entry, oneSession, passed, skip, unread } from './items.ts';
import { toolResult } from './model-messages.ts';

/** pi: a header line, then entries; from version 2 on a tree by `id` and `parentId`. */
export const pi: Reader = {
  source: 'pi',
  claims: ({ path, value }) => {
    if (path.length > 0 || !isObject(value) || 'uuid' in value || 'sessionId' in value) return false;
    if (value['type'] === 'session') return 'id' in value && ('cwd' in value || 'version' in value);
    return value['type'] === 'message' && ROLES.has(stringOf(objectOf(value['message'])['role']));
  },
  open: () => oneSession(SESSION, ({ value }) => (isObject(value) ? itemsOf(value) : [unread(typeof value)])),
};

const SESSION = { source: 'pi', format: 'ai-sdk' } as const;

const ROLES: ReadonlySet<string> = new Set([
  'user',
  'assistant',
  'toolResult',
  'bashExecution',
  'custom',
  'hookMessage',
]);
const KNOWN: ReadonlySet<string> = new Set([
  'thinking_level_change',
  'model_change',
  'label',
  'custom',
  'session_info',
  'context_transform',
  'ephemeral',
]);

function itemsOf(value: JsonObject): readonly Item[] {
  const type = stringOf(value['type']);
  switch (type) {
    case 'session':
      return [{ kind: 'details', details: headerOf(value) }, skip(type)];
    case 'message':
      return messageItems(value, objectOf(value['message']));
    case 'custom_message':
      return messageItems(value, { role: 'custom', content: value['content'] });
    case 'branch_summary':
      return [entry([userText(stringOf(value['summary']))], { ...placeOf(value), isSummary: true })];
    case 'compaction':
      return [compactionOf(value), skip(type)];
    case 'session_info':
      return [...linkOf(value), { kind: 'details', details: { title: stringOf(value['name']) } }, skip(type)];
    case 'model_change':
      return [...linkOf(value), { kind: 'details', details: { model: stringOf(value['modelId']) } }, skip(type)];
    default:
      return [...linkOf(value), passed(type, KNOWN)];
  }
}

function headerOf({ id, cwd, timestamp, modelId }: JsonObject): Details {
  return defined({
    id: stringOf(id) || undefined,
    cwd: stringOf(cwd) || undefined,
    startedAt: timeOf(timestamp),
    model: stringOf(modelId) || undefined,
  });
}

type Position = {
  readonly id: string | undefined;
  readonly parent: string | null | undefined;
  readonly time: number | undefined;
};

/** Id and parent; version 1 has neither, and each entry stands behind the one before. */
function placeOf({ id, parentId, timestamp }: JsonObject): Position {
  const isNamed = typeof id === 'string' && id !== '';
  const parent = typeof parentId === 'string' ? parentId : null;
  return { id: isNamed ? id : undefined, parent: isNamed ? parent : undefined, time: timeOf(timestamp) };
}

function linkOf(value: JsonObject): readonly Item[] {
  const { id, parent } = placeOf(value);
  return id === undefined ? [] : [{ kind: 'link', id, ...defined({ parent }) }];
}

function compactionOf(value: JsonObject): Item {
  const { summary, firstKeptEntryId, tokensBefore } = value;
  const { id, parent } = placeOf(value);
  return {
    kind: 'compaction',
    ...defined({
      id,
      parent,
      summary: stringOf(summary) || undefined,
      firstKept: stringOf(firstKeptEntryId) || undefined,
      tokensBefore: numberOf(tokensBefore) || undefined,
    }),
  };
}

function messageItems(value: JsonObject, message: JsonObject): readonly Item[] {
  const role = stringOf(message['role']);
  const native = nativeOf(role, message);
  // An answer that was stopped before its first word holds nothing.
  if (native === undefined) {
    const what = `message/${role} (empty)`;
    return [...linkOf(value), ROLES.has(role) ? skip(what) : unread(what)];
  }
  const isAnswer = role === 'assistant';
  const { id, parent, time } = placeOf(value);
  return [
    entry([native], {
      id,
      parent,
      time,
      isPrompt: role === 'user' || undefined,
      usage: isAnswer ? usageOf(objectOf(message['usage'])) : undefined,
      model: isAnswer ? stringOf(message['model']) || undefined : undefined,
    }),
  ];
}

function nativeOf(role: string, message: JsonObject): unknown {
  const { content, toolCallId, toolName, isError } = message;
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : objectsOf(content);
  switch (role) {
    case 'user':
    case 'custom':
    case 'hookMessage':
      return withContent('user', blocks.flatMap(userBlock));
    case 'assistant':
      return withContent('assistant', blocks.flatMap(answerBlock));
    case 'toolResult': {
      const text = blocks.flatMap((block) => (block['type'] === 'text' ? [stringOf(block['text'])] : [])).join('\n');
      const media = blocks.flatMap(({ type, data, mimeType }) =>
        type === 'image' ? [{ mimeType: stringOf(mimeType), data: stringOf(data) }] : [],
      );
      const call = { callId: stringOf(toolCallId), name: stringOf(toolName) };
      return { role: 'tool', content: [toolResult(call, { text, isError: isError === true, media })] };
    }
    case 'bashExecution':
      return userText(`Ran \`${stringOf(message['command'])}\`\n${stringOf(message['output'])}`);
    default:
      return undefined;
  }
}

function withContent(role: string, content: readonly unknown[]): unknown {
  return content.length === 0 ? undefined : { role, content };
}

function userText(text: string): unknown {
  return { role: 'user', content: [{ type: 'text', text }] };
}

function userBlock({ type, text, data, mimeType }: JsonObject): readonly unknown[] {
  if (type === 'text') return [{ type: 'text', text: stringOf(text) }];
  return type === 'image' ? [{ type: 'file', mediaType: stringOf(mimeType), data: stringOf(data) }] : [];
}

function answerBlock(block: JsonObject): readonly unknown[] {
  const { type, text, thinking, thinkingSignature, id, name } = block;
  if (type === 'text') return stringOf(text) === '' ? [] : [{ type: 'text', text }];
  if (type === 'toolCall') {
    return [{ type: 'tool-call', toolCallId: stringOf(id), toolName: stringOf(name), input: block['arguments'] ?? {} }];
  }
  if (type !== 'thinking') return [];
  const signature = stringOf(thinkingSignature);
  // OpenAI's reasoning is kept as the JSON of its item, Anthropic's as a bare signature.
  const options = signature.startsWith('{') ? { pi: { item: signature } } : { anthropic: { signature } };
  return [{ type: 'reasoning', text: stringOf(thinking), ...(signature === '' ? {} : { providerOptions: options }) }];
}

function usageOf({ input, output, cacheRead, cacheWrite }: JsonObject): Usage | undefined {
  const [cached, written] = [numberOf(cacheRead), numberOf(cacheWrite)];
  const prompt = numberOf(input) + cached + written;
  return prompt === 0 ? undefined : { prompt, cached, written, output: numberOf(output) };
}
