import type { InsertedMessage, Message, Part, PartEdit } from './message.ts';

/** The wire formats messages come in. */
export const FORMAT_NAMES = ['openai-chat', 'openai-responses', 'anthropic', 'gemini', 'ai-sdk'] as const;
/** One of `FORMAT_NAMES`. */
export type FormatName = (typeof FORMAT_NAMES)[number];

/** `error`: the provider rejects the list. `portability`: some server of the family does. */
export type Severity = 'error' | 'portability';

/** One broken provider rule. */
export type Violation = {
  /** The rule's number in the provider rules, such as `O1` or `A3`. */
  readonly rule: string;
  readonly severity: Severity;
  /** Index of the native message. */
  readonly at: number;
  /** What was found, in words. */
  readonly detail: string;
};

/** What goes out with each request beside the messages, in the dialect's own values. */
export type Fixed = { readonly system?: unknown; readonly tools?: unknown };

/** One wire format: native messages to neutral ones and back. Every function is total: bad shapes never throw. */
export type Format = {
  readonly name: FormatName;
  /**
   * Reads one native message. `before` holds the decoded messages in front of it (dialects without call ids pair by
   * position); work is proportional to this message alone.
   */
  readonly decode: (native: unknown, before: readonly Message[]) => Message;
  /** System prompt and tool schemas as parts, so that the meter counts them like everything else. */
  readonly decodeFixed: (fixed: Fixed) => readonly Part[];
  /** A message of ours in native form. */
  readonly compose: (message: InsertedMessage) => unknown;
  /**
   * The native message with the edits made, everything else untouched; `undefined` where nothing would be left of it.
   * A result keeps its call id, a media part becomes text.
   */
  readonly edit: (message: Message, edits: readonly PartEdit[]) => unknown;
  /** Rules of this dialect that the list breaks, in order of position. Linear in the list. */
  readonly validate: (natives: readonly unknown[]) => readonly Violation[];
  /** Whether two assistant messages in a row break a rule here, so that a user message must stand between. */
  readonly assistantsMustAlternate: boolean;
  /** Whether a list that did not end with the assistant must not be made to (A14). */
  readonly mustEndWithUser: boolean;
};
