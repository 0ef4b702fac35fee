import type { Marks, Snapshot } from '@epitome/store';
import type { Cause, Decision, Policy } from 'epitome';
import type { CheckIn, Reductions } from 'epitome/goals';
import type { ChatSummarizer } from './summarizer.ts';

/** What is asked of one compaction. */
export type Wish = {
  readonly cause: Cause;
  readonly goal?: string;
  /** Instructions for this one; they never stay. */
  readonly focus?: string;
  /** Messages that stay or go whatever the policy says. */
  readonly marks?: Marks;
};

/** What a check found. */
export type Checked = {
  readonly decision: Decision;
  readonly policy: Policy;
  /** Whether a compaction would change anything. */
  readonly canCut: boolean;
  readonly natives: readonly unknown[];
  /** The state it looked at. */
  readonly snapshot: Snapshot;
};

/** A compaction that is to be carried out, and what led to it. */
export type Order = {
  readonly checked: Checked;
  readonly done: CheckIn;
  readonly wish: Wish;
  readonly summarizer: ChatSummarizer | undefined;
  readonly reductions: Reductions;
};
