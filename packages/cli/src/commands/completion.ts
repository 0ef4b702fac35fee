import type { Command } from 'commander';
import { UsageError } from '../errors.ts';
import { writeOut } from '../output/write.ts';

const SHELLS = ['bash', 'zsh', 'fish'] as const;

/** Prints the completions of a shell. Returns the exit code. */
export async function runCompletion(shell: string, program: Command): Promise<number> {
  const words = commandsOf(program);
  switch (shell) {
    case 'bash':
      await writeOut(bashScript(words));
      return 0;
    case 'zsh':
      await writeOut(`#compdef epitome\nautoload -U +X bashcompinit && bashcompinit\n${bashScript(words)}`);
      return 0;
    case 'fish':
      await writeOut(fishScript(words));
      return 0;
    default:
      throw new UsageError(`There are completions for ${SHELLS.join(', ')}, not for ${JSON.stringify(shell)}.`);
  }
}

type Known = { readonly name: string; readonly about: string; readonly options: readonly string[] };

function commandsOf(program: Command): readonly Known[] {
  return program.commands.map((command) => ({
    name: command.name(),
    about: command.description(),
    options: [...command.options.flatMap(({ long }) => long ?? []), '--help'],
  }));
}

function bashScript(commands: readonly Known[]): string {
  const cases = commands.map(({ name, options }) => `    ${name}) words="${options.join(' ')}" ;;`).join('\n');
  return `_epitome() {
  local current="\${COMP_WORDS[COMP_CWORD]}" words=""
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${commands.map(({ name }) => name).join(' ')} help --help --version" -- "$current"))
    return
  fi
  case "\${COMP_WORDS[1]}" in
${cases}
  esac
  case "$current" in
    -*) COMPREPLY=($(compgen -W "$words" -- "$current")) ;;
    *) COMPREPLY=($(compgen -f -- "$current")) ;;
  esac
}
complete -o filenames -F _epitome epitome
`;
}

function fishScript(commands: readonly Known[]): string {
  const lines = commands.flatMap(({ name, about, options }) => [
    `complete -c epitome -n __fish_use_subcommand -a ${name} -d '${about.replaceAll("'", "\\'")}'`,
    ...options.map((option) => `complete -c epitome -n '__fish_seen_subcommand_from ${name}' -l ${option.slice(2)}`),
  ]);
  return `${lines.join('\n')}\n`;
}
