import { hasPayload, type Message, type Part } from '../model/message.ts';
import { addText, hashName, jsonOf, newHash } from '../model/text.ts';

/**
 * Ids by a hash chain: a message's id depends on everything in front of it, so a history that is sent again is recognised
 * by its prefix and an edited one is a branch.
 */
export function chainIds(messages: readonly Message[]): readonly string[] {
  const ids: string[] = [];
  for (const message of messages) ids.push(nextId(ids.at(-1) ?? '', message));
  return ids;
}

// One hash serves all ids: each begins anew.
const hash = /* @__PURE__ */ newHash();

/** The id of a message behind another one. */
export function nextId(previous: string, message: Message): string {
  newHash(hash);
  addText(hash, previous);
  addText(hash, message.role);
  // Payloads of media and opaque blocks are only in the native message.
  if (message.parts.some(hasPayload)) addText(hash, jsonOf(message.native));
  else for (const part of message.parts) addPart(part);
  return hashName(hash);
}

function addPart(part: Part): void {
  addText(hash, part.kind);
  if (part.kind === 'tool-call' || part.kind === 'tool-result') addText(hash, part.callId);
  if (part.kind === 'tool-call') addText(hash, part.name);
  if (part.kind === 'tool-call') addText(hash, part.input);
  else if ('text' in part) addText(hash, part.text);
}
