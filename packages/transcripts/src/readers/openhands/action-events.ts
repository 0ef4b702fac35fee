import type { Details, Item, Usage } from '../../model/item.ts';
import { defined, type JsonObject, listOf, numberOf, objectOf, stringOf, textOf, timeOf } from '../../model/json.ts';
import { skip } from '../items.ts';

/** True for an event of the first generation. */
export function isActionEvent(value: JsonObject): boolean {
  const isKnown = value['source'] === undefined || SOURCES.has(stringOf(value['source']));
  return isKnown && 'id' in value && (typeof value['action'] === 'string' || typeof value['observation'] === 'string');
}

const SOURCES: ReadonlySet<string> = new Set(['user', 'agent', 'environment']);
// State of the program itself; the model never sees it.
const PASSED: ReadonlySet<string> = new Set([
  'change_agent_state',
  'agent_state_changed',
  'null',
  'pause',
  'resume',
  'stop',
  'recall',
  'condensation_request',
  'loop_recovery',
]);

/** Reads events of the first generation. Several actions may come from one answer of the model: it is given once. */
export function createActionReader(): (event: JsonObject) => readonly Item[] {
  let newest = '';
  return (event) => {
    const type = stringOf(event['action']) || stringOf(event['observation']);
    if (PASSED.has(type)) return [skip(type)];
    if (typeof event['observation'] === 'string') return [entry(event, observationOf(event))];
    if (type === 'system') return systemItems(objectOf(event['args']));
    if (type === 'condensation') return [compactionOf(objectOf(event['args'])), skip(type)];
    if (type === 'message' || type === 'finish') return [messageEntry(event, type)];
    const response = objectOf(objectOf(event['tool_call_metadata'])['model_response']);
    const message = objectOf(objectOf(listOf(response['choices'])[0])['message']);
    if (!Array.isArray(message['tool_calls'])) return [entry(event, ownCall(event, type))];
    const id = stringOf(response['id']);
    if (id !== '' && id === newest) return [skip(`${type} (of the same answer)`)];
    newest = id;
    return [{ ...entry(event, answerOf(message)), ...defined({ usage: usageOf(response), model: modelOf(response) }) }];
  };
}

function entry(event: JsonObject, native: unknown): Extract<Item, { kind: 'entry' }> {
  return {
    kind: 'entry',
    id: String(event['id']),
    natives: [native],
    ...defined({ time: timeOf(event['timestamp']) }),
  };
}

function systemItems({ content, tools }: JsonObject): readonly Item[] {
  const details: Details = { system: stringOf(content), ...(Array.isArray(tools) ? { tools } : {}) };
  return [{ kind: 'details', details }, skip('system')];
}

function compactionOf({ summary }: JsonObject): Item {
  return { kind: 'compaction', ...defined({ summary: stringOf(summary) || undefined }) };
}

function messageEntry(event: JsonObject, type: string): Item {
  const args = objectOf(event['args']);
  const isUser = event['source'] === 'user';
  const text =
    type === 'finish'
      ? stringOf(args['final_thought']) || stringOf(args['thought']) || stringOf(event['message'])
      : stringOf(args['content']) || stringOf(event['message']);
  const images = listOf(args['image_urls']).filter((url) => typeof url === 'string');
  const blocks = images.map((url) => ({ type: 'image_url', image_url: { url } }));
  const content = blocks.length === 0 ? text : [{ type: 'text', text }, ...blocks];
  return { ...entry(event, { role: isUser ? 'user' : 'assistant', content }), ...(isUser ? { isPrompt: true } : {}) };
}

function answerOf(message: JsonObject): unknown {
  const content = message['content'];
  return { role: 'assistant', content: content === '' ? null : (content ?? null), tool_calls: message['tool_calls'] };
}

/** A call of a model that wrote its actions as text: the event's number is its id. */
function ownCall(event: JsonObject, type: string): unknown {
  const { thought, ...args } = objectOf(event['args']);
  if (event['source'] === 'user') return { role: 'user', content: `${type} ${textOf(args)}` };
  const call = { id: `event_${event['id']}`, type: 'function', function: { name: type, arguments: textOf(args) } };
  return { role: 'assistant', content: stringOf(thought) || null, tool_calls: [call] };
}

function observationOf(event: JsonObject): unknown {
  const { content, cause, tool_call_metadata } = event;
  const text = stringOf(content) || stringOf(event['message']);
  const known = stringOf(objectOf(tool_call_metadata)['tool_call_id']);
  const isAnswer = known !== '' || typeof cause === 'number' || typeof cause === 'string';
  if (!isAnswer) return { role: 'user', content: text };
  const isError = event['observation'] === 'error' || numberOf(objectOf(event['extras'])['exit_code']) > 0;
  return {
    role: 'tool',
    tool_call_id: known || `event_${cause}`,
    content: text,
    ...(isError ? { is_error: true } : {}),
  };
}

function usageOf(response: JsonObject): Usage | undefined {
  const usage = objectOf(response['usage']);
  const prompt = numberOf(usage['prompt_tokens']);
  if (prompt === 0) return undefined;
  const cached =
    numberOf(usage['cache_read_input_tokens']) || numberOf(objectOf(usage['prompt_tokens_details'])['cached_tokens']);
  return { prompt, output: numberOf(usage['completion_tokens']), cached };
}

function modelOf(response: JsonObject): string | undefined {
  return stringOf(response['model']) || undefined;
}
