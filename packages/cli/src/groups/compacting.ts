import type { Command } from 'commander';
import type { CompactOptions } from '../commands/compact.ts';
import type { PlanOptions } from '../commands/plan.ts';
import { RUN_HELP } from '../help/compacting.ts';
import { collect, type Running } from './running.ts';

/** Adds the commands that compact. */
export function addCompacting(program: Command, { signal, ended }: Running): void {
  program.commandsGroup('Compact:');
  withRunOptions(program.command('compact'))
    .description("compact a conversation or an agent's session; it goes to stdout, a short report to stderr")
    .option('--to <form>', 'openai-chat, openai-responses, anthropic, gemini, ai-sdk or markdown (default: its own)')
    .option('-o, --output <file>', 'write the conversation there instead of stdout')
    .option('--report <file>', 'write a report as JSON')
    .option('--json', 'the report on stderr as JSON')
    .action(async (file: string | undefined, options: CompactOptions) => {
      const { runCompact } = await import('../commands/compact.ts');
      ended(await runCompact(file, options, signal));
    });
  withRunOptions(program.command('plan'))
    .description('show what a compaction would keep and summarize, without doing it')
    .option('--json', 'print the plan as JSON')
    .action(async (file: string | undefined, options: PlanOptions) => {
      const { runPlan } = await import('../commands/plan.ts');
      ended(await runPlan(file, options, signal));
    });
}

function withRunOptions(command: Command): Command {
  return command
    .argument('[file]', "conversation as JSON, or an agent's session file; - or nothing reads stdin")
    .option('-f, --format <name>', 'openai-chat, openai-responses, anthropic, gemini or ai-sdk (default: by content)')
    .option('--session <number>', 'which session of the file, by number or id (default: the last)')
    .option('--branch <name>', 'which branch of the session (default: main; inspect lists them)')
    .option('--live', "only what the agent's own last compaction left in view")
    .option('-p, --preset <name>', 'how to compact (default: epitome)')
    .option('--config <file>', 'YAML with a compact: block: a preset (default: selective) and its options')
    .option('--agent <id>', 'the block of one agent in that file, over the global one')
    .option('-m, --model <name>', 'the model it is for, to know its window (default: the one in the file)')
    .option(
      '-w, --window <tokens>',
      "the model's context window, such as 200000 or 200k (default: by model, else 128k)",
    )
    .option('-t, --target <tokens>', 'most tokens the result may have, or off')
    .option('-s, --set <key=value>', 'an option of the preset; repeatable', collect)
    .option('-g, --goal <text>', 'what you are working on')
    .option('--focus <text>', 'what this summary should pay attention to')
    .option('--force', 'compact now, whatever the size')
    .option('--system <file>', 'system prompt, text or JSON: counted, not changed')
    .option('--tools <file>', 'tool schemas: counted, not changed')
    .option('--summarizer <name>', 'mechanical (no model, the default) or PROVIDER/MODEL, see below')
    .option('--summarizer-window <tokens>', "the summarizer's own window (default: --window, at least 8192)")
    .option('--timeout <seconds>', 'longest call of a summarizer (default: 60)')
    .option('-q, --quiet', 'nothing on stderr but errors')
    .addHelpText('after', RUN_HELP);
}
