import { convertMessages } from '@epitome/transcripts';
import { FORMAT_NAMES, type FormatName, formats } from 'epitome';
import { UsageError } from '../errors.ts';
import type { Conversation } from '../input/conversation.ts';
import { isObject } from '../input/json.ts';

/** Forms a conversation can be written in. */
const TARGETS: readonly Target[] = [...FORMAT_NAMES, 'markdown'];
/** A format, or a document for people. */
export type Target = FormatName | 'markdown';

/** Reads the value of `--to`. */
export function readTarget(text: string | undefined): Target | undefined {
  if (text === undefined) return undefined;
  const target = TARGETS.find((name) => name === text);
  if (target !== undefined) return target;
  throw new UsageError(`--to takes ${TARGETS.join(', ')}, not ${JSON.stringify(text)}.`);
}

/** A request as the provider's API takes it, and what to say about it. */
export type Request = { readonly value: object; readonly notes: readonly string[] };

/** Messages of a conversation as a request in a format. */
export function requestIn(to: FormatName, conversation: Conversation, messages: readonly unknown[]): Request {
  const { format } = conversation;
  const fixed = systemText(conversation);
  if (to === format) {
    const own = to === 'anthropic' ? withJoinedResults(messages) : messages;
    return { value: envelope(to, own.map(withoutExtras), fixed), notes: [] };
  }
  const { messages: written, system, losses } = convertMessages(messages, format, to);
  const notes = [
    ...(losses.reasoning > 0 ? [`${losses.reasoning} pieces of thinking left out: ${to} does not take them`] : []),
    ...(losses.opaque > 0 ? [`${losses.opaque} blocks of ${format} left out`] : []),
  ];
  const broken = formats[to].validate(written).filter(({ severity }) => severity === 'error');
  const faults = broken.slice(0, 3).map(({ at, rule, detail }) => `message ${at} breaks rule ${rule}: ${detail}`);
  return {
    value: envelope(to, written, [fixed, system ?? ''].filter(Boolean).join('\n\n')),
    notes: [...notes, ...faults],
  };
}

function systemText({ format, system }: Conversation): string {
  const parts = formats[format].decodeFixed({ system });
  return parts.map((part) => (part.kind === 'text' ? part.text : '')).join('\n');
}

/** The results of parallel calls in one message, as the API wants them; agents write them down as they come in. */
function withJoinedResults(messages: readonly unknown[]): readonly unknown[] {
  const joined: unknown[] = [];
  for (const message of messages) {
    const before = resultsIn(joined.at(-1));
    const results = resultsIn(message);
    if (before === undefined || results === undefined) joined.push(message);
    else joined[joined.length - 1] = { role: 'user', content: [...before, ...results] };
  }
  return joined;
}

/** The blocks of a message that holds results and nothing else. */
function resultsIn(message: unknown): readonly unknown[] | undefined {
  if (!isObject(message) || message['role'] !== 'user' || !Array.isArray(message['content'])) return undefined;
  const blocks: readonly unknown[] = message['content'];
  return blocks.length > 0 && blocks.every((block) => isObject(block) && block['type'] === 'tool_result')
    ? blocks
    : undefined;
}

// Readers note what a tool said of itself; the API takes no such fields.
function withoutExtras(message: unknown): unknown {
  if (!isObject(message) || !('is_error' in message || 'reasoning_content' in message)) return message;
  const { is_error: _error, reasoning_content: _reasoning, ...rest } = message;
  return rest;
}

function envelope(format: FormatName, messages: readonly unknown[], system: string): object {
  switch (format) {
    case 'openai-chat':
      return { messages: system === '' ? messages : [{ role: 'system', content: system }, ...messages] };
    case 'openai-responses':
      return { ...(system === '' ? {} : { instructions: system }), input: messages };
    case 'gemini':
      return { ...(system === '' ? {} : { systemInstruction: { parts: [{ text: system }] } }), contents: messages };
    case 'anthropic':
    case 'ai-sdk':
      return { ...(system === '' ? {} : { system }), messages };
    default:
      return format satisfies never;
  }
}
