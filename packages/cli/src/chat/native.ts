import { isObject, type JsonObject } from '../input/json.ts';

/** A message of the AI SDK: who says it, and its parts; plain text is one part. */
export type Native = { readonly role: unknown; readonly parts: readonly JsonObject[] };

/** Reads a message of the AI SDK, whatever it holds. */
export function readNative(message: unknown): Native {
  const { role, content } = isObject(message) ? message : {};
  if (typeof content === 'string') return { role, parts: [{ type: 'text', text: content }] };
  return { role, parts: Array.isArray(content) ? content.filter(isObject) : [] };
}

/** The text of a part that is one; empty for any other. */
export function textOf({ type, text }: JsonObject): string {
  return type === 'text' && typeof text === 'string' ? text : '';
}
