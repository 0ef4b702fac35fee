import type { ToolSchema } from '../model/stream.ts';

/** What a tool gives back to the model. */
export type ToolResult = { readonly text: string; readonly isError?: true };

/** Where a tool works. */
export type ToolPlace = {
  /** The folder nothing leaves, without links in its path. */
  readonly folder: string;
  /** What commands see of the environment. */
  readonly env: Readonly<Record<string, string | undefined>>;
};

/** What somebody is asked before a call runs. */
export type ApprovalRequest = {
  readonly title: string;
  /** All that will be done, to the last character: nobody allows what they cannot see. */
  readonly what: string;
  /** What "always" stands for: a call with the same text is not asked about again. */
  readonly always: string;
};

/** Something the model may do. */
export type Tool = ToolSchema & {
  /** A call in a few words, for the screen. */
  readonly describe: (input: Input) => string;
  /** What somebody must allow before it runs. */
  readonly asks?: (input: Input) => ApprovalRequest;
  readonly run: (input: Input, signal: AbortSignal) => Promise<ToolResult>;
};

/** The part of a tool that goes out with each request. */
export function schemaOf({ name, description, inputSchema }: ToolSchema): ToolSchema {
  return { name, description, inputSchema };
}

/** Arguments of a call: whatever the model wrote, as an object. */
export type Input = Readonly<Record<string, unknown>>;

/** An argument that is a text; empty where it is not there. */
export function textOf(input: Input, name: string): string {
  const value = input[name];
  return typeof value === 'string' ? value : '';
}

/** An argument that is a number within bounds. */
export function numberOf(input: Input, name: string, range: { min: number; max: number; default: number }): number {
  const value = input[name];
  const number = typeof value === 'number' && Number.isFinite(value) ? value : range.default;
  return Math.min(Math.max(Math.floor(number), range.min), range.max);
}

// About 8,000 tokens: more of one result crowds out the conversation.
const MOST_CHARS = 32_000;

/** A result that is not longer than a conversation can bear: its start and its end. */
export function limited(text: string): string {
  if (text.length <= MOST_CHARS) return text;
  const half = MOST_CHARS / 2;
  const left = text.length - 2 * half;
  return `${text.slice(0, half)}\n[... ${left} characters left out ...]\n${text.slice(-half)}`.toWellFormed();
}
