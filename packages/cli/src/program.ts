import { Command } from 'commander';
import { addAbout } from './groups/about.ts';
import { addChat } from './groups/chat.ts';
import { addCompacting } from './groups/compacting.ts';
import { addRun } from './groups/run.ts';
import type { Group, Running } from './groups/running.ts';
import { addServing } from './groups/serving.ts';
import { addSessions } from './groups/sessions.ts';
import { addSettings } from './groups/settings.ts';
import { addStoreCommands } from './groups/store.ts';
import { MAIN_HELP } from './help/main.ts';
import { columns, wrapLines } from './output/text.ts';
import { version } from './version.ts';

// In the order of the help. A group loads its commands when they run, so that help is quick.
const GROUPS: readonly Group[] = [
  addChat,
  addRun,
  addCompacting,
  addSessions,
  addStoreCommands,
  addServing,
  addSettings,
  addAbout,
];

/** The command line. */
export function createProgram(running: Running): Command {
  const program = new Command('epitome')
    .description('Compacts long LLM conversations, and says what it kept, what it dropped and what it cost.')
    .version(version(), '-v, --version')
    .configureOutput({
      getOutHelpWidth: columns,
      getErrHelpWidth: columns,
      // Commander does not break lines of narrow terminals.
      writeOut: (text) => process.stdout.write(wrapLines(text, columns())),
      writeErr: (text) => process.stderr.write(wrapLines(text, columns())),
      outputError: (text, write) => write(text.replace(/^error: /, 'epitome: ')),
    })
    .showSuggestionAfterError()
    .addHelpText('after', MAIN_HELP)
    .exitOverride();
  for (const add of GROUPS) add(program, running);
  return program;
}
