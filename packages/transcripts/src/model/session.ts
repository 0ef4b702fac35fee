import type { FormatName } from 'epitome';
import type { Details, Fault, SourceName, Usage } from './item.ts';

/** One record of a session. */
export type Entry = {
  readonly id?: string;
  /** Place of the entry before it on its branch; -1 at the start of one. */
  readonly parent: number;
  /** Messages in the session's format. */
  readonly natives: readonly unknown[];
  readonly side?: string;
  readonly step?: string;
  readonly isPrompt: boolean;
  readonly isSummary: boolean;
  readonly isAside?: true;
  readonly time?: number;
};

/** A way through the tree, by its last entry. */
export type Branch = {
  readonly name: string;
  readonly leaf: number;
  /** A conversation beside the main one, such as that of a subagent. */
  readonly side?: string;
};

/** A compaction that the program itself made, behind an entry. */
export type Compaction = {
  /** The newest entry it covers; -1 for none. */
  readonly behind: number;
  readonly summary?: string;
  readonly trigger?: string;
  readonly tokensBefore?: number;
  /** First of the entries in front of it that stayed in view. */
  readonly firstKept?: number;
  readonly live?: readonly unknown[];
};

/** One request to the model as far as the file tells. */
export type Request = { readonly entry: number; readonly usage: Usage; readonly model?: string };

/** Usage over a whole session. */
export type Total = { readonly usage: Usage; readonly model?: string; readonly requests?: number };

/** A session as it was read: a tree of entries, and everything else that the file tells. */
export type Session = Omit<Details, 'format'> & {
  readonly source: SourceName;
  readonly format: FormatName;
  /** In the order of the file. */
  readonly entries: readonly Entry[];
  /** The one the program would go on with first. */
  readonly branches: readonly Branch[];
  readonly compactions: readonly Compaction[];
  readonly requests: readonly Request[];
  /** Usage of the whole session, by model where the program says so; empty where it keeps it by request. */
  readonly totals: readonly Total[];
  readonly models: readonly string[];
  /** Records that are no part of the conversation, by type. */
  readonly skipped: Readonly<Record<string, number>>;
  /** Records of types nobody here knows. */
  readonly unknown: Readonly<Record<string, number>>;
  /** The first of them; `faultCount` counts all. */
  readonly faults: readonly Fault[];
  readonly faultCount: number;
  /** Entries that were there twice, and entries whose parent is missing. */
  readonly duplicates: number;
  readonly strays: number;
};
