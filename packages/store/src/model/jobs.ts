/** Work on one branch that can wait: a compaction. */
export type Job = {
  readonly tenant: string;
  readonly conversation: string;
  readonly branch: string;
  /** Whatever the one who asked has to say, as JSON. */
  readonly payload: unknown;
};

/** What a worker is given: the job, which try it is, from 1, and whether another one would follow. */
export type Attempt = Job & { readonly attempt: number; readonly isLast: boolean };

/** A job in the queue. `dead`: it failed too often and waits for a person; asking for it again revives it. */
export type QueuedJob = Job & {
  readonly state: 'waiting' | 'running' | 'dead';
  readonly attempts: number;
  /** When it is tried next, in milliseconds since the epoch; of a waiting job only. */
  readonly dueAt?: number;
  /** What the last try failed with. */
  readonly error?: string;
};

/** Does a job. What it throws is kept, and the job is tried again later. The signal aborts when a stop took too long. */
export type JobHandler = (job: Attempt, signal: AbortSignal) => Promise<void>;

/** How a worker works. */
export type WorkerOptions = {
  /**
   * Jobs of different branches at the same time.
   * @default 2
   */
  readonly concurrency?: number;
};

/** A running worker. */
export type JobWorker = {
  /** Takes no more jobs, and resolves when those under way are done. */
  readonly stop: () => Promise<void>;
};

/** A queue of jobs: one waiting job per branch, and one running at a time, however many workers there are. */
export type Jobs = {
  /** Asks for a job; where one waits for the branch already, this one takes its place. */
  readonly enqueue: (job: Omit<Job, 'branch' | 'payload'> & { branch?: string; payload?: unknown }) => Promise<void>;
  readonly startWorker: (handler: JobHandler, options?: WorkerOptions) => Promise<JobWorker>;
  /** Jobs that are not done, dead ones last, at most a thousand. */
  readonly list: () => Promise<readonly QueuedJob[]>;
  /** Stops all workers started here. */
  readonly close: () => Promise<void>;
};

/** How jobs are tried again. */
export type JobsOptions = {
  /**
   * Tries before a job counts as dead.
   * @default 5
   */
  readonly maxAttempts?: number;
};
