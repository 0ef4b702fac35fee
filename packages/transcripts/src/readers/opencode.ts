import type { Item, Piece, Reader, Usage } from '../model/item.ts';
import { defined, isObject, type JsonObject, numberOf, objectOf, objectsOf, stringOf, timeOf } from '../model/json.ts';
import { entry, oneSession, skip, unread } from './items.ts';
import { toolResult } from './model-messages.ts';

/** opencode's export: `info` and `messages` of `{info, parts}`; a call and its result are one part. */
export const opencode: Reader = {
  source: 'opencode',
  claims: ({ path, value }) => {
    if (path[0] === 'info' && path[1] === 'id') return stringOf(value).startsWith('ses_');
    return path.length <= 1 && (path[0] ?? 'messages') === 'messages' && isMessage(value);
  },
  open: () => oneSession(SESSION, itemsOf),
};

const SESSION = { source: 'opencode', format: 'ai-sdk' } as const;

function isMessage(value: unknown): boolean {
  return isObject(value) && isObject(value['info']) && Array.isArray(value['parts']);
}

function itemsOf({ path, value }: Piece): readonly Item[] {
  if (path[0] === 'info') return infoItems(path[1] ?? '', value);
  if (!isObject(value) || !isMessage(value)) return [unread(path.join('.') || '(no message)')];
  const info = objectOf(value['info']);
  const parts = objectsOf(value['parts']);
  const skips = parts.flatMap((part) => {
    const type = stringOf(part['type']);
    if (READ.has(type)) return [];
    return [PASSED.has(type) ? skip(`part/${type}`) : unread(`part/${type}`)];
  });
  const natives = info['role'] === 'user' ? userNatives(parts) : answerNatives(parts);
  if (natives.length === 0) return [...skips, skip(`${stringOf(info['role'])} (empty)`)];
  const isSummary = info['summary'] === true;
  const summary = isSummary ? textsOf(parts) : '';
  return [...skips, ...(isSummary ? [{ kind: 'compaction', summary } as const] : []), entryOf(info, natives)];
}

const READ: ReadonlySet<string> = new Set(['text', 'reasoning', 'tool', 'file', 'subtask', 'step-start']);
const PASSED: ReadonlySet<string> = new Set(['step-finish', 'snapshot', 'patch', 'agent', 'retry', 'compaction']);

function infoItems(key: string, value: unknown): readonly Item[] {
  if (key === 'id') return [{ kind: 'details', details: { id: stringOf(value) } }];
  if (key === 'title') return [{ kind: 'details', details: { title: stringOf(value) } }];
  if (key === 'directory') return [{ kind: 'details', details: { cwd: stringOf(value) } }];
  const back = stringOf(objectOf(value)['messageID']);
  if (key === 'revert' && back !== '') return [{ kind: 'rewind', before: back }];
  if (key !== 'time') return [];
  return [{ kind: 'details', details: defined({ startedAt: timeOf(objectOf(value)['created']) }) }];
}

function entryOf(info: JsonObject, natives: readonly unknown[]): Item {
  return entry(natives, {
    id: stringOf(info['id']) || undefined,
    time: timeOf(objectOf(info['time'])['created']),
    isPrompt: info['role'] === 'user' || undefined,
    isSummary: info['summary'] === true || undefined,
    model: stringOf(info['modelID']) || undefined,
    usage: usageOf(objectOf(info['tokens'])),
  });
}

function usageOf({ input, output, reasoning, cache }: JsonObject): Usage | undefined {
  const { read, write } = objectOf(cache);
  const prompt = numberOf(input) + numberOf(read) + numberOf(write);
  if (prompt === 0) return undefined;
  return { prompt, cached: numberOf(read), written: numberOf(write), output: numberOf(output) + numberOf(reasoning) };
}

function textsOf(parts: readonly JsonObject[]): string {
  return parts.flatMap(({ type, text }) => (type === 'text' ? [stringOf(text)] : [])).join('\n');
}

function userNatives(parts: readonly JsonObject[]): readonly unknown[] {
  const content = parts.flatMap((part): readonly unknown[] => {
    if (part['type'] === 'text' && stringOf(part['text']) !== '') return [{ type: 'text', text: part['text'] }];
    if (part['type'] === 'subtask') return [{ type: 'text', text: stringOf(part['prompt']) }];
    if (part['type'] !== 'file') return [];
    const { mime, url, filename } = part;
    return [
      {
        type: 'file',
        mediaType: stringOf(mime),
        data: stringOf(url),
        ...defined({ filename: stringOf(filename) || undefined }),
      },
    ];
  });
  return content.length === 0 ? [] : [{ role: 'user', content }];
}

/** An answer may hold several steps: each is a message, and its results another. */
function answerNatives(parts: readonly JsonObject[]): readonly unknown[] {
  const natives: unknown[] = [];
  let content: unknown[] = [];
  let results: unknown[] = [];
  const flush = (): void => {
    if (content.length > 0) natives.push({ role: 'assistant', content });
    if (results.length > 0) natives.push({ role: 'tool', content: results });
    content = [];
    results = [];
  };
  for (const part of parts) {
    if (part['type'] === 'step-start') flush();
    else if (part['type'] === 'tool') {
      content.push(callOf(part));
      for (const result of resultsOf(part)) results.push(result);
    } else for (const block of blockOf(part)) content.push(block);
  }
  flush();
  return natives;
}

function blockOf({ type, text, metadata, url, mime }: JsonObject): readonly unknown[] {
  const options = isObject(metadata) ? { providerOptions: metadata } : {};
  if (type === 'text' && stringOf(text) !== '') return [{ type: 'text', text }];
  if (type === 'reasoning') return [{ type: 'reasoning', text: stringOf(text), ...options }];
  return type === 'file' ? [{ type: 'file', mediaType: stringOf(mime), data: stringOf(url) }] : [];
}

function callOf({ callID, tool, state }: JsonObject): unknown {
  const input = objectOf(state)['input'] ?? {};
  return { type: 'tool-call', toolCallId: stringOf(callID), toolName: stringOf(tool), input };
}

function resultsOf({ callID, tool, state }: JsonObject): readonly unknown[] {
  const { status, output, error, attachments } = objectOf(state);
  if (status !== 'completed' && status !== 'error') return [];
  const media = objectsOf(attachments).map(({ mime, url }) => ({ mimeType: stringOf(mime), data: stringOf(url) }));
  const isError = status === 'error';
  const text = stringOf(isError ? error : output);
  return [toolResult({ callId: stringOf(callID), name: stringOf(tool) }, { text, isError, media })];
}
