import { isObject, type JsonObject } from '../../input/json.ts';
import { readNative } from '../native.ts';

/** Messages as one provider may be sent them, and whether thinking of others was left out. */
export type OwnMessages = { readonly messages: readonly unknown[]; readonly hasForeign: boolean };

/**
 * Leaves out what another provider's model thought: it is signed or sealed for that one alone, and the rest of the message says
 * what came of it.
 */
export function withoutForeignThinking(messages: readonly unknown[], model: string): OwnMessages {
  const provider = model.slice(0, model.indexOf('/'));
  let hasForeign = false;
  const kept = messages.map((message) => {
    const { role, parts } = readNative(message);
    const own = parts.filter((part) => !isForeign(part, provider));
    if (role !== 'assistant' || own.length === parts.length || !isObject(message)) return message;
    hasForeign = true;
    return { ...message, content: own };
  });
  // A message that was nothing but thinking is none any more.
  return { messages: kept.filter((message) => !isEmpty(message)), hasForeign };
}

const SEALING: ReadonlySet<string> = new Set(['anthropic', 'openai', 'google']);

function isForeign({ type, providerOptions }: JsonObject, provider: string): boolean {
  if (type !== 'reasoning') return false;
  const sealedFor = Object.keys(isObject(providerOptions) ? providerOptions : {}).filter((name) => SEALING.has(name));
  return SEALING.has(provider) ? !sealedFor.includes(provider) : sealedFor.length > 0;
}

function isEmpty(message: unknown): boolean {
  const { role, parts } = readNative(message);
  return role === 'assistant' && parts.length === 0;
}
