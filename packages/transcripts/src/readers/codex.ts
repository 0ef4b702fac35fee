import type { Details, Item, Piece, Reader, Usage } from '../model/item.ts';
import { defined, isObject, type JsonObject, listOf, numberOf, objectOf, stringOf, timeOf } from '../model/json.ts';
import { oneSession, skip, unread } from './items.ts';

/**
 * Codex rollouts in three generations: `{type, payload}` lines, bare items behind a header line, and one JSON text of
 * `{session, items}`. The items are those of the Responses API.
 */
export const codex: Reader = {
  source: 'codex',
  claims: ({ path, value }) => {
    if (path.length > 0) return path[0] === 'items' && isObject(value) && ITEMS.has(stringOf(value['type']));
    if (!isObject(value)) return false;
    if (WRAPPERS.has(stringOf(value['type']))) return isObject(value['payload']);
    return isHeader(value) || value['record_type'] === 'state';
  },
  open: () => oneSession(SESSION, itemsOf),
};

const SESSION = { source: 'codex', format: 'openai-responses' } as const;

const WRAPPERS: ReadonlySet<string> = new Set([
  'session_meta',
  'response_item',
  'event_msg',
  'turn_context',
  'compacted',
]);
const ITEMS: ReadonlySet<string> = new Set([
  'message',
  'reasoning',
  'function_call',
  'function_call_output',
  'local_shell_call',
  'local_shell_call_output',
  'custom_tool_call',
  'custom_tool_call_output',
]);

function isHeader(value: JsonObject): boolean {
  return !('type' in value) && 'id' in value && 'timestamp' in value && ('instructions' in value || 'git' in value);
}

function itemsOf({ path, value }: Piece): readonly Item[] {
  if (path[0] === 'session') return [{ kind: 'details', details: detailOf(path[1] ?? '', value) }];
  if (!isObject(value)) return [unread(path.join('.'))];
  if (path[0] === 'items') return itemOf(value);
  if (path.length > 0) return [unread(path.join('.'))];
  if (value['record_type'] !== undefined) return [skip(`record_type/${stringOf(value['record_type'])}`)];
  if (isHeader(value)) return metaItems(value);
  const payload = value['payload'];
  const time = timeOf(value['timestamp']);
  switch (value['type']) {
    case 'session_meta':
      return [...metaItems(objectOf(payload)), skip('session_meta')];
    case 'response_item':
      return itemOf(objectOf(payload), time);
    case 'turn_context':
      return [
        { kind: 'details', details: defined({ model: stringOf(objectOf(payload)['model']) || undefined }) },
        skip('turn_context'),
      ];
    case 'compacted':
      return [compactionOf(objectOf(payload)), skip('compacted')];
    case 'event_msg':
      return eventItems(objectOf(payload));
    default:
      return payload === undefined ? itemOf(value) : [unread(stringOf(value['type']))];
  }
}

function detailOf(key: string, value: unknown): Details {
  if (key === 'id') return { id: stringOf(value) };
  if (key === 'instructions') return { system: value };
  return key === 'timestamp' ? defined({ startedAt: timeOf(value) }) : {};
}

function metaItems(meta: JsonObject): readonly Item[] {
  const { id, cwd, timestamp, instructions, base_instructions, dynamic_tools } = meta;
  const system = stringOf(objectOf(base_instructions)['text']) || stringOf(instructions);
  const details = defined({
    id: stringOf(id) || undefined,
    cwd: stringOf(cwd) || undefined,
    startedAt: timeOf(timestamp),
    system: system || undefined,
    tools: Array.isArray(dynamic_tools) ? dynamic_tools : undefined,
  });
  return [{ kind: 'details', details }];
}

function itemOf(item: JsonObject, time?: number): readonly Item[] {
  const type = stringOf(item['type']);
  // Snapshots of the working tree, for the program's own undo.
  if (type === 'ghost_snapshot') return [skip(type)];
  if (type === '' && typeof item['role'] !== 'string') return [unread('(no type)')];
  const isPrompt = item['role'] === 'user' && !isInjected(item['content']);
  return [{ kind: 'entry', natives: [nativeOf(item)], ...(isPrompt ? { isPrompt } : {}), ...defined({ time }) }];
}

// Older rollouts keep an output as `{content, success}`; the API takes its content.
function nativeOf(item: JsonObject): JsonObject {
  const { output } = item;
  return isObject(output) && 'content' in output ? { ...item, output: output['content'] ?? '' } : item;
}

/** Context the program sends in the user's name: environment, project instructions. */
function isInjected(content: unknown): boolean {
  const [first] = listOf(content);
  const text = typeof content === 'string' ? content : stringOf(objectOf(first)['text']);
  return /^(?:<[a-z_]+>|# AGENTS\.md instructions)/.test(text);
}

function compactionOf(payload: JsonObject): Item {
  const { message, replacement_history } = payload;
  return {
    kind: 'compaction',
    ...defined({
      summary: stringOf(message) || undefined,
      live: Array.isArray(replacement_history) ? replacement_history : undefined,
    }),
  };
}

function eventItems(event: JsonObject): readonly Item[] {
  const type = stringOf(event['type']);
  const known = skip(`event_msg/${type}`);
  if (type === 'thread_rolled_back') return [{ kind: 'rewind', prompts: numberOf(event['num_turns']) }, known];
  const usage = type === 'token_count' ? usageOf(objectOf(event['info'])['last_token_usage']) : undefined;
  return usage === undefined ? [known] : [{ kind: 'usage', usage }, known];
}

function usageOf(value: unknown): Usage | undefined {
  const usage = objectOf(value);
  const prompt = numberOf(usage['input_tokens']);
  if (prompt === 0) return undefined;
  return { prompt, cached: numberOf(usage['cached_input_tokens']), output: numberOf(usage['output_tokens']) };
}
