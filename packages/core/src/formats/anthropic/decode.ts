import type { Message, OpaquePart, Part, Role } from '../../model/message.ts';
import { jsonOf } from '../../model/text.ts';
import { calledName, isObject, type Native, sealedBy, stringOf } from '../native.ts';
import { readContent, shownBy } from './content.ts';

/** Reads one native message: one part per content block, in order. */
export function decode(native: unknown, before: readonly Message[]): Message {
  const role = isObject(native) ? roleOf(native['role']) : undefined;
  const content = isObject(native) ? native['content'] : undefined;
  if (role !== undefined && typeof content === 'string') {
    return { role, parts: [{ kind: 'text', text: content }], native };
  }
  if (role !== undefined && Array.isArray(content)) return { role, parts: decodeBlocks(content, before), native };
  return { role: 'other', parts: [opaque(native)], native };
}

/** Reads one content block; what it does not know becomes an opaque part. */
export function decodeBlock(block: unknown): Part {
  if (!isObject(block)) return opaque(block);
  const shown = shownBy(block);
  if (typeof shown === 'string') return { kind: 'text', text: shown };
  if (shown !== undefined) return { kind: 'media', ...shown };
  return decodeTalk(block) ?? decodeTool(block) ?? opaque(block);
}

function roleOf(role: unknown): Role | undefined {
  // `system` inside messages is a beta of the API (A15).
  return role === 'user' || role === 'assistant' || role === 'system' ? role : undefined;
}

function decodeBlocks(blocks: readonly unknown[], before: readonly Message[]): readonly Part[] {
  const parts = Array.from(blocks, (block) => decodeBlock(block));
  if (!parts.some(({ kind }) => kind === 'tool-result')) return parts;
  return parts.map((part) =>
    part.kind === 'tool-result' ? { ...part, name: calledName(part.callId, before, parts) } : part,
  );
}

function decodeTalk(block: Native): Part | undefined {
  switch (block['type']) {
    case 'text':
      return typeof block['text'] === 'string' ? { kind: 'text', text: block['text'] } : undefined;
    case 'thinking':
      return { kind: 'reasoning', text: stringOf(block['thinking']), bound: true };
    case 'redacted_thinking':
      return { kind: 'reasoning', text: '', bound: true, ...sealedBy(block['data']) };
    default:
      return undefined;
  }
}

function decodeTool(block: Native): Part | undefined {
  const { type, id, name, input, tool_use_id: callId, content } = block;
  if (type === 'tool_use' || type === 'server_tool_use' || type === 'mcp_tool_use') {
    if (typeof id !== 'string') return undefined;
    return { kind: 'tool-call', callId: id, name: stringOf(name), input: jsonOf(input) };
  }
  if (!stringOf(type).endsWith('tool_result') || typeof callId !== 'string') return undefined;
  const isError = block['is_error'] === true || (isObject(content) && stringOf(content['type']).endsWith('_error'));
  return { kind: 'tool-result', callId, name: '', isError, ...readContent(content) };
}

function opaque(value: unknown): OpaquePart {
  const type = isObject(value) ? stringOf(value['type']) : '';
  return { kind: 'opaque', type: type || 'unknown', size: jsonOf(value).length, compaction: type === 'compaction' };
}
