import type { Log } from '@epitome/store';
import type { Decision, Policy } from 'epitome';
import type { Branch, Shown } from './branch.ts';
import type { Tree } from './cache.ts';
import type { Compacted } from './compact.ts';
import type { Deferred } from './deferred.ts';
import type { Left } from './left.ts';
import type { Taking } from './plane.ts';

/** A turn whose branch is found. */
export type Sending = Taking & {
  readonly log: Log;
  readonly tree: Tree;
  readonly branch: Branch;
  /** What its model must not be sent. */
  readonly left: Left;
};

/** What is known of a turn when its request is written. */
export type Decided = {
  readonly policy: Policy;
  readonly decision: Decision;
  readonly compacted?: Compacted;
  /** The decision that led to a compaction. */
  readonly before?: Decision;
  readonly isRetry?: true;
  /** Why a compaction that was due waits, and the request goes out without it. */
  readonly deferred?: Deferred;
};

/** What is shown of this client's history; another request may have taken the branch further meanwhile. */
export function shownTo({ branch, ask: { chain } }: Pick<Sending, 'branch' | 'ask'>): readonly Shown[] {
  if (branch.ids.length === chain.ids.length) return branch.shown;
  return branch.shown.filter(({ source = -1 }) => source < chain.ids.length);
}
