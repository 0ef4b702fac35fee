import type { Message } from 'epitome';
import { defined, isObject, textOf } from '../model/json.ts';
import { parseText } from '../pieces/bytes.ts';
import { weigh } from './shares.ts';
import type { Weights } from './timeline.ts';

/** One of the heaviest messages. */
export type BigMessage = {
  readonly index: number;
  readonly role: string;
  readonly tool?: string;
  readonly tokens: number;
  /** What its call was about, else how it begins. */
  readonly begins: string;
};

/** A text that is there more than once. `tokens` counts what all but one of them weigh. */
export type Duplicate = {
  readonly times: number;
  readonly tokens: number;
  readonly tool?: string;
  readonly begins: string;
};

const MOST_SHOWN = 8;

/** The heaviest messages. */
export function biggestOf(messages: readonly Message[], weights: Weights): readonly BigMessage[] {
  const sized = weights.map((parts, index) => ({
    index,
    parts,
    tokens: parts.reduce((sum, { tokens }) => sum + tokens, 0),
  }));
  const top = sized.sort((one, other) => other.tokens - one.tokens).slice(0, MOST_SHOWN);
  const subjects = subjectsOf(messages);
  return top.map(({ index, parts, tokens }) => {
    const tool = heaviestTool(parts);
    const message = messages[index];
    const begins = subjectIn(message, subjects) ?? firstWords(message);
    return { index, role: message?.role ?? '', ...defined({ tool }), tokens, begins };
  });
}

/** The tool of the heaviest call or result: the one that the message is heavy by. */
function heaviestTool(parts: Weights[number]): string | undefined {
  const used = parts.filter(({ tool }) => tool !== undefined);
  return used.toSorted((one, other) => other.tokens - one.tokens)[0]?.tool;
}

/** What each call was about: the file, the command, what was looked for. */
function subjectsOf(messages: readonly Message[]): ReadonlyMap<string, string> {
  const subjects = new Map<string, string>();
  for (const { parts } of messages) {
    for (const part of parts) if (part.kind === 'tool-call') subjects.set(part.callId, subjectOf(part.input));
  }
  return subjects;
}

const SUBJECTS = ['file_path', 'filePath', 'absolute_path', 'path', 'command', 'cmd', 'pattern', 'query', 'url'];

function subjectOf(input: string): string {
  const value = parseText(input).value;
  if (!isObject(value)) return input.slice(0, LONGEST);
  const found = SUBJECTS.map((key) => value[key]).find((text) => text !== undefined) ?? Object.values(value)[0];
  return textOf(Array.isArray(found) ? found.join(' ') : found).slice(0, LONGEST);
}

/** The subject of the heaviest result of a message; a result says less of itself than what was asked for. */
function subjectIn(message: Message | undefined, subjects: ReadonlyMap<string, string>): string | undefined {
  const results = (message?.parts ?? []).flatMap((part) => (part.kind === 'tool-result' ? [part] : []));
  const [heaviest] = results.sort((one, other) => other.text.length - one.text.length);
  return heaviest === undefined ? undefined : subjects.get(heaviest.callId) || undefined;
}

// Shorter texts (`ok`, an empty result) are no waste worth a line.
const LEAST_DUPLICATE = 200;

/** Long texts that are there more than once, the most wasteful first. */
export function duplicatesOf(messages: readonly Message[]): readonly Duplicate[] {
  const seen = new Map<string, { times: number; tool?: string; call?: string }>();
  for (const { parts } of messages) {
    for (const part of parts) {
      if ((part.kind !== 'text' && part.kind !== 'tool-result') || part.text.length < LEAST_DUPLICATE) continue;
      const times = (seen.get(part.text)?.times ?? 0) + 1;
      const from = part.kind === 'tool-result' ? { tool: part.name, call: part.callId } : {};
      seen.set(part.text, { times, ...from });
    }
  }
  const twice = [...seen].filter(([, { times }]) => times > 1);
  const subjects = subjectsOf(messages);
  const found = twice.map(([text, { times, tool, call = '' }]) => {
    const [weighed] = weigh({ role: 'user', parts: [{ kind: 'text', text }], native: undefined });
    const tokens = (times - 1) * (weighed?.tokens ?? 0);
    return { times, tokens, ...defined({ tool }), begins: subjects.get(call) || text.slice(0, LONGEST) };
  });
  return found.sort((one, other) => other.tokens - one.tokens).slice(0, MOST_SHOWN);
}

const LONGEST = 200;

/** How a message begins, in the words that matter. */
function firstWords(message: Message | undefined): string {
  for (const part of message?.parts ?? []) {
    if ((part.kind === 'text' || part.kind === 'tool-result') && part.text.trim() !== '')
      return part.text.trimStart().slice(0, LONGEST);
    if (part.kind === 'tool-call') return `${part.name} ${part.input.slice(0, LONGEST)}`;
  }
  return '';
}

/** How a prompt begins: what the person wrote, without what the program put in front of it in tags. */
export function promptWords(message: Message | undefined): string {
  const text = firstWords(message);
  const bare = text.replace(TAGGED, '').trim();
  return bare === '' ? text.replace(/<[^>]*>/g, ' ').trim() : bare;
}

// Anchored and with one way to match: a text of many openings takes no longer than any other.
const TAGGED = /^(?:<([\w-]+)>[^<]*<\/\1>\s*)+/;
