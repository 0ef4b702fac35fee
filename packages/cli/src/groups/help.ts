import type { Command } from 'commander';
import { nearest } from '../nearest.ts';

/** Adds `help` to a command that has others: commander's own shows the whole help for a name it does not know. */
export function addHelp(parent: Command): void {
  parent.helpCommand(false);
  parent
    .command('help')
    .argument('[command]', 'one of them')
    .description('show the help of a command')
    .action((name: string | undefined) => {
      if (name === undefined) parent.help();
      const found = parent.commands.find((command) => command.name() === name || command.aliases().includes(name));
      if (found === undefined) parent.error(unknownCommand(name, parent));
      found.help();
    });
}

// As commander words it where the command itself is not known.
function unknownCommand(name: string, parent: Command): string {
  const known = parent.commands.map((command) => command.name());
  const near = nearest(name, known, Math.min(Math.floor(name.length * 0.4), 3));
  return `error: unknown command '${name}'${near === undefined ? '' : `\n(Did you mean ${near}?)`}`;
}
