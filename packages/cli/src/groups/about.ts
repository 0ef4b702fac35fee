import type { Command } from 'commander';
import { COMPLETION_HELP, PRESETS_HELP } from '../help/about.ts';
import { addHelp } from './help.ts';
import type { Running } from './running.ts';

/** Adds the commands about the command itself. */
export function addAbout(program: Command, { ended }: Running): void {
  program.commandsGroup('About:');
  program
    .command('presets')
    .argument('[name]', 'one of them')
    .description('list the presets with their options, defaults and ranges')
    .option('--json', 'print them as JSON')
    .addHelpText('after', PRESETS_HELP)
    .action(async (name: string | undefined, options: { readonly json?: true }) => {
      const { runPresets } = await import('../commands/presets.ts');
      ended(await runPresets(name, options));
    });
  program
    .command('completion')
    .argument('<shell>', 'bash, zsh or fish')
    .description('print the completions of a shell')
    .addHelpText('after', COMPLETION_HELP)
    .action(async (shell: string) => {
      const { runCompletion } = await import('../commands/completion.ts');
      ended(await runCompletion(shell, program));
    });
  addHelp(program);
}
