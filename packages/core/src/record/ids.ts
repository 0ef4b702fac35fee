import { hasPayload, type Message } from '../model/message.ts';
import { hashTexts, jsonOf } from '../model/text.ts';

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
  const texts: string[] = [previous, message.role];
  for (const part of message.parts) {
    // Payloads of media and opaque blocks are only in the native message.
    if (hasPayload(part)) return hashTexts([previous, message.role, jsonOf(message.native)]);
    texts.push(part.kind);
    if (part.kind === 'tool-call') texts.push(part.callId, part.name, part.input);
    if (part.kind === 'tool-result') texts.push(part.callId);
    if (part.kind === 'text' || part.kind === 'reasoning' || part.kind === 'tool-result') texts.push(part.text);
  }
  return hashTexts(texts);
}
