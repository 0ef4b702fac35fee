import { type Native, stringOf } from '../native.ts';

/** What an input item is. `hosted`: a call the provider ran itself; `reference`: an item known to the server only. */
export type ItemKind = 'message' | 'reasoning' | 'call' | 'output' | 'hosted' | 'compaction' | 'reference' | 'unknown';

// A Map, not an object: `type` comes from outside and may be `constructor`.
const NAMED: ReadonlyMap<string, ItemKind> = new Map<string, ItemKind>([
  ['message', 'message'],
  ['reasoning', 'reasoning'],
  ['compaction', 'compaction'],
  ['compaction_summary', 'compaction'],
  ['context_compaction', 'compaction'],
  ['compaction_trigger', 'compaction'],
  ['item_reference', 'reference'],
  ['mcp_list_tools', 'hosted'],
  ['mcp_approval_request', 'call'],
  ['mcp_approval_response', 'output'],
  ['program', 'call'],
  ['program_output', 'output'],
]);

/** Kind of an item by its `type`; the easy message form and references may come without one. */
export function itemKind(item: Native): ItemKind {
  const type = item['type'];
  if (type === undefined || type === null) return untypedKind(item);
  if (typeof type !== 'string') return 'unknown';
  // The provider's own tool search has no call id; the client's has one.
  const identified = typeof item['call_id'] === 'string';
  if (type === 'tool_search_output') return identified ? 'output' : 'hosted';
  if (type.endsWith('_call_output')) return 'output';
  if (type.endsWith('_call')) return identified ? 'call' : 'hosted';
  return NAMED.get(type) ?? 'unknown';
}

function untypedKind(item: Native): ItemKind {
  if ((item['role'] ?? null) !== null) return 'message';
  return typeof item['id'] === 'string' ? 'reference' : 'unknown';
}

/** The id that ties an output to its call; `''` where there is none. */
export function callIdOf(item: Native): string {
  switch (item['type']) {
    case 'mcp_approval_request':
      return stringOf(item['id']);
    case 'mcp_approval_response':
      return stringOf(item['approval_request_id']);
    case 'local_shell_call_output':
      // Documented with `id` in place of `call_id` (openai-python, response_input_item_param.py); both are seen.
      return stringOf(item['call_id']) || stringOf(item['id']);
    default:
      return stringOf(item['call_id']);
  }
}
