import type { FormatName, LogRecord, PartEdit, Role, View } from 'epitome';
import type { RecordDetails, RecordEntry, RecordState } from './records.ts';

/** A log of conversations. All reading and writing is done for one tenant. */
export type Store = {
  readonly kind: 'memory' | 'sqlite' | 'postgres';
  /** The log of one tenant; nothing it answers belongs to another. */
  readonly forTenant: (tenant: string) => Log;
  /** Throws where what is written would be found by nobody, as in a file that was deleted. Cheap; absent where it cannot be so. */
  readonly probe?: () => void;
  readonly close: () => Promise<void>;
};

/**
 * What an append outlives once it has resolved. `machine`: a power cut too, which costs a wait for the disk each time.
 * `process`: the death of the process; a power cut may take the last moments, and leaves the log whole up to them.
 */
export type Durability = 'machine' | 'process';

/** One branch of a conversation. */
export type BranchRef = {
  readonly conversation: string;
  /** @default 'main' */
  readonly branch?: string;
};

/** A branch whose view is to be changed. */
export type ChangeRef = BranchRef & {
  /** The message that is known to have got the answer which ended its turn, though that is not in the log yet. */
  readonly endedBehind?: string | undefined;
};

/** A conversation: a tree of messages in one wire format. */
export type ConversationInfo = {
  readonly id: string;
  readonly format: FormatName;
  /** Whatever its owner keeps with it, as JSON text. */
  readonly settings?: string;
  /** Milliseconds since the epoch; order never comes from this. */
  readonly createdAt: number;
};

/** A branch: a name for a place in the tree. */
export type BranchInfo = {
  readonly name: string;
  /** Newest message; absent where the branch is empty. */
  readonly tip?: string;
  readonly length: number;
  /** How many records stand on it that change views. */
  readonly version: number;
};

/** A message to append: JSON text, kept byte for byte, or the same with the caller's own id. */
export type NewMessage = string | { readonly id: string; readonly native: string };

/** A message as it is kept. */
export type StoredMessage = {
  readonly id: string;
  readonly parentId?: string;
  readonly role: Role;
  /** JSON text, the very characters that were appended. */
  readonly native: string;
  /** Order of arrival in the whole store. */
  readonly seq: number;
};

/** Where messages go: behind the tip, or behind `after` (`null`: from the start, as a client that sends all again). */
export type AppendTarget = BranchRef & { readonly after?: string | null };

/** What an append did. */
export type Appended = {
  /** The branch that ends with the messages: another one than asked for where `after` was not its tip. */
  readonly branch: string;
  /** Ids of all messages given, in order. */
  readonly ids: readonly string[];
  /** How many of them were new. */
  readonly added: number;
  readonly tip?: string;
  /** Whether the conversation has records, where that was seen on the way: without any, a view is its history. */
  readonly records?: 'none' | 'some';
};

/** The state a compaction was computed from; publishing compares with it. */
export type Snapshot = {
  readonly branch: string;
  readonly version: number;
  readonly tip?: string;
  /** How it was read, where that is not `strict`. */
  readonly reuse?: 'shared-cutoff';
};

/** Which summaries a branch accepts; see preset `branch`. */
export type ViewOptions = {
  /** @default 'strict' */
  readonly reuse?: 'strict' | 'shared-cutoff';
};

/** How work is read. */
export type WorkOptions = ViewOptions & {
  /** Earlier work of the branch: what it holds is not read again, only what came since. */
  readonly since?: Work;
};

/** Where a history is known up to. */
export type Found = {
  readonly conversation: string;
  /** The newest message of the history that is stored. */
  readonly messageId: string;
  /** How many messages of the history are stored, from its start. */
  readonly known: number;
  /** Ids of all messages of the history, as `append` gives them. */
  readonly ids: readonly string[];
  /** A branch that ends with that message, else one that goes through it. */
  readonly branch?: string;
  /** Whether that branch ends with it. */
  readonly isTip: boolean;
};

/** A message of a conversation's tree, without its text. */
export type TreeMessage = {
  readonly id: string;
  readonly parentId?: string;
  readonly role: Role;
  readonly seq: number;
  /** How many messages stand in front of it. */
  readonly depth: number;
};

/** One entry of a view. */
export type StoredViewEntry = {
  /** JSON text; of an untouched message the very characters that were appended. */
  readonly native: string;
  /** The message it is, or is made from; absent for an entry of ours. */
  readonly messageId?: string;
  readonly recordId?: string;
  /** What records changed of the message. */
  readonly edits?: readonly PartEdit[];
  readonly summary?: string;
};

/** What the model is shown of a branch, and the state it was read in. */
export type StoredView = { readonly entries: readonly StoredViewEntry[]; readonly snapshot: Snapshot };

/** A branch for `compact`: what its view needs, and no more. */
export type Work = {
  readonly input: {
    readonly format: FormatName;
    readonly messages: readonly unknown[];
    readonly ids: readonly string[];
    readonly records: readonly LogRecord[];
  };
  readonly snapshot: Snapshot;
  readonly view: View;
};

/**
 * What became of records that were to be published. `bound`: nothing was written, because a turn came meanwhile that is under
 * way and needs thinking that holds only behind the view as it is.
 */
export type Publication = { readonly kind: 'published' | 'superseded' | 'bound'; readonly version: number };

/** A message found. */
export type Hit = {
  readonly conversation: string;
  readonly messageId: string;
  readonly role: Role;
  readonly seq: number;
  readonly snippet: string;
  /** Larger is better; comparable within one answer only. */
  readonly score: number;
};

/** What a tenant's log holds. */
export type StoreStats = {
  readonly conversations: number;
  readonly branches: number;
  readonly messages: number;
  readonly records: number;
  /** Payloads stored once by content, and their bytes. */
  readonly payloads: number;
  readonly payloadBytes: number;
  /** Bytes of messages without their payloads. */
  readonly messageBytes: number;
};

/** How far an import is. */
export type ImportProgress = { readonly lines: number; readonly messages: number };

/** The log of one tenant. */
export type Log = {
  readonly tenant: string;
  readonly create: (input: { format: FormatName; id?: string; settings?: string }) => Promise<ConversationInfo>;
  readonly conversation: (id: string) => Promise<ConversationInfo | undefined>;
  /** Newest first; those older than the conversation `before`, where one is given. */
  readonly conversations: (options?: { limit?: number; before?: string }) => Promise<readonly ConversationInfo[]>;
  /** Where a history that a client sends again is known up to, in whichever conversation; undefined where nothing of it is. */
  readonly find: (history: { format: FormatName; messages: readonly string[] }) => Promise<Found | undefined>;
  /** Sets what its owner keeps with a conversation, or changes it: nobody else does so between. */
  readonly setSettings: (id: string, settings: string | ((before: string | undefined) => string)) => Promise<void>;
  /** Durable when it resolves. Messages already known behind the same parent are not stored again. */
  readonly append: (target: AppendTarget, messages: readonly NewMessage[]) => Promise<Appended>;
  /** A new branch that ends with the message `at`; at the tip where it is absent. */
  readonly fork: (ref: BranchRef, input: { name: string; at?: string }) => Promise<BranchInfo>;
  /** Makes a branch the main one; what was `main` until now takes its name. */
  readonly promote: (ref: Required<BranchRef>) => Promise<BranchInfo>;
  readonly branches: (conversation: string) => Promise<readonly BranchInfo[]>;
  /** The state of a branch, without reading its view. */
  readonly snapshot: (ref: BranchRef, options?: ViewOptions) => Promise<Snapshot>;
  /** All messages of a conversation without their texts, parents in front of their children; those behind `after`. */
  readonly tree: (conversation: string, page?: { after?: string; limit?: number }) => Promise<readonly TreeMessage[]>;
  /** The originals of a branch, oldest first. */
  readonly messages: (ref: BranchRef) => Promise<readonly StoredMessage[]>;
  readonly viewOf: (ref: BranchRef, options?: ViewOptions) => Promise<StoredView>;
  readonly workOf: (ref: BranchRef, options?: WorkOptions) => Promise<Work>;
  /** The summary in force with the deepest cutoff. */
  readonly findSummaryForBranch: (ref: BranchRef, options?: ViewOptions) => Promise<RecordEntry | undefined>;
  /** All records that stand on a branch, in order, undone and failed ones included; with `reuse` those of others it takes too. */
  readonly records: (ref: BranchRef, options?: ViewOptions) => Promise<readonly RecordEntry[]>;
  /** Notes that a compaction has begun. It changes no view; publishing its record ends it. */
  readonly begin: (ref: BranchRef, recordId: string) => Promise<Snapshot>;
  /** Ends what was begun without a record, and keeps why. */
  readonly abandon: (conversation: string, recordId: string, reason?: string) => Promise<void>;
  /**
   * Appends records if nobody changed the view since the snapshot; else they are kept as superseded. Thinking of messages that
   * came since is left out behind them.
   */
  readonly publish: (
    ref: BranchRef,
    input: { snapshot: Snapshot; records: readonly LogRecord[]; details?: RecordDetails },
  ) => Promise<Publication>;
  /** Takes back the newest compaction in force on the branch, or the one named. */
  readonly undo: (ref: ChangeRef, recordId?: string) => Promise<readonly LogRecord[]>;
  readonly redo: (ref: ChangeRef) => Promise<readonly LogRecord[]>;
  /** Brings chosen messages back into view, with the calls and results that belong to them. */
  readonly restore: (ref: ChangeRef, messageIds: readonly string[]) => Promise<readonly LogRecord[]>;
  readonly recall: (query: string, options?: { conversation?: string; limit?: number }) => Promise<readonly Hit[]>;
  /** The originals behind a record, or one message by its id. */
  readonly expand: (conversation: string, id: string) => Promise<readonly StoredMessage[]>;
  /** The records whose summaries went into this one, oldest first, itself last. */
  readonly history: (conversation: string, recordId: string) => Promise<readonly RecordEntry[]>;
  /** Deletes a conversation and everything made from it. */
  readonly forget: (conversation: string) => Promise<boolean>;
  /** The log as lines of JSON, of one conversation or of all. */
  readonly export: (conversation?: string) => AsyncIterable<string>;
  readonly import: (
    lines: AsyncIterable<string> | Iterable<string>,
    onProgress?: (progress: ImportProgress) => void,
  ) => Promise<ImportProgress>;
  readonly stats: () => Promise<StoreStats>;
};

export type { RecordDetails, RecordEntry, RecordState };
