/** Runs one piece of work after the other, in order of asking. */
export type Queue = <T>(work: () => Promise<T>) => Promise<T>;

/** An empty queue. */
export function createQueue(): Queue {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const run = last.then(work, work);
    // The next one waits for the end, not for success.
    last = run.catch(() => {});
    return run;
  };
}
