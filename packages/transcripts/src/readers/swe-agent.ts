import type { Item, Piece, Reader } from '../model/item.ts';
import { isObject, type JsonObject, listOf, numberOf, objectOf, stringOf } from '../model/json.ts';
import { oneSession, skip } from './items.ts';

/** SWE-agent: a trajectory file; its `history` is what the model saw, its `trajectory` the same steps once more. */
export const sweAgent: Reader = {
  source: 'swe-agent',
  claims: ({ path, value }) => {
    if (!isObject(value) || path.length !== 1) return false;
    if (path[0] === 'trajectory') return 'action' in value && 'observation' in value && 'response' in value;
    return path[0] === 'history' && 'role' in value && ('agent' in value || 'message_type' in value);
  },
  open: () => {
    // Nobody but the environment speaks to the model once it has begun, whatever the role.
    let hasBegun = false;
    return oneSession(SESSION, (piece) => {
      const items = itemsOf(piece, hasBegun);
      hasBegun = hasBegun || (isObject(piece.value) && piece.value['role'] === 'assistant' && !piece.value['is_demo']);
      return items;
    });
  },
};

const SESSION = { source: 'swe-agent', format: 'openai-chat' } as const;

function itemsOf({ path, value }: Piece, hasBegun: boolean): readonly Item[] {
  if (path[0] === 'trajectory') return [skip('trajectory step')];
  if (path[0] === 'history' && isObject(value)) return [entryOf(value, hasBegun)];
  if (path.join('.') !== 'info.model_stats') return [];
  const { tokens_sent, tokens_received } = objectOf(value);
  const usage = { prompt: numberOf(tokens_sent), output: numberOf(tokens_received) };
  return usage.prompt === 0 ? [] : [{ kind: 'usage', usage, isTotal: true }];
}

function entryOf(value: JsonObject, hasBegun: boolean): Item {
  const { role, content, tool_calls, tool_call_ids, is_demo } = value;
  const callId = stringOf(value['tool_call_id']) || stringOf(listOf(tool_call_ids)[0]);
  const calls = listOf(tool_calls);
  const native = {
    role,
    content: content ?? '',
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
    ...(role === 'tool' ? { tool_call_id: callId } : {}),
  };
  const isPrompt = role === 'user' && is_demo !== true && value['message_type'] !== 'observation' && !hasBegun;
  const marks = { ...(isPrompt ? { isPrompt } : {}), ...(is_demo === true ? { isAside: true } : {}) };
  return { kind: 'entry', natives: [native], ...marks };
}
