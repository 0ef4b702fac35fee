import { setImmediate as turn } from 'node:timers/promises';
import { storeClosed } from '../model/errors.ts';
import { createQueue } from '../text/queue.ts';
import { asStoreError } from './errors.ts';

/** Lets one piece of work after the other to an open file; what goes wrong is told in words. */
export type Gate = {
  /** The work is told when it was asked for, on the clock of `performance.now`. */
  readonly openly: <T>(work: (askedAt: number) => Promise<T>) => Promise<T>;
  /** Closes when all work before it is done; once. */
  readonly close: (work: () => void) => Promise<void>;
};

// SQLite answers at once: a loop of appends would leave timers, signals and sockets without a turn.
const LONGEST_MS = 20;

/** The gate of a file. */
export function createGate(path: string): Gate {
  const enqueue = createQueue();
  let isOpen = true;
  let turned = performance.now();
  return {
    openly: (work) => {
      const askedAt = performance.now();
      return enqueue(async () => {
        if (performance.now() - turned > LONGEST_MS) {
          await turn();
          turned = performance.now();
        }
        if (!isOpen) throw storeClosed();
        try {
          return await work(askedAt);
        } catch (error) {
          throw asStoreError(error, path);
        }
      });
    },
    close: (work) =>
      enqueue(async () => {
        if (isOpen) work();
        isOpen = false;
      }),
  };
}
