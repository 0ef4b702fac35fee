import type { LogRecord } from 'epitome';

/** Where a record is in its life. `undone` is derived: a later record took it back. */
export type RecordState = 'started' | 'completed' | 'failed' | 'superseded' | 'undone';

/** What is kept beside a record: data that no projection reads. */
export type RecordDetails = {
  /** Who wrote the summary. */
  readonly model?: string;
  /** A fingerprint of the instructions it was given. */
  readonly promptVersion?: string;
  /** Why it came to nothing. */
  readonly error?: string;
  readonly cost?: { readonly amount: number; readonly currency: string };
  readonly telemetry?: Readonly<Record<string, unknown>>;
};

/** A record with where it stands. */
export type RecordEntry = {
  readonly record: LogRecord;
  readonly state: RecordState;
  readonly branch: string;
  /**
   * Whom it concerns: every branch that holds its parent message, or its own branch and those made from it later. What is
   * undone, redone or restored, and what follows on such a branch, is the branch's own.
   */
  readonly scope: 'tree' | 'branch';
  readonly seq: number;
  /** The record applies to branches that hold this message. */
  readonly parentMessageId?: string;
  readonly details: RecordDetails;
};
