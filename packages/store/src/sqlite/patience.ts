import { setTimeout as sleep } from 'node:timers/promises';
import { isBusy } from './errors.ts';

const PATIENCE_MS = 5_000;
// Whoever waited behind others for all of it tries a few times all the same.
const LEAST_MS = 50;
const LONGEST_MS = 40;

/**
 * Tries until another process lets go, for five seconds from when the work was asked for: those that wait behind each other
 * wait for the same lock. Waits without holding up this process, unlike SQLite's own wait.
 */
export async function patiently<T>(work: () => T | Promise<T>, askedAt: number = performance.now()): Promise<T> {
  let deadline: number | undefined;
  for (let pause = 1; ; pause = Math.min(LONGEST_MS, pause * 2)) {
    try {
      return await work();
    } catch (error) {
      deadline ??= Math.max(askedAt + PATIENCE_MS, performance.now() + LEAST_MS);
      if (!isBusy(error) || performance.now() > deadline) throw error;
    }
    // Jitter keeps processes from meeting again and again.
    await sleep(pause * (0.5 + Math.random()));
  }
}
