import type { Prepare } from './statements.ts';

/** A transaction in one go: nothing in it waits, so nothing is paid for waiting. */
export function atOnce<T>(prepare: Prepare, work: () => T): T {
  prepare('begin immediate').run();
  try {
    const result = work();
    prepare('commit').run();
    return result;
  } catch (error) {
    rollBack(() => prepare('rollback').run());
    throw error;
  }
}

/** Takes a failed transaction back, without hiding why it failed: a full disk has ended it by itself already. */
export function rollBack(run: () => unknown): void {
  try {
    run();
  } catch {
    // What failed before is what its caller throws.
  }
}
