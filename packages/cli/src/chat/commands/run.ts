import type { Running } from '../state.ts';
import { branch, switchTo, tree } from './branches.ts';
import { compress, redo, restore, undo } from './compacting.ts';
import { COMMANDS, type CommandName } from './names.ts';
import { plan } from './plan.ts';
import { exit, goal, help, model, recall, retry, settings, stats } from './rest.ts';
import { type Command, findCommand, readLine } from './table.ts';

const RUNS: Readonly<Record<CommandName, Command['run']>> = {
  compress,
  plan,
  undo,
  redo,
  restore,
  recall,
  branch,
  tree,
  switch: switchTo,
  goal,
  stats,
  settings,
  model,
  retry,
  help,
  exit,
};

const ALL: readonly Command[] = COMMANDS.map((command) => ({ ...command, run: RUNS[command.name] }));

/** Runs a slash command and says what came of it. */
export async function runCommand(running: Running, line: string, signal: AbortSignal): Promise<void> {
  const { tell } = running.world;
  const { name, rest } = readLine(line);
  const command = findCommand(ALL, name);
  if (!('run' in command)) {
    const meant = command.meant === undefined ? '/help lists them' : `did you mean /${command.meant}?`;
    tell({ kind: 'said', tone: 'warning', lines: [`There is no command /${name}; ${meant}`] });
    return;
  }
  const lines = await command.run(running, { rest, signal });
  if (lines.length > 0) tell({ kind: 'said', tone: 'plain', lines });
}
