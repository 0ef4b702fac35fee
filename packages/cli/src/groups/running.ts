import type { Command } from 'commander';

/** How a command learns that it is to stop, and says with which exit code it ended. */
export type Running = { readonly signal: AbortSignal; readonly ended: (exitCode: number) => void };

/** Adds commands that belong together to the command line. */
export type Group = (program: Command, running: Running) => void;

/** Values of an option that may be given more than once. */
export function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}
