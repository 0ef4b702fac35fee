import type { Command } from 'commander';
import type { ChatOptions } from '../chat/options.ts';
import { CHAT_HELP } from '../help/chat.ts';
import type { Running } from './running.ts';
import { STORE } from './store.ts';

/** Adds the command that talks. */
export function addChat(program: Command, { signal, ended }: Running): void {
  program.commandsGroup('Talk:');
  program
    .command('chat')
    .description('talk with a model; it asks what you are working on before it compacts, and forgets nothing')
    .option('--demo', 'a bundled conversation with a scripted model: no key, one minute')
    .option('-m, --model <name>', 'PROVIDER/MODEL (default: EPITOME_MODEL, or the one of the chat resumed)')
    .option('--base-url <url>', 'a server that speaks as OpenAI does: Ollama, LM Studio, vLLM, …')
    .option('-c, --continue', 'go on with the last chat of this folder')
    .option('-r, --resume [id]', 'go on with a chat by the start of its id; without one, list them')
    .option('-w, --window <tokens>', "the model's context window (default: what is known of it, else 128k)")
    .option('--prices <list>', 'dollars per million tokens: input,output[,cached,written]')
    .option('--summarizer <name>', "PROVIDER/MODEL or mechanical (default: the chat's own model)")
    .option('--no-tools', 'no built-in tools')
    .option('--mcp <file>', 'tools of the MCP servers in this file: {"mcpServers": {…}}')
    .option('--config <file>', 'YAML with a compact: block in place of those of the settings')
    .option('--agent <id>', 'the compact: block of one agent, over the global one')
    .option('--plain', 'lines only, without colour or cursor movement: for screen readers and pipes')
    .option('--telemetry-file <file>', 'write an event of figures for each compaction, as JSON lines')
    .option(...STORE)
    .addHelpText('after', CHAT_HELP)
    .action(async (options: ChatOptions) => {
      const { runChat } = await import('../commands/chat.ts');
      ended(await runChat(options, signal));
    });
}
