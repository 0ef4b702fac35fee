import { hasPayload, type Message, type Part } from '../model/message.ts';
import { hashText, jsonOf } from '../model/text.ts';

/**
 * Ids by a hash chain: a message's id depends on everything in front of it, so a history that is sent again is recognised
 * by its prefix and an edited one is a branch.
 */
export function chainIds(messages: readonly Message[]): readonly string[] {
  const ids: string[] = [];
  for (const message of messages) ids.push(nextId(ids.at(-1) ?? '', message));
  return ids;
}

/** The id of a message behind another one. */
export function nextId(previous: string, message: Message): string {
  return hashText(contentOf(message), previous);
}

function contentOf(message: Message): string {
  // Parts hold all there is of a plain message; payloads of media and opaque blocks are only in the native one.
  if (message.parts.some(hasPayload)) return `${message.role}\u0000${jsonOf(message.native)}`;
  let content: string = message.role;
  for (const part of message.parts) content += `\u0000${part.kind}\u0000${textOf(part)}`;
  return content;
}

function textOf(part: Part): string {
  switch (part.kind) {
    case 'tool-call':
      return `${part.callId}\u0000${part.name}\u0000${part.input}`;
    case 'tool-result':
      return `${part.callId}\u0000${part.text}`;
    case 'text':
    case 'reasoning':
      return part.text;
    case 'media':
    case 'opaque':
      return part.kind;
    default:
      return part satisfies never;
  }
}
