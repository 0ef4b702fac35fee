import { type Fields, fieldsOf, parsed } from '../json/values.ts';
import type { Refusal } from '../model/call.ts';
import type { Dialect } from '../model/dialect.ts';
import type { AnswerFacts, Usage } from '../model/report.ts';

/** How one protocol writes its requests, answers and errors. */
export type DialectRules = {
  readonly name: Dialect;
  /** The member of the body that holds the messages. */
  readonly list: string;
  /** Members in which a question about the size of a request holds the request itself. */
  readonly wrappers: readonly string[];
  /** Whether a message at the start of the list is part of the system prompt. */
  readonly isLead: (message: string) => boolean;
  /** Members that hold the system prompt and the tools. */
  readonly system: readonly string[];
  readonly tools: readonly string[];
  /** Members whose value tells one session of a client from another. */
  readonly sessions: readonly string[];
  /** Members that leave the past to the provider: such a request goes through as it is. */
  readonly serverState: readonly string[];
  /** Whether a message is only named here, and kept by the provider: nobody else can say what it holds. */
  readonly isKeptElsewhere: (message: string) => boolean;
  /** Tokens reported in a finished answer, in an event of a stream, or in a chunk. */
  readonly usageOf: (value: Fields) => Partial<Usage> | undefined;
  /** What a finished answer, an event of a stream, or a chunk says of the answer. */
  readonly factsOf: (value: Fields) => AnswerFacts;
  /** The words of the answer that an event of a stream, or a chunk, holds. */
  readonly wordsOf: (value: Fields) => string;
  /** All that the model wrote of what a finished answer, an event of a stream, or a chunk holds: words, thoughts, calls. */
  readonly writtenIn: (value: Fields) => unknown;
  /** Members of the body that limit the answer's length, and that say how hard to think; a dot leads inside. */
  readonly maxTokens: readonly string[];
  readonly reasoning: readonly string[];
  /** Whether an event of a stream is its proper end. */
  readonly isEnd: (event: StreamEvent) => boolean;
  /** Whether an event says that an answer is to come, and nothing of it. */
  readonly isAnnouncement: (event: StreamEvent) => boolean;
  /** The error that an event says; `undefined` where it says none. */
  readonly failureIn: (event: StreamEvent) => unknown;
  /** The error's body. */
  readonly errorBody: (refusal: Refusal) => unknown;
  /** The error as an event of a stream. */
  readonly errorEvent: (refusal: Refusal) => string;
};

/** An event of a stream. */
export type StreamEvent = { readonly name?: string; readonly data: string };

/** The error in an event that holds one in place of an answer. */
export function errorMember({ data }: StreamEvent): unknown {
  // Most streams open with a few words: only what can be an error is read.
  return data.includes('"error"') ? (fieldsOf(parsed(data))['error'] ?? undefined) : undefined;
}

/** Only those facts that are there. */
export function facts(
  found: {
    readonly [Key in 'id' | 'model' | 'status']?: unknown;
  } & { readonly finishReasons?: readonly unknown[] },
): AnswerFacts {
  const { finishReasons = [], ...texts } = found;
  const reasons = finishReasons.filter((reason) => typeof reason === 'string');
  return {
    ...Object.fromEntries(Object.entries(texts).filter(([, value]) => typeof value === 'string' && value !== '')),
    ...(reasons.length === 0 ? {} : { finishReasons: reasons }),
  };
}

/** Only those figures that are there. */
export function usage(figures: { readonly [Key in keyof Usage]?: number | undefined }): Partial<Usage> | undefined {
  const known = Object.entries(figures).filter(([, value]) => value !== undefined);
  return known.length === 0 ? undefined : Object.fromEntries(known);
}
