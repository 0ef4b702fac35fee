import type { Log, Snapshot } from '@epitome/store';
import type { Calibration, Cause, Fixed, Outcome, Policy } from 'epitome';
import type { SummarizerCall } from '../model/report.ts';
import type { Chain } from './chain.ts';

/** A compaction of a stored branch. */
export type Compacting = {
  readonly log: Log;
  readonly chain: Chain;
  readonly policy: Policy;
  readonly fixed: Fixed;
  readonly goal?: string | undefined;
  readonly calibration?: Calibration | undefined;
  readonly cause: Cause;
  /** The state the decision was taken on: in any other one somebody was faster. */
  readonly expected: Snapshot;
  /** Whether the triggers say so; else it is made ahead of them. */
  readonly isDue?: boolean;
};

/** A compaction that is made while the conversation goes on, and the state it was begun in. */
export type Preparation = {
  readonly snapshot: Snapshot;
  /** The last message it knows; when it was begun, by the process's clock; whether it was due by then. */
  readonly tip: string | undefined;
  readonly startedAt: number;
  readonly isDue: boolean;
  /** How it ended, with what it is to be published against; `undefined` where it was stopped or failed. */
  readonly done: Promise<Prepared | undefined>;
  readonly stop: AbortController;
};

/** What a preparation came to. */
export type Prepared = {
  readonly outcome: Outcome;
  readonly snapshot: Snapshot;
  readonly calls: readonly SummarizerCall[];
};
