import type { Command } from 'commander';
import type { Ended } from '../ended.ts';

/** How a command learns that it is to stop, and says how it ended. */
export type Running = { readonly signal: AbortSignal; readonly ended: Ended };

/** Adds commands that belong together to the command line. */
export type Group = (program: Command, running: Running) => void;
