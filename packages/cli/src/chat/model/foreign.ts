/** Messages as one provider may be sent them, and whether thinking of others was left out. */
export type OwnMessages = { readonly messages: readonly unknown[]; readonly hasForeign: boolean };

/**
 * Leaves out what another provider's model thought: it is signed or sealed for that one alone, and the rest of the message says
 * what came of it.
 */
export function withoutForeignThinking(messages: readonly unknown[], model: string): OwnMessages {
  const provider = model.slice(0, model.indexOf('/'));
  let hasForeign = false;
  const own = messages.map((message) => {
    const { role, content } = message as { role?: unknown; content?: unknown };
    if (role !== 'assistant' || !Array.isArray(content)) return message;
    const parts = content.filter((part: unknown) => !isForeign(part, provider));
    if (parts.length === content.length) return message;
    hasForeign = true;
    return { ...(message as object), content: parts };
  });
  // A message that was nothing but thinking is none any more.
  return { messages: own.filter((message) => !isEmpty(message)), hasForeign };
}

const SEALING: ReadonlySet<string> = new Set(['anthropic', 'openai', 'google']);

function isForeign(part: unknown, provider: string): boolean {
  const { type, providerOptions } = part as { type?: unknown; providerOptions?: object };
  if (type !== 'reasoning') return false;
  const sealedFor = Object.keys(providerOptions ?? {}).filter((name) => SEALING.has(name));
  return SEALING.has(provider) ? !sealedFor.includes(provider) : sealedFor.length > 0;
}

function isEmpty(message: unknown): boolean {
  const { role, content } = message as { role?: unknown; content?: unknown };
  return role === 'assistant' && Array.isArray(content) && content.length === 0;
}
