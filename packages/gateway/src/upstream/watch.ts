import { StringDecoder } from 'node:string_decoder';
import { createParser } from 'eventsource-parser';
import type { DialectRules } from '../dialects/rules.ts';
import { sealsIn } from '../dialects/seals.ts';
import { fieldsOf, parsed } from '../json/values.ts';
import type { AnswerFacts, Usage } from '../model/report.ts';

/** Looks over an answer on its way to the client, and never changes it. */
export type Watch = {
  readonly see: (chunk: Buffer) => void;
  /** What was seen, once the answer has ended. */
  readonly seen: () => Seen;
  /** Whether the protocol's own end was seen. */
  readonly isEnded: () => boolean;
  /** The words that came, for an answer of which no more comes; their beginning, where they are many. */
  readonly words: () => string;
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
  const came: string[] = [];
  let remembered = 0;
  const parser = createParser({
    onEvent: ({ event, data }) => {
      isEnded ||= rules.isEnd(event === undefined ? { data } : { name: event, data });
      for (const seal of sealsIn(data)) seals.add(seal);
      remembered += data.length;
      if (remembered <= MOST_REMEMBERED) came.push(data);
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
      return came.map((data) => rules.wordsOf(fieldsOf(parsed(data)))).join('');
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
  };
}

function whole(usage: Partial<Usage>): Pick<Seen, 'usage'> {
  const { input, ...rest } = usage;
  return input === undefined ? {} : { usage: { input, ...rest } };
}
