import type { Message, Part } from 'epitome';
import { redactSecrets } from 'epitome/secrets';

/** Messages without secrets, to make from them what is printed: a value by itself would not be known as one. */
export function clearMessages(messages: readonly Message[]): readonly Message[] {
  return messages.map((message) => ({ ...message, parts: message.parts.map(clearPart) }));
}

function clearPart(part: Part): Part {
  if (part.kind === 'tool-call') return { ...part, input: redactSecrets(part.input).text };
  return 'text' in part ? { ...part, text: redactSecrets(part.text).text } : part;
}
