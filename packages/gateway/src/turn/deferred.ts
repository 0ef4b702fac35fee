/** Why a compaction that was due is put off while the request goes out as it is. */
export abstract class Deferred extends Error {
  /** In one word, for the report. */
  abstract readonly reason: string;
}

/**
 * How long a request that still fits waits for a model's summary, from when that was begun. Long enough for a summary that was
 * nearly ready and for a model close by; a person who waits for an answer hardly notices it.
 */
export const SUMMARY_WAIT_MS = 2000;

/** A summary that was not ready in that time, and serves a later turn. */
export class SummaryPending extends Deferred {
  readonly reason = 'summary-pending';
  constructor() {
    super(`compaction under way (no summary after ${SUMMARY_WAIT_MS / 1000}s)`);
    this.name = 'SummaryPending';
  }
}
