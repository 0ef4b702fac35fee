import type { Item } from '../../model/item.ts';
import { defined, isObject, type JsonObject, objectOf, objectsOf, stringOf, textOf, timeOf } from '../../model/json.ts';
import { passed, skip } from '../items.ts';

/** True for an event of the software agent kit. */
export function isAgentEvent(value: JsonObject): boolean {
  return KINDS.has(stringOf(value['kind'])) || (EVENT.test(stringOf(value['kind'])) && 'source' in value);
}

const EVENT = /^[A-Z]\w+Event$/;
const KINDS: ReadonlySet<string> = new Set([
  'MessageEvent',
  'ActionEvent',
  'ObservationEvent',
  'SystemPromptEvent',
  'AgentErrorEvent',
  'UserRejectObservation',
  'Condensation',
]);
const PASSED: ReadonlySet<string> = new Set([
  'ConversationStateUpdateEvent',
  'PauseEvent',
  'CondensationRequest',
  'TokenEvent',
  'ConversationErrorEvent',
  'LLMCompletionLogEvent',
]);

/** Reads one event of the software agent kit. */
export function agentEvents(event: JsonObject): readonly Item[] {
  const kind = stringOf(event['kind']);
  switch (kind) {
    case 'SystemPromptEvent': {
      const system = blocksText(event['system_prompt']) || stringOf(objectOf(event['system_prompt'])['text']);
      return [{ kind: 'details', details: defined({ system, tools: event['tools'] }) }, skip(kind)];
    }
    case 'MessageEvent':
      return [messageOf(event)];
    case 'ActionEvent':
      return [actionOf(event)];
    case 'ObservationEvent':
    case 'AgentErrorEvent':
    case 'UserRejectObservation':
      return [resultOf(event, kind)];
    case 'Condensation':
      return [{ kind: 'compaction', ...defined({ summary: stringOf(event['summary']) || undefined }) }, skip(kind)];
    default:
      return [passed(kind, PASSED)];
  }
}

function placeOf(event: JsonObject): { id?: string; time?: number } {
  return defined({ id: stringOf(event['id']) || undefined, time: timeOf(event['timestamp']) });
}

function messageOf(event: JsonObject): Item {
  const message = objectOf(event['llm_message']);
  const isUser = stringOf(message['role']) === 'user' || (message['role'] === undefined && event['source'] === 'user');
  const content = blocksText(message['content']);
  const native = { role: isUser ? 'user' : 'assistant', content };
  const isPrompt = isUser && event['source'] === 'user';
  return { kind: 'entry', ...placeOf(event), natives: [native], ...(isPrompt ? { isPrompt } : {}) };
}

function actionOf(event: JsonObject): Item {
  const call = objectOf(event['tool_call']);
  const called = isObject(call['function']) ? call['function'] : call;
  const id = stringOf(event['tool_call_id']) || stringOf(call['id']);
  const name = stringOf(event['tool_name']) || stringOf(called['name']);
  const native = {
    role: 'assistant',
    content: blocksText(event['thought']) || null,
    ...defined({ reasoning_content: stringOf(event['reasoning_content']) || undefined }),
    tool_calls: [
      { id, type: 'function', function: { name, arguments: textOf(called['arguments'] ?? event['action'] ?? {}) } },
    ],
  };
  const step = stringOf(event['llm_response_id']);
  return { kind: 'entry', ...placeOf(event), natives: [native], ...(step === '' ? {} : { step }) };
}

function resultOf(event: JsonObject, kind: string): Item {
  const observation = objectOf(event['observation']);
  const text =
    blocksText(observation['content']) ||
    blocksText(observation['output']) ||
    stringOf(event['error']) ||
    stringOf(event['rejection_reason']) ||
    textOf(event['observation'] ?? '');
  const isError = kind !== 'ObservationEvent' || observation['is_error'] === true;
  const native = {
    role: 'tool',
    tool_call_id: stringOf(event['tool_call_id']),
    content: text,
    ...(isError ? { is_error: true } : {}),
  };
  return { kind: 'entry', ...placeOf(event), natives: [native], step: '' };
}

/** Text of a list of content blocks, or of a plain text. */
function blocksText(value: unknown): string {
  if (typeof value === 'string') return value;
  return objectsOf(value)
    .map((block) => stringOf(block['text']))
    .filter((text) => text !== '')
    .join('\n');
}
