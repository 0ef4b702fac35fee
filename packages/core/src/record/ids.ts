import { hasPayload, type Message, type Part } from '../model/message.ts';
import { addCode, addText, hashName, jsonOf, newHash, type TextHash } from '../model/text.ts';

/**
 * Ids by a hash chain: a message's id depends on everything in front of it, so a history that is sent again is recognised
 * by its prefix and an edited one is a branch.
 */
export function chainIds(messages: readonly Message[]): readonly string[] {
  const ids: string[] = [];
  extendIds(ids, messages);
  return ids;
}

/** Adds the ids of all messages that have none yet. */
export function extendIds(ids: string[], messages: readonly Message[]): void {
  const hash = newHash(ids.at(-1));
  for (let index = ids.length; index < messages.length; index += 1) {
    const message = messages[index];
    if (message !== undefined) ids.push(idBehind(hash, message));
  }
}

/** The id of a message behind another one. */
export function nextId(previous: string, message: Message): string {
  return idBehind(newHash(previous), message);
}

function idBehind(hash: TextHash, message: Message): string {
  addCode(hash, CODES[message.role]);
  // Payloads of media and opaque blocks are only in the native message.
  if (message.parts.some(hasPayload)) addText(hash, jsonOf(message.native));
  else for (const part of message.parts) addPart(hash, part);
  return hashName(hash);
}

const CODES: Readonly<Record<Message['role'] | Part['kind'], number>> = {
  system: 1,
  user: 2,
  assistant: 3,
  tool: 4,
  other: 5,
  text: 6,
  reasoning: 7,
  'tool-call': 8,
  'tool-result': 9,
  media: 10,
  opaque: 11,
};

function addPart(hash: TextHash, part: Part): void {
  addCode(hash, CODES[part.kind]);
  if (part.kind === 'tool-call' || part.kind === 'tool-result') addText(hash, part.callId);
  if (part.kind === 'tool-call') addText(hash, part.name);
  if (part.kind === 'tool-call') addText(hash, part.input);
  else if ('text' in part) addText(hash, part.text);
}
