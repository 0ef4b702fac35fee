import type { Fixed } from '../../model/format.ts';
import type { Message, Part, Role } from '../../model/message.ts';
import { fixedParts } from '../fixed.ts';
import { isObject, LOOK_BACK, listOf, type Native, stringOf } from '../native.ts';
import { blockPart, opaquePart } from './parts.ts';

const ROLES: readonly Role[] = ['system', 'user', 'assistant', 'tool'];

/** The neutral role of a native message, `other` for what is no message of this dialect. */
export function roleOf(native: unknown): Role {
  return (isObject(native) && ROLES.find((role) => role === native['role'])) || 'other';
}

/** Reads one `ModelMessage`: a string is one part, an array one part per entry. */
export function decode(native: unknown, before: readonly Message[]): Message {
  const role = roleOf(native);
  if (!isObject(native) || role === 'other') return { role: 'other', parts: [opaquePart(native)], native };
  return { role, parts: contentParts(native['content'], before), native };
}

/** System prompt (a string or system messages) and tools (a tool set or a list of schemas) as parts. */
export function decodeFixed({ system, tools }: Fixed): readonly Part[] {
  const schemas = isObject(tools) ? Object.entries(tools).map(toolSchema) : tools;
  return fixedParts({ system, tools: schemas }, (entry) =>
    isObject(entry) && 'content' in entry ? contentParts(entry['content']) : [blockPart(entry)],
  );
}

function contentParts(content: unknown, before: readonly Message[] = []): readonly Part[] {
  if (content === undefined || content === null) return [];
  if (typeof content === 'string') return [{ kind: 'text', text: content }];
  if (!Array.isArray(content)) return [opaquePart(content)];
  return content.map((block: unknown) =>
    isObject(block) && block['type'] === 'tool-approval-response'
      ? { ...opaquePart(block), approves: requestedCall(block['approvalId'], before) }
      : blockPart(block),
  );
}

// An approval names its request only, and that its call. Denied or not, the SDK gives the result.
function requestedCall(approvalId: unknown, before: readonly Message[]): string {
  const blocks = before.slice(-LOOK_BACK).flatMap(({ native }) => (isObject(native) ? listOf(native['content']) : []));
  const request = blocks
    .filter(isObject)
    .findLast((block) => block['type'] === 'tool-approval-request' && block['approvalId'] === approvalId);
  return stringOf(request?.['toolCallId']);
}

// A tool set holds functions and schema objects; what goes out is the name, the description and the JSON schema.
function toolSchema([name, tool]: readonly [string, unknown]): Native {
  if (!isObject(tool)) return { name };
  const { description, inputSchema, id, args } = tool;
  if (tool['type'] === 'provider') return { name, id, args };
  return { name, description: stringOf(description), inputSchema: schemaOf(inputSchema) };
}

// Standard JSON Schema (zod 4.2 and others), the SDK's own `jsonSchema()`, or a plain schema.
function schemaOf(schema: unknown): unknown {
  if (!isObject(schema)) return undefined;
  try {
    const standard = schema['~standard'];
    const converter = isObject(standard) ? standard['jsonSchema'] : undefined;
    const convert = isObject(converter) ? converter['input'] : undefined;
    return typeof convert === 'function' ? convert({ target: 'draft-07' }) : (schema['jsonSchema'] ?? schema);
  } catch {
    return undefined;
  }
}
