import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import type { CompactOptions } from './commands/compact.ts';
import type { DiffOptions } from './commands/diff.ts';
import type { ImportOptions } from './commands/import.ts';
import type { InspectOptions } from './commands/inspect.ts';
import type { PlanOptions } from './commands/plan.ts';
import type { RecallOptions } from './commands/recall.ts';
import type { SessionsOptions } from './commands/sessions.ts';
import { collect, type Ended } from './ended.ts';
import { COMPLETION_HELP, DIFF_HELP, IMPORT_HELP, INSPECT_HELP, MAIN_HELP, RECALL_HELP, RUN_HELP } from './help.ts';
import { columns, wrapLines } from './output/text.ts';
import { addStoreCommands, STORE } from './store-program.ts';

/** The command line. Commands are loaded when they run, so that help is quick. */
export function createProgram(signal: AbortSignal, ended: Ended): Command {
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
  addRunning(program, signal, ended);
  addReading(program, signal, ended);
  addLooking(program, signal, ended);
  addStoring(program, signal, ended);
  addStoreCommands(program, { signal, ended });
  addHelping(program, ended);
  return program;
}

/** Commands that compact. */
function addRunning(program: Command, signal: AbortSignal, ended: Ended): void {
  withRunOptions(program.command('compact'))
    .description("compact a conversation or an agent's session; it goes to stdout, a short report to stderr")
    .option('--to <form>', 'openai-chat, openai-responses, anthropic, gemini, ai-sdk or markdown (default: its own)')
    .option('-o, --output <file>', 'write the conversation there instead of stdout')
    .option('--report <file>', 'write a report as JSON')
    .option('--json', 'the report on stderr as JSON')
    .action(async (file: string | undefined, options: CompactOptions) => {
      const { runCompact } = await import('./commands/compact.ts');
      ended(await runCompact(file, options, signal));
    });
  withRunOptions(program.command('plan'))
    .description('show what a compaction would keep and summarize, without doing it')
    .option('--json', 'print the plan as JSON')
    .action(async (file: string | undefined, options: PlanOptions) => {
      const { runPlan } = await import('./commands/plan.ts');
      ended(await runPlan(file, options, signal));
    });
}

/** Commands that look at sessions and change nothing. */
function addReading(program: Command, signal: AbortSignal, ended: Ended): void {
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
    .option('-w, --window <tokens>', 'window for the cost with compaction (default: 128k)')
    .option('--json', 'print everything as JSON')
    .addHelpText('after', INSPECT_HELP)
    .action(async (file: string | undefined, options: InspectOptions) => {
      const { runInspect } = await import('./commands/inspect.ts');
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
      const { runDiff } = await import('./commands/diff.ts');
      ended(await runDiff({ before, after }, options, signal));
    });
}

/** Commands about the command itself. */
function addHelping(program: Command, ended: Ended): void {
  program
    .command('presets')
    .argument('[name]', 'one of them')
    .description('list the presets with their options, defaults and ranges')
    .option('--json', 'print them as JSON')
    .action(async (name: string | undefined, options: { readonly json?: true }) => {
      const { runPresets } = await import('./commands/presets.ts');
      ended(await runPresets(name, options));
    });
  program
    .command('completion')
    .argument('<shell>', 'bash, zsh or fish')
    .description('print the completions of a shell')
    .addHelpText('after', COMPLETION_HELP)
    .action(async (shell: string) => {
      const { runCompletion } = await import('./commands/completion.ts');
      ended(await runCompletion(shell, program));
    });
}

/** The command that looks around on this machine. */
function addLooking(program: Command, signal: AbortSignal, ended: Ended): void {
  program
    .command('sessions')
    .description("list the sessions in the usual places of this machine's agents; nothing is changed")
    .option('--agent <name>', 'only those of one agent, such as claude-code')
    .option('-n, --limit <number>', 'how many, newest first (default: 20)')
    .option('--json', 'print them as JSON')
    .action(async (options: SessionsOptions) => {
      const { runSessions } = await import('./commands/sessions.ts');
      ended(await runSessions(options, signal));
    });
}

/** Commands that work on the store. */
function addStoring(program: Command, signal: AbortSignal, ended: Ended): void {
  program
    .command('import')
    .argument('<path...>', 'session files, or folders with them')
    .description('take sessions into the store; run again, it takes in what is new')
    .option(...STORE)
    .option('--again', 'read files that have not changed, too')
    .option('-q, --quiet', 'nothing on stderr but errors')
    .option('--json', 'print what was done as JSON')
    .addHelpText('after', IMPORT_HELP)
    .action(async (paths: readonly string[], options: ImportOptions) => {
      const { runImport } = await import('./commands/import.ts');
      ended(await runImport(paths, options, signal));
    });
  program
    .command('recall')
    .argument('<words...>', 'what to look for')
    .description('find messages in everything that was imported')
    .option(...STORE)
    .option('-c, --conversation <id>', 'only in one conversation')
    .option('-n, --limit <number>', 'how many, best first (default: 10)')
    .option('--json', 'print them as JSON')
    .addHelpText('after', RECALL_HELP)
    .action(async (words: readonly string[], options: RecallOptions) => {
      const { runRecall } = await import('./commands/recall.ts');
      ended(await runRecall(words, options));
    });
}

function withRunOptions(command: Command): Command {
  return command
    .argument('[file]', "conversation as JSON, or an agent's session file; - or nothing reads stdin")
    .option('-f, --format <name>', 'openai-chat, openai-responses, anthropic, gemini or ai-sdk (default: by content)')
    .option('--session <number>', 'which session of the file, by number or id (default: the last)')
    .option('--branch <name>', 'which branch of the session (default: main; inspect lists them)')
    .option('--live', "only what the agent's own last compaction left in view")
    .option('-p, --preset <name>', 'how to compact', 'epitome')
    .option('-w, --window <tokens>', "the model's context window, such as 200000 or 200k (default: 128k)")
    .option('-t, --target <tokens>', 'most tokens the result may have, or off')
    .option('-s, --set <key=value>', 'an option of the preset; repeatable', collect)
    .option('-g, --goal <text>', 'what you are working on')
    .option('--focus <text>', 'what this summary should pay attention to')
    .option('--force', 'compact now, whatever the size')
    .option('--system <file>', 'system prompt, text or JSON: counted, not changed')
    .option('--tools <file>', 'tool schemas: counted, not changed')
    .option('--summarizer <name>', 'mechanical (no model) or PROVIDER/MODEL, see below', 'mechanical')
    .option('--summarizer-window <tokens>', "the summarizer's own window (default: --window, at least 8192)")
    .option('--timeout <seconds>', 'longest call of a summarizer (default: 60)')
    .option('-q, --quiet', 'nothing on stderr but errors')
    .addHelpText('after', RUN_HELP);
}

function version(): string {
  const { version: found }: { version?: string } = JSON.parse(
    readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
  );
  return found ?? 'unknown';
}
