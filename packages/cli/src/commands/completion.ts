import type { Command } from 'commander';
import { listOf } from '../completion/lists.ts';
import { bashScript, fishScript } from '../completion/scripts.ts';
import { commandsOf, LIST_NAMES } from '../completion/words.ts';
import { UsageError } from '../errors.ts';
import { plain } from '../output/text.ts';
import { writeOut } from '../output/write.ts';

const SHELLS = ['bash', 'zsh', 'fish'] as const;

/** Prints the completions of a shell, or one of the lists they ask for. Returns the exit code. */
export async function runCompletion(wanted: string, program: Command): Promise<number> {
  const list = LIST_NAMES.find((name) => name === wanted);
  if (list !== undefined) {
    const lines = await listOf(list);
    await writeOut(lines.map((line) => `${plain(line)}\n`).join(''));
    return 0;
  }
  const shell = SHELLS.find((name) => name === wanted);
  switch (shell) {
    case 'bash':
      await writeOut(bashScript(commandsOf(program)));
      return 0;
    case 'zsh':
      await writeOut(
        `#compdef epitome\nautoload -U +X bashcompinit && bashcompinit\n${bashScript(commandsOf(program))}`,
      );
      return 0;
    case 'fish':
      await writeOut(fishScript(commandsOf(program)));
      return 0;
    case undefined:
      throw new UsageError(`There are completions for ${SHELLS.join(', ')}, not for ${JSON.stringify(wanted)}.`);
    default:
      return shell satisfies never;
  }
}
