import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import type { CompactOptions } from './commands/compact.ts';
import type { PlanOptions } from './commands/plan.ts';
import { collect, type Ended } from './ended.ts';
import { MAIN_HELP, RUN_HELP } from './help.ts';
import { columns, wrapLines } from './output/text.ts';
import { addStoreCommands } from './store-program.ts';

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
  withRunOptions(program.command('compact'))
    .description('compact a conversation; it goes to stdout in its own format, a short report to stderr')
    .option('-o, --output <file>', 'write the conversation there instead of stdout')
    .option('--report <file>', 'write a report as JSON')
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
  program
    .command('presets')
    .argument('[name]', 'one of them')
    .description('list the presets with their options, defaults and ranges')
    .action(async (name: string | undefined) => {
      const { runPresets } = await import('./commands/presets.ts');
      ended(await runPresets(name));
    });
  addStoreCommands(program, { signal, ended });
  return program;
}

function withRunOptions(command: Command): Command {
  return command
    .argument('[file]', 'conversation as JSON; - or nothing reads stdin')
    .option('-f, --format <name>', 'openai-chat, openai-responses, anthropic, gemini or ai-sdk (default: by content)')
    .option('-p, --preset <name>', 'how to compact', 'epitome')
    .option('-w, --window <tokens>', "the model's context window, such as 200000 or 200k (default: 128k)")
    .option('-t, --target <tokens>', 'most tokens the result may have')
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
