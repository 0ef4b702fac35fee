import type { InsertedMessage, Message, Part, PartEdit } from '../../model/message.ts';
import { isObject } from '../native.ts';
import { contentOf, dataOf } from './fields.ts';

/** A content of one text part. */
export function compose({ role, text }: InsertedMessage): unknown {
  return { role: role === 'user' ? 'user' : 'model', parts: [{ text }] };
}

/**
 * The native content with the edits made; a rewritten text keeps its signature, a replaced block takes it along. Calls
 * are never edited; empty text (rule G5) leaves the block out. Without a part that says something nothing is left.
 */
export function edit(message: Message, edits: readonly PartEdit[]): unknown {
  const { native, parts } = message;
  const changes = new Map(
    edits.flatMap(({ part, text }) => {
      const kind = parts[part]?.kind;
      const isEmpty = text === '' && kind !== 'tool-result';
      return kind === undefined || kind === 'tool-call' ? [] : [[part, isEmpty ? null : text] as const];
    }),
  );
  if (changes.size === 0) return native;
  const content = contentOf(native);
  if (!content || !isObject(native)) return changes.get(0) === null ? undefined : native;
  const isLeft = (part: Part, at: number): boolean =>
    changes.get(at) !== null && (changes.has(at) || saysSomething(part));
  if (!parts.some((part, at) => part.kind !== 'reasoning' && isLeft(part, at))) return undefined;
  const kept = content.parts.flatMap((part, at) => {
    const text = changes.get(at);
    return text === null ? [] : [text === undefined ? part : rewrite(part, parts[at], text)];
  });
  return { ...native, parts: kept };
}

function saysSomething(part: Part): boolean {
  return part.kind !== 'text' || part.text !== '';
}

function rewrite(native: unknown, part: Part | undefined, text: string): unknown {
  const data = dataOf(native)[0];
  if (!isObject(native)) return { text };
  if (part?.kind === 'text' || part?.kind === 'reasoning') return { ...native, text };
  if (part?.kind !== 'tool-result' || !data || !isObject(data.value)) return { text };
  const { parts: _media, ...response } = data.value;
  return { ...native, [data.key]: { ...response, response: { [part.isError ? 'error' : 'output']: text } } };
}
