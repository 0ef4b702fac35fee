export { type Detected, detectFormat } from './api/detect.ts';
export { evidenceOf } from './api/evidence.ts';
export { type Converted, convertMessages, decodeAll, type Repaired, repairMessages } from './convert/convert.ts';
export { type HandoverOptions, handoverOf } from './convert/handover.ts';
export type { Losses } from './convert/passages.ts';
export { listDatabase, type Query, readStored, type StoredEntry } from './databases/database.ts';
export { type OpencodeMessage, type OpencodeRecord, readOpencode } from './databases/opencode.ts';
export { type OpenhandsEvent, readOpenhands } from './databases/openhands.ts';
export type { BranchUse } from './inspect/branches.ts';
export { type BigMessage, type Duplicate, promptWords } from './inspect/heavy.ts';
export { type Inspection, inspectSession } from './inspect/inspect.ts';
export { type PastCompaction, textOf } from './inspect/losses.ts';
export { firstPrompt, type Turns } from './inspect/prompts.ts';
export type { Calibration, ModelUsage, Reported } from './inspect/reported.ts';
export { SHARES, type Share, type Shares } from './inspect/shares.ts';
export type { Stretch, ToolUse } from './inspect/timeline.ts';
export { isTranscriptError, TranscriptError, type TranscriptErrorCode } from './model/errors.ts';
export {
  type CompactionItem,
  type Details,
  type EntryItem,
  type Fault,
  type Item,
  type LinkItem,
  type RewindItem,
  type SessionItem,
  SOURCE_NAMES,
  type SourceName,
  type Usage,
  type UsageItem,
} from './model/item.ts';
export type { Branch, Compaction, Entry, Request, Session, Total } from './model/session.ts';
export type { Bytes } from './pieces/bytes.ts';
export type { Layout } from './pieces/pieces.ts';
export { readItems, readSessions, sniff } from './read.ts';
export {
  asidesOf,
  compactionsOf,
  entriesOf,
  messagesOf,
  type Placed,
  placedOf,
  type Selection,
} from './tree/messages.ts';
export { addUsage } from './tree/usage.ts';
