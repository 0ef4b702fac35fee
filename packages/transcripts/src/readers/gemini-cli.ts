import type { Item, Piece, Reader, Usage } from '../model/item.ts';
import {
  defined,
  isObject,
  type JsonObject,
  listOf,
  numberOf,
  objectOf,
  objectsOf,
  stringOf,
  timeOf,
} from '../model/json.ts';
import { entry, oneSession, passed, skip, unread } from './items.ts';

/**
 * Gemini CLI: one JSON text with `messages`, or lines in which a message is written anew whenever its calls or tokens
 * change (`$set` and `$rewindTo` go with it). A call and its response are one record.
 */
export const geminiCli: Reader = {
  source: 'gemini-cli',
  claims: ({ path, value }) => {
    if (path.length === 1 && path[0] === 'projectHash') return true;
    if (!isObject(value)) return false;
    if (path.length === 0) return 'projectHash' in value || '$set' in value || '$rewindTo' in value || isMessage(value);
    return path.length === 1 && path[0] === 'messages' && isMessage(value);
  },
  open: () => {
    let hasMessages = false;
    return oneSession(SESSION, (piece) => {
      const items = itemsOf(piece, hasMessages);
      hasMessages = hasMessages || items.some(({ kind }) => kind === 'entry');
      return items;
    });
  },
};

const SESSION = { source: 'gemini-cli', format: 'gemini' } as const;

const NOTES: ReadonlySet<string> = new Set(['info', 'error', 'warning']);

function isMessage(value: JsonObject): boolean {
  const type = stringOf(value['type']);
  if (!(type === 'user' || type === 'gemini' || NOTES.has(type))) return false;
  return 'content' in value && 'id' in value && 'timestamp' in value && !('message' in value) && !('uuid' in value);
}

function itemsOf({ path, value }: Piece, hasMessages: boolean): readonly Item[] {
  if (path.length > 0 && path[0] !== 'messages') return detailItems({ [path[0] ?? '']: value });
  if (!isObject(value)) return [unread(typeof value)];
  if (typeof value['$rewindTo'] === 'string') return [{ kind: 'rewind', before: value['$rewindTo'] }];
  if (isObject(value['$set'])) return setItems(value['$set'], hasMessages);
  if ('projectHash' in value) return [...detailItems(value), ...objectsOf(value['messages']).flatMap(messageItems)];
  return messageItems(value);
}

function detailItems(value: JsonObject): readonly Item[] {
  const details = defined({
    id: stringOf(value['sessionId']) || undefined,
    title: stringOf(value['summary']) || undefined,
    startedAt: timeOf(value['startTime']),
    cwd: stringOf(listOf(value['directories'])[0]) || undefined,
  });
  return [{ kind: 'details', details }];
}

/** The program replaces its messages when it compacts or takes a turn back; at the start it writes those it resumes. */
function setItems(set: JsonObject, hasMessages: boolean): readonly Item[] {
  const details = [...detailItems(set), skip('$set')];
  if (!Array.isArray(set['messages'])) return details;
  const entries = objectsOf(set['messages']).flatMap(messageItems);
  if (!hasMessages) return [...details, ...entries];
  const live = entries.flatMap((item) => (item.kind === 'entry' ? item.natives : []));
  return [...details, { kind: 'compaction', live }];
}

function messageItems(value: JsonObject): readonly Item[] {
  const type = stringOf(value['type']);
  if (type !== 'user' && type !== 'gemini') return [passed(type, NOTES)];
  const natives = type === 'user' ? userNatives(value['content']) : modelNatives(value);
  if (natives.length === 0) return [skip(`${type} (empty)`)];
  return [
    entry(natives, {
      id: stringOf(value['id']) || undefined,
      revises: true,
      time: timeOf(value['timestamp']),
      ...(type === 'user' ? promptMarks(value['displayContent']) : {}),
      usage: usageOf(value['tokens']),
      model: stringOf(value['model']) || undefined,
    }),
  ];
}

/** The program goes on in the user's name after it stopped at a result, and then shows that result instead. */
function promptMarks(shown: unknown): { readonly isPrompt: true } | { readonly isAside: true } {
  const parts = partsOf(shown);
  const isResult = parts.length > 0 && parts.every((part) => isObject(part) && 'functionResponse' in part);
  return isResult ? { isAside: true } : { isPrompt: true };
}

function userNatives(content: unknown): readonly unknown[] {
  const parts = partsOf(content);
  return parts.length === 0 ? [] : [{ role: 'user', parts }];
}

function partsOf(content: unknown): readonly unknown[] {
  if (typeof content === 'string') return content === '' ? [] : [{ text: content }];
  if (isObject(content)) return [content];
  return listOf(content).map((part) => (typeof part === 'string' ? { text: part } : part));
}

function modelNatives(value: JsonObject): readonly unknown[] {
  const calls = objectsOf(value['toolCalls']);
  const thoughts = objectsOf(value['thoughts']).map(({ subject, description }) => ({
    text: [stringOf(subject) && `**${stringOf(subject)}**`, stringOf(description)].filter(Boolean).join('\n'),
    thought: true,
  }));
  const parts = [
    ...thoughts,
    ...partsOf(value['content']),
    ...calls.map(({ id, name, args }) => ({
      functionCall: { ...defined({ id: stringOf(id) || undefined }), name: stringOf(name), args: objectOf(args) },
    })),
  ];
  // A call that was cancelled before it ran has no result.
  const responses = calls.flatMap(({ result }) => partsOf(result));
  return [
    ...(parts.length === 0 ? [] : [{ role: 'model', parts }]),
    ...(responses.length === 0 ? [] : [{ role: 'user', parts: responses }]),
  ];
}

function usageOf(value: unknown): Usage | undefined {
  const { input, output, cached, thoughts } = objectOf(value);
  if (numberOf(input) === 0) return undefined;
  return { prompt: numberOf(input), cached: numberOf(cached), output: numberOf(output) + numberOf(thoughts) };
}
