import type { Finding, Method } from 'epitome';
import type { CompactionResult } from 'epitome/goals';

/** How a compaction in a chat ended. */
export type CompactionEnd =
  | {
      readonly kind: 'ended';
      readonly result: CompactionResult;
      readonly method: Method;
      readonly findings: readonly Finding[];
      readonly facts?: { readonly kept: number; readonly total: number };
      readonly cost?: number;
      readonly seconds: number;
      /** The summary the model will read. */
      readonly summary: string;
    }
  | { readonly kind: 'cancelled'; readonly utilization: number }
  | { readonly kind: 'superseded' }
  /** The provider limits the rate: it is done with a later message, after so many seconds. */
  | { readonly kind: 'deferred'; readonly seconds: number }
  | { readonly kind: 'failed'; readonly detail: string; readonly utilization: number };

/** One that came to an end of its own. */
export type Compacted = Extract<CompactionEnd, { kind: 'ended' }>;

/** Whether it changed what the model is shown. */
export function isCompacted(end: CompactionEnd): end is Compacted {
  return end.kind === 'ended' && (end.result.status === 'compressed' || end.result.status === 'truncated');
}
