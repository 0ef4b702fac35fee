import type { Fixed } from '../../model/format.ts';
import type { Message, Part, ReasoningPart, Role, TextPart } from '../../model/message.ts';
import { jsonOf } from '../../model/text.ts';
import { fixedParts } from '../fixed.ts';
import { calledName, isObject, listOf, type Native, sealedBy, stringOf } from '../native.ts';
import { blockText, decodeBlock, opaqueOf } from './content.ts';
import { callIdOf, itemKind } from './items.ts';
import { readOutput } from './output.ts';

const ROLES: ReadonlyMap<unknown, Role> = new Map<unknown, Role>([
  ['user', 'user'],
  ['assistant', 'assistant'],
  ['system', 'system'],
  ['developer', 'system'],
]);

const INPUT_FIELDS = ['arguments', 'input', 'action', 'actions', 'operation', 'code'] as const;

/**
 * One input item as one message. Parts map by index: `parts[i]` of a message item is `content[i]` (text content is one
 * part); every other item is `parts[0]`, and what an output holds beyond text and media follows as opaque parts.
 */
export function decode(native: unknown, before: readonly Message[]): Message {
  if (typeof native === 'string') return { role: 'user', parts: [textOf(native)], native };
  if (!isObject(native)) return { role: 'other', parts: [opaqueOf(native)], native };
  switch (itemKind(native)) {
    case 'message':
      return decodeMessage(native);
    case 'reasoning':
      return { role: 'assistant', parts: [reasoningOf(native)], native };
    case 'call':
      return { role: 'assistant', parts: [callOf(native)], native };
    case 'output':
      return { role: 'tool', parts: resultOf(native, before), native };
    case 'hosted':
      return { role: 'assistant', parts: hostedOf(native, before), native };
    case 'compaction':
      return { role: 'assistant', parts: [{ ...opaqueOf(native), compaction: true }], native };
    case 'reference':
    case 'unknown':
      return { role: 'other', parts: [opaqueOf(native)], native };
  }
}

/** Instructions (text, content blocks or message items) and tool schemas as parts. */
export function decodeFixed(fixed: Fixed): readonly Part[] {
  return fixedParts(fixed, (entry) =>
    isObject(entry) && itemKind(entry) === 'message' ? contentParts(entry['content']) : [decodeBlock(entry)],
  );
}

function decodeMessage(native: Native): Message {
  const role = ROLES.get(native['role']);
  if (role === undefined) return { role: 'other', parts: [opaqueOf(native)], native };
  return { role, parts: contentParts(native['content']), native };
}

function contentParts(content: unknown): readonly Part[] {
  if (typeof content === 'string') return [textOf(content)];
  if (content === undefined || content === null) return [];
  return Array.isArray(content) ? Array.from(content, decodeBlock) : [opaqueOf(content)];
}

function textOf(text: string): TextPart {
  return { kind: 'text', text };
}

// The visible part only: `encrypted_content` is no text (law 21).
function reasoningOf(native: Native): ReasoningPart {
  return { kind: 'reasoning', text: thoughtOf(native), bound: false, ...sealedBy(native['encrypted_content']) };
}

function thoughtOf(native: Native): string {
  return [...listOf(native['summary']), ...listOf(native['content'])]
    .flatMap((block) => blockText(block) ?? [])
    .join('\n');
}

function callOf(native: Native): Part {
  const field = INPUT_FIELDS.find((key) => native[key] !== undefined && native[key] !== null);
  const name = stringOf(native['name']) || stringOf(native['type']).replace('_call', '');
  const input = jsonOf(field === undefined ? native : native[field]);
  return { kind: 'tool-call', callId: callIdOf(native), name, input };
}

function resultOf(native: Native, before: readonly Message[]): readonly Part[] {
  const callId = callIdOf(native);
  // Approved is not run: the provider does that next. Denied is all the answer there will be.
  if (native['type'] === 'mcp_approval_response' && native['approve'] === true)
    return [{ ...opaqueOf(native), approves: callId }];
  const { text, isError, media, unread } = readOutput(native);
  return [{ kind: 'tool-result', callId, name: calledName(callId, before), text, isError, media }, ...unread];
}

// A call that was approved comes back with its output under the id of the request.
function hostedOf(native: Native, before: readonly Message[]): readonly Part[] {
  const callId = stringOf(native['approval_request_id']);
  const opaque = opaqueOf(native);
  const name = calledName(callId, before);
  if (name === '') return [opaque];
  const { error, output } = native;
  const text = jsonOf(error ?? output ?? '');
  const isError = (error ?? null) !== null;
  const size = Math.max(0, opaque.size - text.length);
  return [
    { ...opaque, size },
    { kind: 'tool-result', callId, name, text, isError, media: [] },
  ];
}
