import type { FormatName, Role } from 'epitome';
import type { StoreStats } from './port.ts';

/** Rows come at once from memory and SQLite, later from a server. */
type Awaitable<T> = T | Promise<T>;

/**
 * Where a message stands: a segment is a run of messages without a fork inside, depth counts from the conversation's
 * start. A branch is a chain of segments, so a range of it is read by index and a fork copies nothing.
 */
export type Place = { readonly segment: number; readonly depth: number };

/** Part of a segment, both ends included. */
export type Range = { readonly segment: number; readonly from: number; readonly to: number };

/** Depths of covered messages on the path to a cutoff, both ends included. */
export type Span = readonly [from: number, to: number];

export type ConversationRow = {
  readonly key: number;
  readonly id: string;
  readonly format: FormatName;
  readonly settings: string | null;
  readonly createdAt: number;
};

/** `depth` is -1 and `tip` null while the branch is empty. */
export type BranchRow = Place & {
  readonly name: string;
  readonly tip: string | null;
  readonly lineage: readonly Inherited[];
};

/** Records of another branch that a branch took along when it was made: those up to a record of it. */
export type Inherited = { readonly branch: string; readonly upTo: string };

/** Whom a record concerns: every branch that holds its parent, or its own branch and those made from it later. */
export type RecordScope = 'tree' | 'branch';

/**
 * What a transaction keeps others from: forgetting the conversation; writing records of it (one compaction commits at a time,
 * whatever its branch); anything at all.
 */
export type Hold = 'forgetting' | 'records' | 'everything';

/** `base` is the depth of the parent's message the segment stands behind; -1 for one at the start. */
export type SegmentRow = { readonly segment: number; readonly parent: number | null; readonly base: number };

export type MessageHead = Place & { readonly seq: number; readonly id: string; readonly role: Role };
export type MessageRow = MessageHead & { readonly native: string };
/** A message of any conversation. */
export type LocatedHead = MessageHead & { readonly conversation: string; readonly format: FormatName };
/** A message found by its seq, with its conversation. */
export type FoundRow = MessageRow & { readonly conversation: string; readonly format: FormatName };
/** `tokens` are made when they are asked for: not every store indexes at once. The id of a chained one is made from its content. */
export type NewMessageRow = Omit<MessageRow, 'seq'> & {
  readonly tokens: () => readonly string[];
  readonly isChained: boolean;
};

/** What is known of a record without its text. */
export type RecordHead = {
  readonly seq: number;
  readonly id: string;
  readonly kind: 'compaction' | 'undo';
  readonly state: 'started' | 'completed' | 'failed' | 'superseded';
  readonly branch: string;
  readonly scope: RecordScope;
  /** Applies to branches through this place; null: to all. */
  readonly parent: Place | null;
  readonly cutoff: Place | null;
  readonly anchor: Place | null;
  readonly undoes: string | null;
  readonly replaces: readonly string[];
  readonly covers: readonly Span[];
  readonly hasEdits: boolean;
};
/** `body` is the record as JSON without what the head holds of its covers; `details` is JSON too. */
export type RecordRow = RecordHead & { readonly body: string; readonly details: string };
export type NewRecordRow = Omit<RecordRow, 'seq'>;

/** A messages' move of a branch's tip, made only if the tip still is where it was. */
export type Advance = {
  readonly conversation: number;
  readonly branch: string;
  readonly from: Place;
  readonly messages: readonly NewMessageRow[];
};

/** A move that was made; whether its conversation has records, where that was seen on the way. */
export type Advanced = { readonly records?: 'none' | 'some' };

export type SearchQuery = {
  readonly tokens: readonly string[];
  /** Messages must hold all tokens, or any. */
  readonly mode: 'all' | 'any';
  readonly conversation: number | undefined;
  readonly limit: number;
};
export type SearchRow = { readonly seq: number; readonly score: number };

/** The questions a log asks of a database, within one transaction and for one tenant. */
export type Rows = {
  conversation(id: string, hold?: Hold): Awaitable<ConversationRow | undefined>;
  /** Newest first; those older than a key, where one is given. */
  conversations(limit: number, before?: number): Awaitable<readonly ConversationRow[]>;
  /** Undefined where the id is taken. */
  addConversation(row: Omit<ConversationRow, 'key'>): Awaitable<ConversationRow | undefined>;
  setSettings(key: number, settings: string): Awaitable<void>;
  /** `lock` keeps other writers from the branch until the transaction ends. */
  branch(key: number, name: string, lock?: 'lock'): Awaitable<BranchRow | undefined>;
  branches(key: number): Awaitable<readonly BranchRow[]>;
  /** Fails, or begins the transaction anew, where the name is taken. */
  addBranch(key: number, row: BranchRow): Awaitable<void>;
  /** Moves a branch that is locked. */
  putBranch(key: number, row: BranchRow): Awaitable<void>;
  addSegment(key: number, behind: Place): Awaitable<number>;
  /** Newest depth in use of a segment. */
  endOf(key: number, segment: number): Awaitable<number>;
  /** All segments, in order. */
  segments(key: number): Awaitable<readonly SegmentRow[]>;
  /** The segment and its ancestors, nearest first. */
  path(key: number, segment: number): Awaitable<readonly SegmentRow[]>;
  addMessages(key: number, rows: readonly NewMessageRow[]): Awaitable<void>;
  heads(key: number, ids: readonly string[]): Awaitable<readonly MessageHead[]>;
  /** Messages of these ids in all conversations. */
  located(ids: readonly string[]): Awaitable<readonly LocatedHead[]>;
  headsIn(key: number, ranges: readonly Range[]): Awaitable<readonly MessageHead[]>;
  /** Messages of ranges, by depth. */
  messagesIn(key: number, ranges: readonly Range[]): Awaitable<readonly MessageRow[]>;
  found(seqs: readonly number[]): Awaitable<readonly FoundRow[]>;
  /** All of a conversation by segment and depth, so that parents come first; those behind a place. */
  scan(key: number, after: Place, limit: number): Awaitable<readonly MessageRow[]>;
  /** The same without their texts. */
  scanHeads(key: number, after: Place, limit: number): Awaitable<readonly MessageHead[]>;
  recordHeads(key: number): Awaitable<readonly RecordHead[]>;
  recordRows(key: number, ids: readonly string[]): Awaitable<readonly RecordRow[]>;
  /** Throws where the id is taken. A started record of that id is ended by it. */
  addRecord(key: number, row: NewRecordRow): Awaitable<void>;
  search(query: SearchQuery): Awaitable<readonly SearchRow[]>;
  forget(conversation: ConversationRow): Awaitable<void>;
  stats(): Awaitable<StoreStats>;
};

/** A database behind the log. */
export type Engine = {
  readonly kind: 'memory' | 'sqlite' | 'postgres';
  /** Runs work in one transaction: all of it is kept, durably, or nothing. */
  transact<T>(scope: Scope, work: (rows: Rows) => Promise<T>): Promise<T>;
  /** Appends in one step behind a tip that is known; undefined where the tip moved, or the messages need a closer look. */
  advance(tenant: string, move: Advance): Promise<Advanced | undefined>;
  /** Brings what a tenant searches up to date. */
  settle(tenant: string): Promise<void>;
  /** What is to be done after data were deleted, so that nothing of them stays in the files. */
  scrub(): Promise<void>;
  close(): Promise<void>;
};
/** Whose transaction it is; one that reads sees one moment. */
export type Scope = { readonly tenant: string; readonly mode: 'read' | 'write' };
