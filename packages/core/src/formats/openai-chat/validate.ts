import type { Violation } from '../../model/format.ts';
import { dataUrl } from '../media.ts';
import { isObject, listOf, type Native, stringOf } from '../native.ts';
import { errorAt, holdsLoneSurrogate, inOrder, portabilityAt } from '../violations.ts';
import { mediaOf } from './blocks.ts';
import { roleOf } from './decode.ts';
import { orderViolations } from './order.ts';
import { pairViolations } from './pairs.ts';

const TOOL_NAME = /^[a-zA-Z0-9_-]{1,64}$/;

/** Rules O1 to O9 that the list breaks, and U1 for lone surrogates. */
export function validate(natives: readonly unknown[]): readonly Violation[] {
  return inOrder(shapeViolations(natives), pairViolations(natives), orderViolations(natives));
}

// Lists are filled, not yielded: a generator for each message and call costs more than what it looks at.
function shapeViolations(natives: readonly unknown[]): readonly Violation[] {
  const found: Violation[] = [];
  natives.forEach((native, at) => {
    const role = roleOf(native);
    if (!isObject(native) || role === 'other') found.push(errorAt(at, 'O6', 'not a message of a known role'));
    else if (role === 'assistant' || typeof native['content'] !== 'string') addMessage(found, native, at);
    if (holdsLoneSurrogate(native)) found.push(errorAt(at, 'U1', 'lone surrogate'));
  });
  return found;
}

function addMessage(found: Violation[], native: Native, at: number): void {
  const { role, content } = native;
  if (role === 'assistant') addAssistant(found, native, at);
  // A legacy function result may be null.
  else if ((content ?? null) === null && role !== 'function') found.push(errorAt(at, 'O6', 'content is null'));
  if (Array.isArray(content)) addContent(found, native, at);
  else if (typeof content !== 'string' && (content ?? null) !== null) {
    found.push(errorAt(at, 'O6', `content is of type ${typeof content}`));
  }
}

function addContent(found: Violation[], native: Native, at: number): void {
  const blocks = listOf(native['content']);
  if (blocks.length === 0) found.push(errorAt(at, 'O6', 'content array is empty'));
  for (const block of blocks) {
    if (isObject(block)) add(found, blockViolations(block, at, native['role'] === 'user'));
    else found.push(errorAt(at, 'O6', 'content block is no object'));
  }
}

function* blockViolations(block: Native, at: number, fromUser: boolean): Generator<Violation> {
  const type = stringOf(block['type']).slice(0, 40);
  if (type === 'text' || type === 'refusal') {
    if (typeof block[type] !== 'string') yield errorAt(at, 'O6', `${type} block without text`);
    return;
  }
  if (mediaOf(block) === undefined) {
    // Blocks of other servers (Mistral's thinking, say) are unknown to OpenAI, not to whom they are sent.
    yield portabilityAt(at, 'O6', `content block of type '${type}'`);
    return;
  }
  if (!fromUser) yield errorAt(at, 'O7', `${type} outside a user message`);
  if (type === 'image_url' && isBadDataUrl(block['image_url'])) yield errorAt(at, 'O7', 'not a base64 image data URL');
}

function add(found: Violation[], more: Iterable<Violation>): void {
  for (const violation of more) found.push(violation);
}

function isBadDataUrl(image: unknown): boolean {
  const url = stringOf(isObject(image) ? image['url'] : image);
  return url.slice(0, 5).toLowerCase() === 'data:' && !dataUrl(url)?.mimeType.startsWith('image/');
}

function addAssistant(found: Violation[], native: Native, at: number): void {
  const { content, tool_calls: calls, function_call: legacy, refusal, audio } = native;
  if (Array.isArray(calls) && (calls.length === 0 || calls.length > 128)) {
    found.push(errorAt(at, 'O4', `${calls.length} tool calls`));
  }
  for (const call of listOf(calls)) addCall(found, call, at);
  if (isObject(legacy)) add(found, signatureViolations(at, legacy['name'], legacy['arguments']));
  if (listOf(calls).length > 0 || isObject(legacy) || typeof refusal === 'string' || isObject(audio)) return;
  if ((content ?? null) === null) found.push(errorAt(at, 'O5', 'no content and no tool calls'));
  // OpenAI takes an empty string, DeepSeek does not.
  if (content === '') found.push(portabilityAt(at, 'O5', 'empty content and no tool calls'));
}

function addCall(found: Violation[], call: unknown, at: number): void {
  const fn = isObject(call) ? (call['function'] ?? call['custom']) : undefined;
  if (!isObject(call) || !isObject(fn)) {
    found.push(errorAt(at, 'O6', 'tool call without function'));
    return;
  }
  const { id } = call;
  if (typeof id !== 'string') found.push(errorAt(at, 'O6', 'tool call without id'));
  else if (id.length > 40) found.push(portabilityAt(at, 'O8', `tool call id of ${id.length} characters`));
  add(found, signatureViolations(at, fn['name'], isObject(call['function']) ? fn['arguments'] : fn['input']));
}

function signatureViolations(at: number, name: unknown, input: unknown): readonly Violation[] {
  const isNamed = TOOL_NAME.test(stringOf(name));
  if (isNamed && typeof input === 'string') return NOTHING;
  return [
    ...(isNamed ? [] : [errorAt(at, 'O6', `tool name '${stringOf(name).slice(0, 80)}'`)]),
    ...(typeof input === 'string' ? [] : [errorAt(at, 'O6', `arguments are of type ${typeof input}`)]),
  ];
}

const NOTHING: readonly Violation[] = [];
