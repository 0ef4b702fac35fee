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

function* shapeViolations(natives: readonly unknown[]): Generator<Violation> {
  for (const [at, native] of natives.entries()) {
    const role = roleOf(native);
    if (!isObject(native) || role === 'other') yield errorAt(at, 'O6', 'not a message of a known role');
    else if (role === 'assistant' || typeof native['content'] !== 'string') yield* messageViolations(native, at);
    if (holdsLoneSurrogate(native)) yield errorAt(at, 'U1', 'lone surrogate');
  }
}

function* messageViolations(native: Native, at: number): Generator<Violation> {
  const { role, content } = native;
  if (role === 'assistant') yield* assistantViolations(native, at);
  // A legacy function result may be null.
  else if ((content ?? null) === null && role !== 'function') yield errorAt(at, 'O6', 'content is null');
  if (Array.isArray(content)) yield* contentViolations(native, at);
  else if (typeof content !== 'string' && (content ?? null) !== null) {
    yield errorAt(at, 'O6', `content is of type ${typeof content}`);
  }
}

function* contentViolations(native: Native, at: number): Generator<Violation> {
  const blocks = listOf(native['content']);
  if (blocks.length === 0) yield errorAt(at, 'O6', 'content array is empty');
  for (const block of blocks) {
    if (isObject(block)) yield* blockViolations(block, at, native['role'] === 'user');
    else yield errorAt(at, 'O6', 'content block is no object');
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

function isBadDataUrl(image: unknown): boolean {
  const url = stringOf(isObject(image) ? image['url'] : image);
  return url.slice(0, 5).toLowerCase() === 'data:' && !dataUrl(url)?.mimeType.startsWith('image/');
}

function* assistantViolations(native: Native, at: number): Generator<Violation> {
  const { content, tool_calls: calls, function_call: legacy, refusal, audio } = native;
  if (Array.isArray(calls) && (calls.length === 0 || calls.length > 128)) {
    yield errorAt(at, 'O4', `${calls.length} tool calls`);
  }
  for (const call of listOf(calls)) yield* callViolations(call, at);
  if (isObject(legacy)) yield* signatureViolations(at, legacy['name'], legacy['arguments']);
  if (listOf(calls).length > 0 || isObject(legacy) || typeof refusal === 'string' || isObject(audio)) return;
  if ((content ?? null) === null) yield errorAt(at, 'O5', 'no content and no tool calls');
  // OpenAI takes an empty string, DeepSeek does not.
  if (content === '') yield portabilityAt(at, 'O5', 'empty content and no tool calls');
}

function* callViolations(call: unknown, at: number): Generator<Violation> {
  const fn = isObject(call) ? (call['function'] ?? call['custom']) : undefined;
  if (!isObject(call) || !isObject(fn)) {
    yield errorAt(at, 'O6', 'tool call without function');
    return;
  }
  const { id } = call;
  if (typeof id !== 'string') yield errorAt(at, 'O6', 'tool call without id');
  else if (id.length > 40) yield portabilityAt(at, 'O8', `tool call id of ${id.length} characters`);
  yield* signatureViolations(at, fn['name'], isObject(call['function']) ? fn['arguments'] : fn['input']);
}

function* signatureViolations(at: number, name: unknown, input: unknown): Generator<Violation> {
  if (!TOOL_NAME.test(stringOf(name))) yield errorAt(at, 'O6', `tool name '${stringOf(name).slice(0, 80)}'`);
  if (typeof input !== 'string') yield errorAt(at, 'O6', `arguments are of type ${typeof input}`);
}
