import { type Detected, detectFormat, evidenceOf, type Session } from '@epitome/transcripts';
import { type FormatName, formatNamed } from 'epitome';
import { holdsServerState } from 'epitome/server-state';
import { UsageError } from '../errors.ts';
import { isObject, type JsonObject, kindOf, listOf, parseJson } from './json.ts';
import type { Source } from './read.ts';

/** A conversation: the messages, and what goes out with them. */
type Told = {
  readonly format: FormatName;
  readonly formatBasis: 'given' | Detected['basis'];
  readonly messages: readonly unknown[];
  readonly system?: unknown;
  readonly tools?: unknown;
  readonly model?: string;
  /** The provider holds a part of it: nothing here may be cut. */
  readonly isKeptByServer?: true;
};

/** A conversation as an API takes it, in the text of its file. */
export type DocumentConversation = Told & {
  readonly kind: 'document';
  readonly source: Source;
  /** The key of the messages in the object around them; absent for a bare array. */
  readonly key?: string;
};

/** One session of an agent, or messages in lines. */
export type SessionConversation = Told & {
  readonly kind: 'session';
  readonly session: Session;
  /** Messages that tell nothing of what was done, such as examples. */
  readonly asides: ReadonlySet<unknown>;
  /** What there is to say about how it was read. */
  readonly notes: readonly string[];
};

/** A session of a file, its number there, and how many the file has. */
export type Picked = { readonly session: Session; readonly number: number; readonly count: number };

/** A conversation as a file holds it. */
export type Conversation = DocumentConversation | SessionConversation;

/** Reads a conversation: an array of messages, or an object as the provider's API takes it. */
export function parseConversation(source: Source, given: string | undefined): DocumentConversation {
  const value = parseJson(source);
  const envelope = isObject(value) ? value : undefined;
  const { key, messages } = locate(source, value);
  const { format, basis } = formatOf(given, messages, envelope);
  check(source, format, messages);
  return {
    kind: 'document',
    source,
    format,
    formatBasis: basis,
    messages,
    ...(key === undefined ? {} : { key }),
    ...(envelope === undefined ? {} : fixedOf(envelope)),
    ...(holdsServerState({ format, body: envelope ?? {}, messages }) ? { isKeptByServer: true } : {}),
  };
}

// `history` is what checkpoints of Gemini CLI have.
const KEYS = ['messages', 'input', 'contents', 'history'] as const;

function locate({ name }: Source, value: unknown): { readonly key?: string; readonly messages: readonly unknown[] } {
  if (Array.isArray(value)) return { messages: value };
  if (!isObject(value)) throw new UsageError(`${name} holds ${kindOf(value)}; ${EXPECTED}`);
  const key = KEYS.find((candidate) => candidate in value);
  if (key === undefined) {
    const found = Object.keys(value).slice(0, 5).join(', ') || 'nothing';
    throw new UsageError(`${name} holds an object without messages, input or contents (it has ${found}); ${EXPECTED}`);
  }
  const messages = value[key];
  if (Array.isArray(messages)) return { key, messages };
  // The Responses API takes a text for one user message: there is nothing in it to compact.
  if (key === 'input' && typeof messages === 'string') return { key, messages: [{ role: 'user', content: messages }] };
  throw new UsageError(`${name}: ${key} is ${kindOf(messages)}; it must be an array of messages.`);
}

const EXPECTED = "expected is a JSON array of messages, or an object as the provider's API takes it.";

function formatOf(
  given: string | undefined,
  messages: readonly unknown[],
  envelope: JsonObject | undefined,
): { readonly format: FormatName; readonly basis: Conversation['formatBasis'] } {
  if (given !== undefined) return { format: formatNamed(given).name, basis: 'given' };
  return detectFormat(messages, envelope);
}

// More would not fit Node's default heap once they are decoded.
const MOST_MESSAGES = 1_000_000;

/** Refuses what would be misread: entries that are no messages, or messages of another format. */
function check({ name }: Source, format: FormatName, messages: readonly unknown[]): void {
  if (messages.length > MOST_MESSAGES) {
    throw new UsageError(`${name} has ${messages.length} messages; the most that are read are ${MOST_MESSAGES}.`);
  }
  const misplaced = messages.findIndex((message) => !isObject(message));
  if (misplaced >= 0) {
    throw new UsageError(`${name}: message ${misplaced} is ${kindOf(messages[misplaced])}; it must be an object.`);
  }
  if (messages.length > 0 && !messages.some((message) => isObject(message) && fits(format, message))) {
    const keys = isObject(messages[0]) ? Object.keys(messages[0]).slice(0, 5).join(', ') : '';
    throw new UsageError(`${name}: no entry is a message of ${format}; the first has the keys ${keys || '(none)'}.`);
  }
  const foreign = messages.findIndex((message) => (evidenceOf(message) ?? format) !== format);
  if (foreign >= 0 && !messages.some((message) => evidenceOf(message) === format)) {
    const other = evidenceOf(messages[foreign]);
    throw new UsageError(`${name}: message ${foreign} is one of ${other}, not of ${format}; try --format ${other}.`);
  }
}

function fits(format: FormatName, message: JsonObject): boolean {
  switch (format) {
    case 'gemini':
      // Parts of the AI SDK's UI messages have a type, Gemini's never do.
      return 'parts' in message && !listOf(message['parts']).some((part) => isObject(part) && 'type' in part);
    case 'openai-responses':
      return typeof message['type'] === 'string' || typeof message['role'] === 'string';
    case 'openai-chat':
    case 'anthropic':
    case 'ai-sdk':
      return typeof message['role'] === 'string' && !('parts' in message);
    default:
      return format satisfies never;
  }
}

function fixedOf(envelope: JsonObject): Pick<Told, 'system' | 'tools' | 'model'> {
  // Google's JavaScript SDK takes both inside `config`.
  const config = isObject(envelope['config']) ? envelope['config'] : {};
  const from = { ...config, ...envelope };
  const system = from['system'] ?? from['instructions'] ?? from['systemInstruction'] ?? from['system_instruction'];
  const tools = from['tools'] ?? from['functions'];
  const model = from['model'];
  return {
    ...(system === undefined ? {} : { system }),
    ...(tools === undefined ? {} : { tools }),
    ...(typeof model === 'string' ? { model } : {}),
  };
}
