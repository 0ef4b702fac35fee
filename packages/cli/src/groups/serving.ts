import type { Command } from 'commander';
import type { ServeOptions } from '../commands/serve.ts';
import { SERVE_HELP } from '../help/serving.ts';
import type { Running } from './running.ts';
import { STORE } from './store.ts';

/** Adds the command that serves clients. */
export function addServing(program: Command, { signal, ended }: Running): void {
  program.commandsGroup('Gateway:');
  program
    .command('serve')
    .description('stand between clients and their providers, and keep every request inside the window')
    .option('-c, --config <file>', 'configuration, YAML or JSON; read again when it changes')
    .option('--host <address>', 'where to listen (default: 127.0.0.1)')
    .option('--port <number>', 'where to listen, 0 for any free one (default: 4141)')
    .option(...STORE)
    .option('--tenant <name>', 'all callers share the conversations of this one; loopback only')
    .option('-p, --preset <name>', 'how to compact, where the configuration does not say (default: epitome)')
    .option('-w, --window <tokens>', "the models' window, where the configuration does not say (default: by model)")
    .option('--summarizer <name>', 'mechanical or PROVIDER/MODEL, see `epitome help compact` (default: mechanical)')
    .option('--summarizer-window <tokens>', "the summarizer's own window (default: the model's, at least 8192)")
    .option('--timeout <seconds>', 'longest call of a summarizer (default: 60)')
    .option('--import <path...>', 'take these sessions into the store first')
    .option('--log <level>', 'silent, error, warn, info or debug (default: info)')
    .addHelpText('after', SERVE_HELP)
    .action(async (options: ServeOptions) => {
      const { runServe } = await import('../commands/serve.ts');
      ended(await runServe(options, signal));
    });
}
