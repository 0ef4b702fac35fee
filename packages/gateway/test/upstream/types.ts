import type { IncomingHttpHeaders } from 'node:http';
import type { FormatName } from 'epitome';

/** The dialects the upstream speaks. */
export type Dialect = Exclude<FormatName, 'ai-sdk'>;

/** A JSON object nobody has checked yet. */
export type Json = Readonly<Record<string, unknown>>;

/** What the model says next. */
export type Reply = {
  readonly text?: string;
  readonly thinking?: string;
  readonly calls?: readonly ReplyCall[];
  /** The model declines: in words, with the stop reason the dialect has for it. */
  readonly refusal?: string;
  /** The answer was cut by the output limit. */
  readonly isCut?: boolean;
};

/** One tool call of a reply. */
export type ReplyCall = { readonly name: string; readonly input: Json; readonly id?: string };

/** What became of a request. */
type Verdict = 'answered' | 'too-long' | 'invalid' | 'unauthorized' | 'fault' | 'other';

/** One request as it arrived. */
export type Seen = {
  readonly index: number;
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly rawHeaders: readonly string[];
  /** The very bytes of the body. */
  readonly raw: Buffer;
  readonly dialect?: Dialect;
  readonly model?: string;
  readonly stream?: boolean;
  readonly body?: Json;
  /** System prompt and tools, then the messages the model is shown. */
  readonly units: readonly Unit[];
  readonly tokens: number;
  verdict: Verdict;
  status: number;
  /** Rules of the dialect that it broke. */
  problems: readonly string[];
  /** The client went away before the answer was finished. */
  isAborted: boolean;
};

/** One piece of a request in the order a prompt cache sees it. */
export type Unit = { readonly text: string; readonly tokens: number; readonly isCacheMark: boolean };

/** What a dialect reads of a request. */
export type Reading = {
  readonly model: string;
  readonly stream: boolean;
  /** Natives of the whole conversation, what the server remembers in front of what was sent. */
  readonly messages: readonly unknown[];
  /** What the model is shown where that is less than `messages`. */
  readonly shown?: readonly unknown[];
  readonly fixed: { readonly system?: unknown; readonly tools?: unknown };
};

/** Why a request is refused: in the provider's words, at a place. */
export type Problem = {
  readonly rule: string;
  readonly message: string;
  readonly param?: string;
  readonly code?: string;
};

/** Tokens of a request, as its answer reports them. */
export type Usage = {
  readonly input: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly output: number;
  readonly reasoning: number;
};

/** What an answer is made from. */
export type Answering = {
  readonly id: string;
  readonly reading: Reading;
  readonly body: Json;
  readonly path: string;
  readonly reply: Reply;
  readonly usage: Usage;
};

/** An answer in both of its forms. */
export type Answer = { readonly json: unknown; readonly events: readonly string[]; readonly contentType?: string };

/** How an error is told. */
export type Failure = {
  readonly status: number;
  readonly kind: 'invalid' | 'too-long' | 'auth' | 'rate-limit' | 'server' | 'overloaded' | 'not-found';
  readonly message: string;
  readonly param?: string | undefined;
  readonly code?: string | undefined;
  /** Seconds. */
  readonly retryAfter?: number;
};

/** One dialect of the upstream. */
export type Wire = {
  readonly dialect: Dialect;
  readonly keyOf: (headers: IncomingHttpHeaders, path: string) => string | undefined;
  readonly read: (body: Json, path: string) => Reading | Problem;
  readonly check: (reading: Reading, body: Json, headers: IncomingHttpHeaders) => Problem | undefined;
  readonly answer: (answering: Answering) => Answer;
  readonly tooLong: (tokens: number, window: number) => Failure;
  readonly errorBody: (failure: Failure) => unknown;
  /** How an error is told in the middle of a stream. */
  readonly errorEvent: (failure: Failure) => string;
};
