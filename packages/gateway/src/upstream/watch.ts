import { StringDecoder } from 'node:string_decoder';
import { estimateTokens } from 'epitome';
import { createParser } from 'eventsource-parser';
import type { DialectRules, StreamEvent } from '../dialects/rules.ts';
import { sealsIn } from '../dialects/seals.ts';
import { fieldsOf, objectsIn, parsed } from '../json/values.ts';
import type { AnswerFacts, Usage } from '../model/report.ts';
import { type Came, tokensIn } from './written.ts';

/** Looks over an answer on its way to the client, and never changes it. */
export type Watch = {
  readonly see: (chunk: Buffer) => void;
  /** What was seen, once the answer has ended. */
  readonly seen: () => Seen;
  /** Whether the protocol's own end was seen. */
  readonly isEnded: () => boolean;
  /** The words that came, for an answer of which no more comes; their beginning, where they are many. */
  readonly words: () => string;
  /** What came, estimated; it reads everything once more. */
  readonly came: () => Came;
};

/** What an answer reported, what it says of itself, and what in it only its model can read. */
type Seen = { readonly usage?: Usage; readonly facts: AnswerFacts; readonly seals: readonly string[] };

/** Forms an answer comes in: events, a JSON value, or chunks in a JSON array as they are made. */
export type AnswerForm = 'events' | 'json' | 'array';

// An answer longer than this is passed on all the same; only its usage stays unknown.
const MOST_CHARACTERS = 16 * 1024 * 1024;

// Events are read in pieces of this size, the last of them when the client has them all: nobody waits for our reading.
const PIECE_BYTES = 64 * 1024;

// What is remembered of events until the end, in case it never comes.
const MOST_REMEMBERED = 256 * 1024;

/** Watches an answer of a dialect. */
export function watch(rules: DialectRules, form: AnswerForm): Watch {
  return form === 'events' ? watchEvents(rules) : watchJson(rules, form);
}

function watchEvents(rules: DialectRules): Watch {
  const decoder = new StringDecoder('utf8');
  const seals = new Set<string>();
  let usage: Partial<Usage> = {};
  let facts: AnswerFacts = {};
  let isFirst = true;
  let isEnded = false;
  const came: StreamEvent[] = [];
  let length = 0;
  let remembered = 0;
  const parser = createParser({
    onEvent: ({ event, data }) => {
      const heard = event === undefined ? { data } : { name: event, data };
      isEnded ||= rules.isEnd(heard);
      for (const seal of sealsIn(data)) seals.add(seal);
      length += data.length;
      if (length <= MOST_REMEMBERED) {
        came.push(heard);
        remembered = length;
      }
      // Most events are a few words of text: only those that can tell something are read.
      if (!isFirst && !TELLING.test(data)) return;
      isFirst = false;
      const value = fieldsOf(parsed(data));
      usage = { ...usage, ...rules.usageOf(value) };
      facts = { ...facts, ...rules.factsOf(value) };
    },
  });
  const pieces = inPieces((piece) => parser.feed(decoder.write(piece)));
  return {
    see: pieces.push,
    seen: () => {
      pieces.flush();
      return { ...whole(usage), facts, seals: [...seals] };
    },
    isEnded: () => {
      pieces.flush();
      return isEnded;
    },
    words: () => {
      pieces.flush();
      return came.map(({ data }) => rules.wordsOf(fieldsOf(parsed(data)))).join('');
    },
    came: () => {
      pieces.flush();
      const output = tokensIn(came.map(({ data }) => rules.writtenIn(fieldsOf(parsed(data)))));
      // What is not remembered is like what is.
      const all = remembered === 0 ? 0 : Math.ceil((output * length) / remembered);
      return { output: all, isFailure: all === 0 && came.some((event) => rules.failureIn(event) !== undefined) };
    },
  };
}

type Pieces = { readonly push: (chunk: Buffer) => void; readonly flush: () => void };

/** Gathers chunks into larger pieces. */
function inPieces(take: (piece: Buffer) => void): Pieces {
  let waiting: Buffer[] = [];
  let size = 0;
  const flush = (): void => {
    if (size === 0) return;
    const piece = Buffer.concat(waiting, size);
    waiting = [];
    size = 0;
    take(piece);
  };
  return {
    push: (chunk) => {
      waiting.push(chunk);
      size += chunk.length;
      if (size >= PIECE_BYTES) flush();
    },
    flush,
  };
}

const TELLING = /sage"|usageMetadata|"finish_?[rR]eason"\s*:\s*"/;

// Tokens of an answer that cannot be read.
const MOST_UNREAD = 4096;

function watchJson(rules: DialectRules, form: AnswerForm): Watch {
  const decoder = new StringDecoder('utf8');
  let text = '';
  return {
    see: (chunk) => {
      if (text.length <= MOST_CHARACTERS) text += decoder.write(chunk);
    },
    seen: () => {
      const value = parsed(text);
      const last = fieldsOf(form === 'array' && Array.isArray(value) ? value.at(-1) : value);
      return { ...whole(rules.usageOf(last) ?? {}), facts: rules.factsOf(last), seals: sealsIn(text) };
    },
    isEnded: () => form === 'json' || text.trimEnd().endsWith(']'),
    // Half a value cannot be read: it is kept as it came.
    words: () => text,
    came: () => {
      const value = parsed(text);
      // Half a value may be an image as well.
      if (value === undefined) return { output: Math.min(estimateTokens(text), MOST_UNREAD), isFailure: false };
      const values = objectsIn(form === 'array' ? value : [value]);
      const output = tokensIn(values.map(rules.writtenIn));
      return { output, isFailure: output === 0 && values.some(({ error }) => (error ?? null) !== null) };
    },
  };
}

function whole(usage: Partial<Usage>): Pick<Seen, 'usage'> {
  const { input, ...rest } = usage;
  return input === undefined ? {} : { usage: { input, ...rest } };
}
