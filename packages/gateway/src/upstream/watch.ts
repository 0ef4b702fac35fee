import { StringDecoder } from 'node:string_decoder';
import { createParser } from 'eventsource-parser';
import { type DialectRules, fieldsOf, parsed } from '../dialects/rules.ts';
import type { Usage } from '../model/report.ts';

/** Looks over an answer on its way to the client, and never changes it. */
export type Watch = {
  readonly see: (chunk: Buffer) => void;
  /** What was reported, once the answer has ended. */
  readonly usage: () => Usage | undefined;
  /** Whether the protocol's own end was seen. */
  readonly isEnded: () => boolean;
};

/** Forms an answer comes in: events, a JSON value, or chunks in a JSON array as they are made. */
export type AnswerForm = 'events' | 'json' | 'array';

// An answer longer than this is passed on all the same; only its usage stays unknown.
const MOST_CHARACTERS = 16 * 1024 * 1024;

/** Watches an answer of a dialect. */
export function watch(rules: DialectRules, form: AnswerForm): Watch {
  return form === 'events' ? watchEvents(rules) : watchJson(rules, form);
}

function watchEvents(rules: DialectRules): Watch {
  const decoder = new StringDecoder('utf8');
  let usage: Partial<Usage> = {};
  let isEnded = false;
  const parser = createParser({
    onEvent: ({ event, data }) => {
      isEnded ||= rules.isEnd({ ...(event === undefined ? {} : { name: event }), data });
      // Most events are a few words of text: only those that can hold figures are read.
      if (data.includes('sage"') || data.includes('usageMetadata'))
        usage = { ...usage, ...rules.usageOf(fieldsOf(parsed(data))) };
    },
  });
  return { see: (chunk) => parser.feed(decoder.write(chunk)), usage: () => whole(usage), isEnded: () => isEnded };
}

function watchJson(rules: DialectRules, form: AnswerForm): Watch {
  const decoder = new StringDecoder('utf8');
  let text = '';
  return {
    see: (chunk) => {
      if (text.length <= MOST_CHARACTERS) text += decoder.write(chunk);
    },
    usage: () => {
      const value = parsed(text);
      const last: unknown = form === 'array' && Array.isArray(value) ? value.at(-1) : value;
      return whole(rules.usageOf(fieldsOf(last)) ?? {});
    },
    isEnded: () => form === 'json' || text.trimEnd().endsWith(']'),
  };
}

function whole(usage: Partial<Usage>): Usage | undefined {
  const { input, ...rest } = usage;
  return input === undefined ? undefined : { input, ...rest };
}
