import { type FormatName, formats, type Message } from 'epitome';
import { isObject, type JsonObject } from '../model/json.ts';
import { type Losses, NO_LOSSES, type Passage, passagesOf } from './passages.ts';
import { writeAiSdk } from './writers/ai-sdk.ts';
import { writeAnthropic } from './writers/anthropic.ts';
import { writeGemini } from './writers/gemini.ts';
import { writeOpenaiChat } from './writers/openai-chat.ts';
import { writeOpenaiResponses } from './writers/openai-responses.ts';
import type { Writer, Written } from './writers/writer.ts';

/** Messages in another format, and what that took. */
export type Converted = Written & { readonly losses: Losses };

/** Writes messages in another format. What is bound to its provider (signed thinking, hosted tools) stays behind. */
export function convertMessages(natives: readonly unknown[], from: FormatName, to: FormatName): Converted {
  const { passages, losses } = passagesOf(decodeAll(natives, from), from);
  return { ...WRITERS[to](passages.map(withoutNatives)), losses };
}

function withoutNatives({ natives: _natives, ...passage }: Passage): Passage {
  return passage;
}

const WRITERS: Readonly<Record<FormatName, Writer>> = {
  'openai-chat': writeOpenaiChat,
  'openai-responses': writeOpenaiResponses,
  anthropic: writeAnthropic,
  gemini: writeGemini,
  'ai-sdk': writeAiSdk,
};

/** Messages that a provider takes, and what was put right. */
export type Repaired = { readonly messages: readonly unknown[]; readonly losses: Losses };

/**
 * Puts right what sessions that were broken off leave behind: calls without results, results without calls or away from
 * them, blank texts. A list without faults comes back as it is, and every message that needs nothing is the very same.
 */
export function repairMessages(natives: readonly unknown[], format: FormatName): Repaired {
  if (!hasErrors(natives, format)) return { messages: natives, losses: NO_LOSSES };
  const clean = natives.flatMap((native) => withoutBlanks(native, format));
  if (!hasErrors(clean, format)) return { messages: clean, losses: NO_LOSSES };
  const { passages, losses } = passagesOf(decodeAll(clean, format), format);
  const { messages } = WRITERS[format](passages);
  return { messages, losses: { ...losses, reasoning: 0, opaque: 0 } };
}

/** Reads native messages as core's neutral ones. */
export function decodeAll(natives: readonly unknown[], format: FormatName): readonly Message[] {
  const messages: Message[] = [];
  for (const native of natives) messages.push(formats[format].decode(native, messages));
  return messages;
}

function hasErrors(natives: readonly unknown[], format: FormatName): boolean {
  return formats[format].validate(natives).some(({ severity }) => severity === 'error');
}

/** Anthropic's API takes no text that is blank, nor a message without content. */
function withoutBlanks(native: unknown, format: FormatName): readonly unknown[] {
  if (format !== 'anthropic' || !isObject(native)) return [native];
  const { content } = native;
  if (typeof content === 'string') return content.trim() === '' ? [] : [native];
  if (!Array.isArray(content)) return [native];
  const kept = content.filter((block) => !isBlank(block));
  if (kept.length === content.length) return content.length === 0 ? [] : [native];
  return kept.length === 0 ? [] : [{ ...native, content: kept } satisfies JsonObject];
}

function isBlank(block: unknown): boolean {
  return (
    isObject(block) && block['type'] === 'text' && typeof block['text'] === 'string' && block['text'].trim() === ''
  );
}
