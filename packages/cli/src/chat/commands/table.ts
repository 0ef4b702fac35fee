import { nearest } from '../../nearest.ts';
import type { Running } from '../state.ts';

/** What stands behind a command's name. */
type Given = { readonly rest: string; readonly signal: AbortSignal };

/** A slash command. Lines it gives are shown. */
export type Command = {
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly takes: string;
  readonly help: string;
  readonly run: (running: Running, given: Given) => Promise<readonly string[]>;
};

/** A name that was not known, with the command that may have been meant. */
export type Unknown = { readonly name: string; readonly meant?: string };

/** Whether a text is meant as a command: paths, comments and patterns begin with a slash, too. */
export function isCommand(text: string): boolean {
  return /^\/[\w-]*(?:\s|$)/.test(text);
}

/** A line split into the command's name and the rest. */
export function readLine(line: string): { readonly name: string; readonly rest: string } {
  const match = /^\/(\S*)\s*([\s\S]*)$/.exec(line.trim());
  return { name: (match?.[1] ?? '').toLowerCase(), rest: (match?.[2] ?? '').trim() };
}

/** The command of a name, or what may have been meant. */
export function findCommand(commands: readonly Command[], name: string): Command | Unknown {
  const found = commands.find((command) => namesOf(command).includes(name));
  if (found !== undefined) return found;
  const names = commands.flatMap(namesOf);
  const begun = name === '' ? undefined : names.find((known) => known.startsWith(name));
  // A long line is no name that was mistyped.
  const meant = begun ?? nearest(name.slice(0, LONGEST), names, Math.max(1, Math.floor(name.length / 3)));
  return { name, ...(meant === undefined ? {} : { meant }) };
}

const LONGEST = 40;

/** Names a command answers to. */
function namesOf({ name, aliases = [] }: Pick<Command, 'name' | 'aliases'>): readonly string[] {
  return [name, ...aliases];
}
