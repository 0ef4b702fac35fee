import type { FormatName } from 'epitome';

/** The programs whose session files are read; `api` stands for plain lists of API messages. */
export const SOURCE_NAMES = [
  'claude-code',
  'codex',
  'gemini-cli',
  'opencode',
  'pi',
  'copilot-cli',
  'forge',
  'aider',
  'swe-agent',
  'openhands',
  'tau-bench',
  'api',
] as const;
/** One of `SOURCE_NAMES`. */
export type SourceName = (typeof SOURCE_NAMES)[number];

/** Tokens a provider reported. `prompt` counts all input, whatever of it was `cached` or `written` to the cache. */
export type Usage = {
  readonly prompt: number;
  readonly output: number;
  readonly cached?: number;
  readonly written?: number;
};

/** What is known of a session beside its messages. */
export type Details = {
  readonly id?: string;
  readonly title?: string;
  readonly cwd?: string;
  readonly model?: string;
  /** Milliseconds since the epoch. */
  readonly startedAt?: number;
  readonly system?: unknown;
  readonly tools?: unknown;
  readonly format?: FormatName;
  /** A request that goes on from what its provider holds: more was said than stands here. */
  readonly isKeptByServer?: true;
};

/** The start of a session; items up to the next one belong to it. */
export type SessionItem = {
  readonly kind: 'session';
  readonly source: SourceName;
  readonly format: FormatName;
  readonly details: Details;
};

/** One record of a conversation: a message, or a call and its results where the file keeps them together. */
export type EntryItem = {
  readonly kind: 'entry';
  /** Another entry with the same id takes the place of the first where `revises` is set. */
  readonly id?: string;
  /** `null`: a root; absent: behind the entry before it. */
  readonly parent?: string | null;
  /** Messages in the session's format. */
  readonly natives: readonly unknown[];
  /** A conversation beside the main one, such as that of a subagent. */
  readonly side?: string;
  /** The model's step it belongs to; `''` for results of whatever step stands before. Absent for everything else. */
  readonly step?: string;
  readonly revises?: boolean;
  /** A person wrote it. */
  readonly isPrompt?: boolean;
  /** A summary that the program itself put in place of what stands before. */
  readonly isSummary?: boolean;
  /** The program put it there: an example of how to work, a nudge to go on. It tells nothing of what was done. */
  readonly isAside?: boolean;
  readonly time?: number;
  readonly usage?: Usage;
  readonly model?: string;
};

/** A record that holds no message but on which others hang. */
export type LinkItem = { readonly kind: 'link'; readonly id: string; readonly parent?: string | null };

/** The conversation goes on from an earlier place: in front of an entry, or of the last so many prompts. */
export type RewindItem =
  | { readonly kind: 'rewind'; readonly before: string }
  | { readonly kind: 'rewind'; readonly prompts: number };

/** A compaction that the program itself made. */
export type CompactionItem = {
  readonly kind: 'compaction';
  readonly id?: string;
  readonly parent?: string | null;
  readonly summary?: string;
  readonly trigger?: string;
  readonly tokensBefore?: number;
  /** The first entry in front of it that stayed in view. */
  readonly firstKept?: string;
  /** What stood in view after it, where the file says so. */
  readonly live?: readonly unknown[];
};

/** Usage of the request before it, or of a whole session, with the number of its requests where that is known. */
export type UsageItem = {
  readonly kind: 'usage';
  readonly usage: Usage;
  readonly model?: string;
  readonly isTotal?: boolean;
  readonly requests?: number;
};

/** One thing read from a file. */
export type Item =
  | SessionItem
  | EntryItem
  | LinkItem
  | RewindItem
  | CompactionItem
  | { readonly kind: 'details'; readonly details: Details }
  | UsageItem
  /** A record that is no part of the conversation; `isKnown` is false where nobody here knows what it is. */
  | { readonly kind: 'skip'; readonly type: string; readonly isKnown: boolean }
  | Fault;

/** Something that could not be read, and where. */
export type Fault = { readonly kind: 'fault'; readonly place: string; readonly reason: string };

/** One JSON value of a file, or one line of text. */
export type Piece = {
  /** Keys that lead to it; empty for a line, and for an entry of a list that is the whole file. */
  readonly path: readonly string[];
  readonly value: unknown;
  /** Something in it that could not be read and was left out. */
  readonly cut?: Fault;
};

/** Reads the records of one kind of file. It keeps nothing that grows with the file. */
export type Reading = {
  readonly push: (piece: Piece) => readonly Item[];
  readonly end: () => readonly Item[];
};

/** A kind of file. */
export type Reader = {
  readonly source: SourceName;
  /** True for a piece that only this kind of file has. */
  readonly claims: (piece: Piece) => boolean;
  readonly open: () => Reading;
};
