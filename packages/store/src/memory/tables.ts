import type { BranchRow, ConversationRow, MessageRow, RecordRow, SegmentRow } from '../model/rows.ts';

/** One conversation in memory. */
export type Kept = {
  row: ConversationRow;
  readonly branches: Map<string, BranchRow>;
  readonly segments: SegmentRow[];
  /** Messages of each segment, in order of depth. */
  readonly messages: MessageRow[][];
  readonly byId: Map<string, MessageRow>;
  readonly tokens: Map<number, ReadonlySet<string>>;
  readonly records: Map<string, RecordRow>;
};

/** What one tenant has, by conversation key. */
export type Tables = Map<number, Kept>;

/** An empty conversation. */
export function emptyKept(row: ConversationRow): Kept {
  return {
    row,
    branches: new Map(),
    segments: [],
    messages: [],
    byId: new Map(),
    tokens: new Map(),
    records: new Map(),
  };
}
