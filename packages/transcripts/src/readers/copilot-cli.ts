import type { Details, Item, Piece, Reader, Usage } from '../model/item.ts';
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
import { entry, oneSession, skip, unread } from './items.ts';

/** Copilot CLI: one event a line, `{type, data, id, timestamp, parentId}`. */
export const copilotCli: Reader = {
  source: 'copilot-cli',
  claims: ({ path, value }) =>
    path.length === 0 && isObject(value) && isObject(value['data']) && EVENT.test(stringOf(value['type'])),
  open: () => {
    let asked: ReadonlySet<string> = new Set();
    return oneSession(SESSION, (piece) => {
      const data = objectOf(objectOf(piece.value)['data']);
      const type = objectOf(piece.value)['type'];
      if (type === 'assistant.message') asked = idsIn(data);
      const isOwn = type === 'tool.execution_start' && !asked.has(stringOf(data['toolCallId']));
      return isOwn ? [ownCall(objectOf(piece.value), data)] : itemsOf(piece);
    });
  },
};

const SESSION = { source: 'copilot-cli', format: 'openai-chat' } as const;
const EVENT = /^(?:session|user|assistant|tool|system|subagent|hook|skill|abort)(?:\.\w+)+$/;

function itemsOf({ value }: Piece): readonly Item[] {
  if (!isObject(value)) return [unread(typeof value)];
  const type = stringOf(value['type']);
  const data = objectOf(value['data']);
  switch (type) {
    case 'session.start':
    case 'session.resume':
      return [{ kind: 'details', details: startOf(data) }, skip(type)];
    case 'session.model_change':
      return [{ kind: 'details', details: { model: stringOf(data['newModel']) } }, skip(type)];
    case 'system.message':
      return [{ kind: 'details', details: { system: stringOf(data['content']) } }, skip(type)];
    case 'user.message':
    case 'assistant.message':
    case 'tool.execution_complete':
      return [entryOf(value, data)];
    case 'session.compaction_complete':
      return [...(data['success'] === false ? [] : [compactionOf(data)]), skip(type)];
    case 'session.snapshot_rewind':
      return [{ kind: 'rewind', before: stringOf(data['upToEventId']) }, skip(type)];
    case 'session.shutdown':
      return [...totalsOf(objectOf(data['modelMetrics'])), skip(type)];
    default:
      return [EVENT.test(type) ? skip(type) : unread(type)];
  }
}

function idsIn(data: JsonObject): ReadonlySet<string> {
  return new Set(objectsOf(data['toolRequests']).map((call) => stringOf(call['toolCallId'])));
}

/** A tool that ran without the model asking for it in a message: the start tells what was called. */
function ownCall(value: JsonObject, data: JsonObject): Item {
  const { toolCallId, toolName } = data;
  const call = { toolCallId, name: toolName, arguments: data['arguments'] };
  return entryOf({ ...value, type: 'assistant.message' }, { ...data, content: '', toolRequests: [call] });
}

function startOf(data: JsonObject): Details {
  return defined({
    id: stringOf(data['sessionId']) || undefined,
    startedAt: timeOf(data['startTime']),
    cwd: stringOf(objectOf(data['context'])['cwd']) || undefined,
    model: stringOf(data['selectedModel']) || undefined,
  });
}

function entryOf(value: JsonObject, data: JsonObject): Item {
  const type = stringOf(value['type']);
  const parentCall = stringOf(data['parentToolCallId']);
  return entry([nativeOf(type, data)], {
    id: stringOf(value['id']) || undefined,
    time: timeOf(value['timestamp']),
    side: parentCall === '' ? undefined : `agent ${parentCall}`,
    ...(type === 'user.message' ? promptMarks(data) : {}),
    model: stringOf(data['model']) || undefined,
  });
}

/** The program itself nudges in the user's name, and then leaves what the user wrote empty. */
function promptMarks({ content }: JsonObject): { readonly isPrompt: true } | { readonly isAside: true } {
  return stringOf(content) === '' ? { isAside: true } : { isPrompt: true };
}

function nativeOf(type: string, data: JsonObject): unknown {
  const content = stringOf(data['content']);
  if (type === 'user.message') return { role: 'user', content: stringOf(data['transformedContent']) || content };
  if (type === 'assistant.message') return answerOf(content, data);
  const { success, result, error, toolCallId } = data;
  const text = stringOf(objectOf(result)['content']) || stringOf(objectOf(error)['message']) || stringOf(result);
  return {
    role: 'tool',
    tool_call_id: stringOf(toolCallId),
    content: text,
    ...(success === false ? { is_error: true } : {}),
  };
}

function answerOf(content: string, data: JsonObject): unknown {
  const calls = objectsOf(data['toolRequests']).map((call) => ({
    id: stringOf(call['toolCallId']),
    type: 'function',
    function: { name: stringOf(call['name']), arguments: textOf(call['arguments'] ?? {}) },
  }));
  const reasoning = stringOf(data['reasoningText']);
  return {
    role: 'assistant',
    content: content === '' && calls.length > 0 ? null : content,
    ...(reasoning === '' ? {} : { reasoning_content: reasoning }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
}

function compactionOf(data: JsonObject): Item {
  return {
    kind: 'compaction',
    ...defined({
      summary: stringOf(data['summaryContent']) || undefined,
      tokensBefore: numberOf(data['preCompactionTokens']) || undefined,
      trigger: stringOf(data['trigger']) || undefined,
    }),
  };
}

function totalsOf(metrics: JsonObject): readonly Item[] {
  return Object.entries(metrics).map(([model, metric]) => {
    const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = objectOf(objectOf(metric)['usage']);
    const usage: Usage = {
      prompt: numberOf(inputTokens),
      output: numberOf(outputTokens),
      cached: numberOf(cacheReadTokens),
      written: numberOf(cacheWriteTokens),
    };
    const requests = numberOf(objectOf(objectOf(metric)['requests'])['count']) || undefined;
    return { kind: 'usage', usage, model, isTotal: true, ...defined({ requests }) };
  });
}
