export { LOCAL_TENANT, locationOf, nameOf, type StoreLocation, type Surroundings } from './location/location.ts';
export { openJobs, openStore } from './location/open.ts';
export { chainedId } from './log/chain.ts';
export { attemptsOf } from './log/records.ts';
export { memoryStore } from './memory/index.ts';
export { isStoreError, StoreError, type StoreErrorCode } from './model/errors.ts';
export type {
  Attempt,
  Job,
  JobHandler,
  Jobs,
  JobsOptions,
  JobWorker,
  QueuedJob,
  WorkerOptions,
} from './model/jobs.ts';
export type {
  Appended,
  AppendTarget,
  BranchInfo,
  BranchRef,
  ChangeRef,
  ConversationInfo,
  Durability,
  Found,
  Hit,
  ImportProgress,
  Log,
  NewMessage,
  Publication,
  RecordDetails,
  RecordEntry,
  RecordState,
  Snapshot,
  Store,
  StoredMessage,
  StoredView,
  StoredViewEntry,
  StoreStats,
  TreeMessage,
  ViewOptions,
  Work,
  WorkOptions,
} from './model/port.ts';
export {
  type BranchOutcome,
  type BranchWork,
  compactBranch,
  type Expecting,
  type Overtaken,
  type Price,
} from './work/compact-branch.ts';
export { type CompactionJobs, type CompactionOrder, compactionHandler } from './work/handler.ts';
export type { Marks } from './work/marks.ts';
