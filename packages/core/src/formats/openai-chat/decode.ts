import type { Fixed } from '../../model/format.ts';
import type { Media, Message, Part, Role, ToolResultPart } from '../../model/message.ts';
import { jsonOf } from '../../model/text.ts';
import { fixedParts } from '../fixed.ts';
import { calledName, isObject, type Native, stringOf } from '../native.ts';
import { mediaOf, opaquePart } from './blocks.ts';
import { legacyCallId, partsOf } from './slots.ts';

const ROLES: ReadonlyMap<unknown, Role> = new Map<unknown, Role>([
  ['system', 'system'],
  ['developer', 'system'],
  ['user', 'user'],
  ['assistant', 'assistant'],
  ['tool', 'tool'],
  ['function', 'tool'],
]);

/** The neutral role of a native message, `other` for what is no message of this dialect. */
export function roleOf(native: unknown): Role {
  return (isObject(native) ? ROLES.get(native['role']) : undefined) ?? 'other';
}

/** Reads one chat completion message. */
export function decode(native: unknown, before: readonly Message[]): Message {
  const role = roleOf(native);
  if (!isObject(native) || role === 'other') return { role: 'other', parts: [opaquePart(native)], native };
  if (role === 'tool') return { role, parts: [resultPart(native, before)], native };
  const { content, name } = native;
  const parts: readonly Part[] =
    role === 'user' && typeof content === 'string' ? [{ kind: 'text', text: content }] : partsOf(native);
  return typeof name === 'string' ? { role, name, parts, native } : { role, parts, native };
}

/** System prompt (a string, content blocks or whole messages) and tool schemas as parts. */
export function decodeFixed(fixed: Fixed): readonly Part[] {
  return fixedParts(fixed, (entry) => {
    const content = isObject(entry) && 'content' in entry ? entry['content'] : [entry];
    return partsOf({ role: 'system', content });
  });
}

function resultPart(native: Native, before: readonly Message[]): ToolResultPart {
  const { role, name, tool_call_id, content, is_error } = native;
  const callId = role === 'function' ? legacyCallId(name) : stringOf(tool_call_id);
  return {
    kind: 'tool-result',
    callId,
    name: stringOf(name) || calledName(callId, before),
    // Not in OpenAI's own schema, but transcripts and gateways carry it.
    isError: is_error === true,
    ...resultBody(content),
  };
}

function resultBody(content: unknown): { readonly text: string; readonly media: readonly Media[] } {
  if (!Array.isArray(content)) return { text: jsonOf(content ?? ''), media: [] };
  const texts: string[] = [];
  const media: Media[] = [];
  for (const block of content as readonly unknown[]) {
    const found = isObject(block) ? mediaOf(block) : undefined;
    if (found !== undefined) media.push(found);
    else texts.push(isObject(block) && typeof block['text'] === 'string' ? block['text'] : jsonOf(block));
  }
  return { text: texts.join('\n'), media };
}
