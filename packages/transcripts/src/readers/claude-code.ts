import type { Item, Reader, Usage } from '../model/item.ts';
import { defined, isObject, type JsonObject, listOf, numberOf, objectOf, stringOf, timeOf } from '../model/json.ts';
import { entry, oneSession, skip } from './items.ts';

/**
 * Claude Code: one record a line, a tree by `parentUuid`. One answer of the model is spread over several records with
 * one `message.id`; parallel calls and their results hang on different ones of them.
 */
export const claudeCode: Reader = {
  source: 'claude-code',
  claims: ({ path, value }) => path.length === 0 && isObject(value) && isRecord(value),
  open: () => oneSession(SESSION, ({ value }) => (isObject(value) ? itemsOf(value) : [skip(typeof value, false)])),
};

const SESSION = { source: 'claude-code', format: 'anthropic' } as const;

function isRecord(value: JsonObject): boolean {
  if ('uuid' in value && ('parentUuid' in value || 'sessionId' in value)) return true;
  if (value['type'] === 'summary') return 'leafUuid' in value;
  return value['type'] === 'file-history-snapshot' || (value['type'] === 'queue-operation' && 'sessionId' in value);
}

// Records that hang in the tree or stand beside it without being seen by the model.
const KNOWN: ReadonlySet<string> = new Set([
  'progress',
  'system',
  'file-history-snapshot',
  'file-history-delta',
  'queue-operation',
  'attachment',
  'last-prompt',
  'custom-title',
  'ai-title',
  'agent-name',
  'agent-color',
  'permission-mode',
  'mode',
  'pr-link',
  'tag',
  'result',
]);

function itemsOf(value: JsonObject): readonly Item[] {
  const type = stringOf(value['type']);
  switch (type) {
    case 'user':
    case 'assistant':
      return isObject(value['message']) ? messageItems(value, value['message']) : [...linkOf(value), skip(type, false)];
    case 'summary':
      return [{ kind: 'details', details: { title: stringOf(value['summary']) } }, skip(type)];
    case 'custom-title':
      return [{ kind: 'details', details: { title: stringOf(value['customTitle']) } }, skip(type)];
    case 'system':
      if (value['subtype'] === 'compact_boundary') return boundaryItems(value);
      return [...linkOf(value), skip(`system/${stringOf(value['subtype'])}`)];
    case 'progress':
      return [...linkOf(value), ...progressItems(objectOf(value['data']))];
    default:
      return [...linkOf(value), skip(type, KNOWN.has(type))];
  }
}

function linkOf(value: JsonObject): readonly Item[] {
  const id = stringOf(value['uuid']);
  return id === '' ? [] : [{ kind: 'link', id, parent: parentOf(value) }];
}

function parentOf(value: JsonObject): string | null {
  return stringOf(value['parentUuid']) || stringOf(value['logicalParentUuid']) || null;
}

function messageItems(value: JsonObject, message: JsonObject): readonly Item[] {
  const { cwd, sessionId, isSidechain, isMeta, isCompactSummary } = value;
  const details = defined({ id: stringOf(sessionId) || undefined, cwd: stringOf(cwd) || undefined });
  const isAnswer = message['role'] === 'assistant';
  const isResult = !isAnswer && isResultsOnly(message['content']);
  const step = isAnswer ? stringOf(message['id']) : isResult ? '' : undefined;
  const native = { role: isAnswer ? 'assistant' : 'user', content: message['content'] ?? '' };
  const said = entry([native], {
    id: stringOf(value['uuid']),
    parent: parentOf(value),
    side: isSidechain === true ? `agent ${stringOf(value['agentId'])}`.trim() : undefined,
    step,
    time: timeOf(value['timestamp']),
    isPrompt: (!isAnswer && !isResult && isMeta !== true && isCompactSummary !== true) || undefined,
    isSummary: isCompactSummary === true || undefined,
    usage: isAnswer ? usageOf(message['usage']) : undefined,
    model: isAnswer ? stringOf(message['model']) || undefined : undefined,
  });
  return [{ kind: 'details', details }, said];
}

function isResultsOnly(content: unknown): boolean {
  const blocks = listOf(content);
  return blocks.length > 0 && blocks.every((block) => isObject(block) && block['type'] === 'tool_result');
}

function usageOf(value: unknown): Usage | undefined {
  if (!isObject(value)) return undefined;
  const cached = numberOf(value['cache_read_input_tokens']);
  const written = numberOf(value['cache_creation_input_tokens']);
  const prompt = numberOf(value['input_tokens']) + cached + written;
  return prompt === 0 ? undefined : { prompt, cached, written, output: numberOf(value['output_tokens']) };
}

/** Claude Code starts a new root after a compaction; what it follows is its logical parent. */
function boundaryItems(value: JsonObject): readonly Item[] {
  const metadata = objectOf(value['compactMetadata']);
  const compaction = defined({
    id: stringOf(value['uuid']) || undefined,
    trigger: stringOf(metadata['trigger']) || undefined,
    tokensBefore: numberOf(metadata['preTokens']) || undefined,
    parent: parentOf(value),
  });
  return [{ kind: 'compaction', ...compaction }, skip('system/compact_boundary')];
}

/** The messages of a subagent travel inside progress records. */
function progressItems(data: JsonObject): readonly Item[] {
  const type = stringOf(data['type']);
  const record = objectOf(data['message']);
  const message = record['message'];
  if (type !== 'agent_progress' || !isObject(message)) return [skip(`progress/${type}`)];
  const role = message['role'] === 'assistant' ? 'assistant' : 'user';
  return [
    entry([{ role, content: message['content'] ?? '' }], {
      id: stringOf(record['uuid']) || undefined,
      side: `agent ${stringOf(data['agentId'])}`.trim(),
      step: role === 'assistant' ? stringOf(message['id']) : undefined,
      time: timeOf(record['timestamp']),
      usage: role === 'assistant' ? usageOf(message['usage']) : undefined,
      model: stringOf(message['model']) || undefined,
    }),
  ];
}
