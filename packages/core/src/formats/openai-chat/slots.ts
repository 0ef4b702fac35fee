import type { Part, ToolCallPart } from '../../model/message.ts';
import { jsonOf } from '../../model/text.ts';
import { isObject, listOf, type Native, stringOf } from '../native.ts';
import { blockPart, isSigned, opaquePart, thinkingText } from './blocks.ts';

/** The field of the native message that a part was read from. */
export type Field = 'reasoning' | 'content' | 'refusal' | 'audio' | 'call';

/** A part together with the native block it stands for. */
export type Slot = { readonly field: Field; readonly block: unknown; readonly part: Part };

/** Fields in which OpenAI-like servers send thinking; all say the same, so they are one part and leave together. */
export const REASONING_FIELDS: readonly string[] = [
  'reasoning_content',
  'reasoning',
  'reasoning_details',
  'thinking_blocks',
];

/** The slots of a message. */
export function slotsOf(native: Native): readonly Slot[] {
  const slots: Slot[] = [];
  eachSlot(native, (field, block, part) => slots.push({ field, block, part }));
  return slots;
}

/** The parts of a message, without what they were read from: histories are decoded far more often than they are edited. */
export function partsOf(native: Native): readonly Part[] {
  const parts: Part[] = [];
  eachSlot(native, (_field, _block, part) => parts.push(part));
  return parts;
}

/** The id under which a legacy call and its result find each other, since that dialect has none. */
export function legacyCallId(name: unknown): string {
  return `function:${stringOf(name)}`;
}

type Add = (field: Field, block: unknown, part: Part) => void;

/**
 * What a message is made of, in the order of its parts: thinking, content (a string is one part, an array one part per
 * entry), refusal, audio, tool calls, legacy function call. Only an assistant has more than content.
 */
function eachSlot(native: Native, add: Add): void {
  const isAssistant = native['role'] === 'assistant';
  if (isAssistant) addReasoning(native, add);
  addContent(native['content'], add);
  if (isAssistant) {
    addAnswer(native, add);
    addCalls(native, add);
  }
}

function addReasoning(native: Native, add: Add): void {
  if (!REASONING_FIELDS.some((field) => native[field])) return;
  const values = REASONING_FIELDS.map((field) => native[field]);
  const text = values.map(thinkingText).find((found) => found !== '') ?? '';
  const bound = values.some((value) => listOf(value).some(isSigned));
  if (text === '' && !values.some((value) => listOf(value).length > 0)) return;
  add('reasoning', undefined, { kind: 'reasoning', text, bound });
}

function addContent(content: unknown, add: Add): void {
  if (content === null || content === undefined) return;
  if (!Array.isArray(content)) add('content', content, blockPart(content));
  else for (const block of content as readonly unknown[]) add('content', block, blockPart(block));
}

function addAnswer({ refusal, audio }: Native, add: Add): void {
  if (typeof refusal === 'string') add('refusal', refusal, { kind: 'text', text: refusal });
  if (isObject(audio)) add('audio', audio, { kind: 'media', media: 'audio' });
}

function addCalls({ tool_calls: calls, function_call: legacy }: Native, add: Add): void {
  for (const block of listOf(calls)) add('call', block, callPart(block));
  if (!isObject(legacy)) return;
  add('call', legacy, toolCall(legacyCallId(legacy['name']), legacy['name'], legacy['arguments']));
}

function callPart(call: unknown): Part {
  if (!isObject(call)) return opaquePart(call);
  const { id, function: fn, custom } = call;
  if (isObject(fn)) return toolCall(id, fn['name'], fn['arguments']);
  return isObject(custom) ? toolCall(id, custom['name'], custom['input']) : opaquePart(call);
}

function toolCall(callId: unknown, name: unknown, input: unknown): ToolCallPart {
  return { kind: 'tool-call', callId: stringOf(callId), name: stringOf(name), input: jsonOf(input) };
}
