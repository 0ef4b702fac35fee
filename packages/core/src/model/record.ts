import type { Payback } from './cost.ts';
import type { Basis } from './count.ts';
import type { Ledger, PackedLedger } from './facts.ts';
import type { Finding } from './finding.ts';
import type { InsertedMessage } from './message.ts';
import type { Cause, PresetName } from './policy.ts';

/** How a compaction ended; the names users of Gemini CLI know. */
export type Status =
  | 'compressed'
  | 'noop'
  | 'failed-inflated'
  | 'failed-token-count'
  | 'failed-empty-summary'
  | 'truncated';

/** What stands for what went: a model's summary, the digest, the mechanical summary, placeholders (`mask`), or nothing. */
export type Method = 'model' | 'digest' | 'mechanical' | 'mask' | 'none';

/** Sizes of the request before and after, by one meter. */
export type TokenSpan = {
  readonly before: number;
  readonly after: number;
  readonly fixed: number;
  readonly basis: Basis;
};

/** A part of a kept message that the view shows otherwise: its new text, or `null` for left out. */
export type RecordedEdit = { readonly messageId: string; readonly part: number; readonly text: string | null };

/** One compaction, append-only. Covers name originals; what an earlier record covered is inherited through `replaces`. */
export type CompactionRecord = Spent & {
  readonly kind: 'compaction';
  readonly id: string;
  /** Milliseconds since the epoch; order comes from the list, never from this. */
  readonly at: number;
  readonly status: Status;
  readonly preset: PresetName;
  readonly cause: Cause;
  readonly reason: string;
  readonly method: Method;
  /** True where a fault made it less than was asked for. */
  readonly degraded: boolean;
  /** The record applies to a branch only if this message is on it. */
  readonly parentId?: string;
  /** Newest covered message: the cutoff. */
  readonly lastSummarizedId?: string;
  /** Newest message there was when it ran. */
  readonly tipId?: string;
  /** The hand-over stands in front of this message. */
  readonly anchorId?: string;
  /** Newly covered messages, in order. */
  readonly covers: readonly string[];
  /** An unfinished turn is covered whose signed thinking went with it: later steps of that turn cannot stand behind it (A10). */
  readonly coversBoundLoop?: true;
  /** Earlier records whose summary went into this one. */
  readonly replaces: readonly string[];
  readonly inserts: readonly InsertedMessage[];
  readonly edits: readonly RecordedEdit[];
  /** Of a record that stands for what is left of another one: the messages a person brought back from that. */
  readonly restored?: readonly string[];
  /** The summary itself, without its frame. */
  readonly text: string;
  /** Exact facts of everything it stands for: `diffFacts` tells which of them its text lost. Earlier versions kept them unpacked. */
  readonly facts?: PackedLedger | Ledger;
  /** What was left out because it does not serve the goal, in the summarizer's words. */
  readonly discardedContextSummary?: string;
  readonly tokens: TokenSpan;
  readonly counts: MessageTally;
  /** What it costs and saves, where prices are known. */
  readonly payback?: Payback;
};

/** What writing took, and what was noticed. */
export type Spent = {
  readonly calls: number;
  readonly usage: { readonly inputTokens: number; readonly outputTokens: number };
  readonly findings: readonly Finding[];
  /** The goal as the summarizer was told it: without secrets. */
  readonly goal?: string;
};

/** Nothing taken. */
export const NOTHING_SPENT: Spent = { calls: 0, usage: { inputTokens: 0, outputTokens: 0 }, findings: [] };

/** What two steps took together. */
export function addSpent(spent: Spent, { calls, usage, findings, goal = spent.goal }: Spent): Spent {
  return {
    calls: spent.calls + calls,
    usage: {
      inputTokens: spent.usage.inputTokens + usage.inputTokens,
      outputTokens: spent.usage.outputTokens + usage.outputTokens,
    },
    findings: [...spent.findings, ...findings],
    ...(goal === undefined ? {} : { goal }),
  };
}

/** Messages of the view before and after, and how many were replaced and kept. */
export type MessageTally = {
  readonly before: number;
  readonly after: number;
  readonly compressed: number;
  readonly preserved: number;
};

/** A compaction of nothing, for a real one to be filled in. */
export const BLANK_RECORD: CompactionRecord = {
  kind: 'compaction',
  id: '',
  at: 0,
  status: 'compressed',
  preset: 'snapshot',
  cause: 'automatic',
  reason: '',
  method: 'none',
  degraded: false,
  covers: [],
  replaces: [],
  inserts: [],
  edits: [],
  text: '',
  tokens: { before: 0, after: 0, fixed: 0, basis: 'estimated' },
  counts: { before: 0, after: 0, compressed: 0, preserved: 0 },
  ...NOTHING_SPENT,
};

/** Takes one record back; an undo that is itself undone is a redo. */
export type UndoRecord = {
  readonly kind: 'undo';
  readonly id: string;
  readonly at: number;
  readonly undoes: string;
  /** Newest message there was when it was made. */
  readonly tipId?: string;
  /** Thinking bound to a view that it took away is left out (A12). Earlier versions left none out. */
  readonly edits?: readonly RecordedEdit[];
};

export type LogRecord = CompactionRecord | UndoRecord;
