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
  const begins = names.filter((known) => name !== '' && known.startsWith(name));
  const [nearest] = names
    .map((known) => ({ known, steps: distance(name, known) }))
    .sort((one, other) => one.steps - other.steps);
  const isNear = nearest !== undefined && nearest.steps <= Math.max(1, Math.floor(name.length / 3));
  const meant = begins.length > 0 ? begins[0] : isNear ? nearest.known : undefined;
  return { name, ...(meant === undefined ? {} : { meant }) };
}

/** Names a command answers to. */
function namesOf({ name, aliases = [] }: Pick<Command, 'name' | 'aliases'>): readonly string[] {
  return [name, ...aliases];
}

/** Steps of one letter from a word to another. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let at = 1; at <= Math.min(one.length, 40); at += 1) {
    const next = [at];
    for (let to = 1; to <= other.length; to += 1) {
      const change = one[at - 1] === other[to - 1] ? 0 : 1;
      next.push(Math.min((row[to] ?? 0) + 1, (next[to - 1] ?? 0) + 1, (row[to - 1] ?? 0) + change));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
