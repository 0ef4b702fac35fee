import { setTimeout as sleep } from 'node:timers/promises';
import type { Prepare } from './statements.ts';

const PATIENCE_MS = 2_000;
const PAUSE_MS = 25;
const AGAIN_MS = 500;

/** Empties the WAL, which still holds pages as they were before a deletion. */
export type Scrubber = { readonly scrub: () => Promise<void>; readonly end: () => void };

/**
 * The WAL is written back and cut to nothing. A reader that holds an earlier state is waited for; where it takes long, trying goes
 * on in the background, so that nothing stays once it is done.
 */
export function createScrubber(prepare: Prepare, run: <T>(work: () => Promise<T>) => Promise<T>): Scrubber {
  let timer: NodeJS.Timeout | undefined;
  const isDone = (): Promise<boolean> =>
    run(async () => {
      const row = prepare('pragma wal_checkpoint(truncate)').get() as { readonly busy: number };
      return row.busy === 0;
    }).catch(() => false);
  const later = (): void => {
    timer = setTimeout(() => void isDone().then((done) => done || later()), AGAIN_MS).unref();
  };
  return {
    scrub: async () => {
      clearTimeout(timer);
      const deadline = performance.now() + PATIENCE_MS;
      while (!(await isDone())) {
        if (performance.now() > deadline) return later();
        await sleep(PAUSE_MS);
      }
    },
    end: () => clearTimeout(timer),
  };
}
