/** Takes a failed transaction back, without hiding why it failed: a full disk has ended it by itself already. */
export function rollBack(run: () => unknown): void {
  try {
    run();
  } catch {
    // What failed before is what its caller throws.
  }
}
