import type { Command } from 'commander';
import { RUN_TASK_HELP } from '../help/run.ts';
import type { RunTaskOptions } from '../run/run.ts';
import type { Running } from './running.ts';
import { STORE } from './store.ts';

/** Adds the command that works on a task by itself. */
export function addRun(program: Command, { signal, ended }: Running): void {
  program
    .command('run')
    .argument('[task...]', 'what to do; nothing reads it from stdin, - at the end adds stdin to it')
    .description('give a model a task and tools until it is done, without anybody to ask')
    .option('-m, --model <name>', 'PROVIDER/MODEL (default: EPITOME_MODEL, then the setting model.name)')
    .option('--base-url <url>', 'a server that speaks as OpenAI does: Ollama, LM Studio, vLLM, …')
    .option('-c, --continue', 'go on with the last session of this folder')
    .option('-r, --resume <id>', 'go on with a session by the start of its id')
    .option('-w, --window <tokens>', "the model's context window (default: what is known of it, else 128k)")
    .option('--prices <list>', 'dollars per million tokens: input,output[,cached,written]')
    .option('--summarizer <name>', "PROVIDER/MODEL or mechanical (default: the session's own model)")
    .option('--no-tools', 'no built-in tools')
    .option('--allow-shell', 'let it run any shell command')
    .option('--mcp <file>', 'tools of the MCP servers in this file: {"mcpServers": {…}}')
    .option('--allow-mcp', 'let it use the tools of MCP servers')
    .option('--config <file>', 'YAML with a compact: block: a preset (default: selective) and its options')
    .option('--agent <id>', 'the compact: block of one agent, over the global one')
    .option('--telemetry-file <file>', 'write an event of figures for each compaction, as JSON lines')
    .option(...STORE)
    .option('--json', 'events on stdout, one JSON object a line')
    .option('-q, --quiet', 'nothing on stderr but errors')
    .addHelpText('after', RUN_TASK_HELP)
    .action(async (words: readonly string[], options: RunTaskOptions) => {
      const { runRun } = await import('../commands/run.ts');
      ended(await runRun(words, options, signal));
    });
}
