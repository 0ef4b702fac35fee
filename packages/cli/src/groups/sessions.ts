import type { Command } from 'commander';
import type { DiffOptions } from '../commands/diff.ts';
import type { ImportOptions } from '../commands/import.ts';
import type { InspectOptions } from '../commands/inspect.ts';
import type { RecallOptions } from '../commands/recall.ts';
import type { SessionsOptions } from '../commands/sessions.ts';
import type { ShowOptions } from '../commands/show.ts';
import { DIFF_HELP, IMPORT_HELP, INSPECT_HELP, RECALL_HELP, SESSIONS_HELP, SHOW_HELP } from '../help/sessions.ts';
import type { Running } from './running.ts';
import { onLog } from './store.ts';

/** Adds the commands on sessions of agents. */
export function addSessions(program: Command, running: Running): void {
  program.commandsGroup('Sessions of agents:');
  addReading(program, running);
  addLooking(program, running);
  addStoring(program, running);
}

/** Commands that look at sessions in files and change nothing. */
function addReading(program: Command, { signal, ended }: Running): void {
  program
    .command('inspect')
    .argument('[file]', "an agent's session file or a conversation; - or nothing reads stdin")
    .description(
      'show what is in a session: turns, tools, tokens, duplicates, branches, compactions and what they lost, cost',
    )
    .option('--session <number>', 'which session of the file, by number or id (default: the last)')
    .option('--branch <name>', 'which branch of the session (default: main)')
    .option('-m, --model <name>', "at whose prices (default: the session's model)")
    .option('--prices <list>', 'dollars per million tokens: input,output[,cached,written]')
    .option('-w, --window <tokens>', 'window for the cost with compaction (default: by model, else 128k)')
    .option('--json', 'print everything as JSON')
    .addHelpText('after', INSPECT_HELP)
    .action(async (file: string | undefined, options: InspectOptions) => {
      const { runInspect } = await import('../commands/inspect.ts');
      ended(await runInspect(file, options, signal));
    });
  program
    .command('diff')
    .argument('<before>', 'a conversation or session')
    .argument('<after>', 'another, or any text, such as a hand-over document')
    .description('show which facts of the first the second lacks')
    .option('--kind <name>', 'only facts of one kind, such as path, id or demand')
    .option('--all', 'list every lost fact')
    .option('--json', 'print them as JSON')
    .addHelpText('after', DIFF_HELP)
    .action(async (before: string, after: string, options: DiffOptions) => {
      const { runDiff } = await import('../commands/diff.ts');
      ended(await runDiff({ before, after }, options, signal));
    });
}

/** The command that looks around on this machine. */
function addLooking(program: Command, { signal, ended }: Running): void {
  program
    .command('sessions')
    .description("list the sessions in the usual places of this machine's agents; nothing is changed")
    .option('--agent <name>', 'only those of one agent, such as claude-code')
    .option('-n, --limit <number>', 'how many, newest first (default: 20)')
    .option('--json', 'print them as JSON')
    .addHelpText('after', SESSIONS_HELP)
    .action(async (options: SessionsOptions) => {
      const { runSessions } = await import('../commands/sessions.ts');
      ended(await runSessions(options, signal));
    });
}

/** Commands that work on the store. */
function addStoring(program: Command, { signal, ended }: Running): void {
  onLog(program.command('import'))
    .argument('<path...>', 'session files, or folders with them')
    .description('take sessions into the store; run again, it takes in what is new')
    .option('--again', 'read files that have not changed, too')
    .option('-q, --quiet', 'nothing on stderr but errors')
    .option('--json', 'print what was done as JSON')
    .addHelpText('after', IMPORT_HELP)
    .action(async (paths: readonly string[], options: ImportOptions) => {
      const { runImport } = await import('../commands/import.ts');
      ended(await runImport(paths, options, signal));
    });
  onLog(program.command('recall'))
    .argument('<words...>', 'what to look for')
    .description('find messages in everything that was imported')
    .option('-c, --conversation <id>', 'only in one conversation, by its id or a beginning of it')
    .option('-n, --limit <number>', 'how many, best first (default: 10)')
    .option('--json', 'print them as JSON')
    .addHelpText('after', RECALL_HELP)
    .action(async (words: readonly string[], options: RecallOptions) => {
      const { runRecall } = await import('../commands/recall.ts');
      ended(await runRecall(words, options));
    });
  onLog(program.command('show'))
    .argument('<conversation>', 'its id, or a beginning that only one has')
    .argument('[message]', 'the id of one message, as recall prints it (default: all)')
    .description('show a conversation of the store, or one message of it, as it was said')
    .option('--branch <name>', 'one of its branches (default: main)')
    .option('--around <number>', 'so many messages before and after it, too')
    .option('--json', 'print the messages as JSON, as they are kept')
    .addHelpText('after', SHOW_HELP)
    .action(async (conversation: string, message: string | undefined, options: ShowOptions) => {
      const { runShow } = await import('../commands/show.ts');
      ended(await runShow(conversation, message, options));
    });
}
