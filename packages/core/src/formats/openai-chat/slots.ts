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

/**
 * What a message is made of, in the order of its parts: thinking, content (a string is one part, an array one part per
 * entry), refusal, audio, tool calls, legacy function call. Only an assistant has more than content.
 */
export function slotsOf(native: Native): readonly Slot[] {
  const slots: Slot[] = [];
  const isAssistant = native['role'] === 'assistant';
  if (isAssistant) addReasoning(slots, native);
  addContent(slots, native['content']);
  if (isAssistant) {
    addAnswer(slots, native);
    addCalls(slots, native);
  }
  return slots;
}

/** The id under which a legacy call and its result find each other, since that dialect has none. */
export function legacyCallId(name: unknown): string {
  return `function:${stringOf(name)}`;
}

function addReasoning(slots: Slot[], native: Native): void {
  if (!REASONING_FIELDS.some((field) => native[field])) return;
  const values = REASONING_FIELDS.map((field) => native[field]);
  const text = values.map(thinkingText).find((found) => found !== '') ?? '';
  const bound = values.some((value) => listOf(value).some(isSigned));
  if (text === '' && !values.some((value) => listOf(value).length > 0)) return;
  slots.push({ field: 'reasoning', block: undefined, part: { kind: 'reasoning', text, bound } });
}

function addContent(slots: Slot[], content: unknown): void {
  if (content === null || content === undefined) return;
  const blocks: readonly unknown[] = Array.isArray(content) ? content : [content];
  for (const block of blocks) slots.push({ field: 'content', block, part: blockPart(block) });
}

function addAnswer(slots: Slot[], { refusal, audio }: Native): void {
  if (typeof refusal === 'string') {
    slots.push({ field: 'refusal', block: refusal, part: { kind: 'text', text: refusal } });
  }
  if (isObject(audio)) slots.push({ field: 'audio', block: audio, part: { kind: 'media', media: 'audio' } });
}

function addCalls(slots: Slot[], { tool_calls: calls, function_call: legacy }: Native): void {
  for (const block of listOf(calls)) slots.push({ field: 'call', block, part: callPart(block) });
  if (!isObject(legacy)) return;
  const part = toolCall(legacyCallId(legacy['name']), legacy['name'], legacy['arguments']);
  slots.push({ field: 'call', block: legacy, part });
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
