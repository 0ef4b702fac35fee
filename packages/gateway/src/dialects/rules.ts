import type { Refusal } from '../model/call.ts';
import type { Dialect } from '../model/dialect.ts';
import type { Usage } from '../model/report.ts';

/** How one protocol writes its requests, answers and errors. */
export type DialectRules = {
  readonly name: Dialect;
  /** The member of the body that holds the messages. */
  readonly list: string;
  /** Members that hold the system prompt and the tools. */
  readonly system: readonly string[];
  readonly tools: readonly string[];
  /** Members whose value tells one session of a client from another. */
  readonly sessions: readonly string[];
  /** Members that leave the past to the provider: such a request goes through as it is. */
  readonly serverState: readonly string[];
  /** Tokens reported in a finished answer, in an event of a stream, or in a chunk. */
  readonly usageOf: (value: Fields) => Partial<Usage> | undefined;
  /** Whether an event of a stream is its proper end. */
  readonly isEnd: (event: { readonly name?: string; readonly data: string }) => boolean;
  /** The error's body. */
  readonly errorBody: (refusal: Refusal) => unknown;
  /** The error as an event of a stream. */
  readonly errorEvent: (refusal: Refusal) => string;
};

/** An object out of JSON. */
export type Fields = Readonly<Record<string, unknown>>;

/** A value as an object, empty where it is none. */
export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}

/** A figure, or `undefined`. */
export function figure(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
}

/** Only those figures that are there. */
export function usage(figures: { readonly [Key in keyof Usage]?: number | undefined }): Partial<Usage> | undefined {
  const known = Object.entries(figures).filter(([, value]) => value !== undefined);
  return known.length === 0 ? undefined : Object.fromEntries(known);
}
