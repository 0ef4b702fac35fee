import type { Payback } from './cost.ts';
import type { Trigger, TriggerReason } from './policy.ts';

/** Why nothing is compacted now. */
export type WaitReason =
  | 'below-threshold'
  | 'message-guard'
  | 'time-guard'
  | 'in-progress'
  | 'pending-tool-call'
  | 'disabled'
  | 'latched'
  | 'no-growth'
  | 'does-not-pay'
  | 'empty-history'
  | 'counter-failed';

/** Whether to compact, why, and the figures it was decided on. */
export type Decision = {
  readonly compact: boolean;
  readonly isSafetyValve: boolean;
  readonly reason: WaitReason | TriggerReason | 'forced';
  /** Tokens of the whole request. */
  readonly tokens: number;
  /** `tokens` as a share of the window. */
  readonly utilization: number;
  /** Prompts and replies since the last attempt at a compaction, or since the start. */
  readonly messagesSince: number;
  /** Seconds since the last attempt; absent before the first. */
  readonly secondsSince?: number;
  /** Set where a latch forbids model calls but the request no longer fits the window. */
  readonly modelFree?: true;
  /** What the limit is one on. */
  readonly measure?: Trigger['measure'];
  /** The limit that fired or came nearest, in the unit of its measure. */
  readonly limit?: number;
  /** What the compaction is expected to cost and save, where prices are known. */
  readonly payback?: Payback;
};

/** A size the request was left at: by a success, by taking one back, or because nothing could be cut. */
export type Settled = { readonly by: 'success' | 'undo' | 'noop'; readonly tokens: number };
