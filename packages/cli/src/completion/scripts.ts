import type { KnownCommand, KnownOption, Values } from './words.ts';

/** Completions for bash; zsh takes them too. */
export function bashScript(commands: readonly KnownCommand[]): string {
  const top = commands.filter(({ name }) => !name.includes(' ')).map(({ name }) => name);
  const groups = commands.filter((command) => command.commands.length > 0);
  return `_epitome() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" command="\${COMP_WORDS[1]}" words=""
  COMPREPLY=()
  # Bash takes --to=mark apart at the =, zsh leaves it whole.
  local glued=""
  case "$current" in
    =) current="" ;;
    --*=*) glued="\${current%%=*}=" previous="\${current%%=*}" current="\${current#*=}" ;;
    *) [ "$previous" = "=" ] && previous="\${COMP_WORDS[COMP_CWORD-2]}" ;;
  esac
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${top.join(' ')} help --help --version" -- "$current"))
    return
  fi
  case "$command" in
${groups.map(groupCase).join('\n')}
    help) [ "$COMP_CWORD" -eq 2 ] && COMPREPLY=($(compgen -W "${top.join(' ')}" -- "$current")); return ;;
  esac
  case "$command $previous" in
${commands.flatMap(valueCases).join('\n')}
  esac
  case "$current" in
    -*)
      case "$command" in
${commands.map(optionCase).join('\n')}
      esac
      COMPREPLY=($(compgen -W "$words" -- "$current"))
      return ;;
  esac
  case "$command" in
${commands.flatMap(argumentCase).join('\n')}
  esac
}
complete -o filenames -F _epitome epitome
`;
}

function groupCase({ name, commands }: KnownCommand): string {
  return `    ${name})
      if [ "$COMP_CWORD" -eq 2 ]; then COMPREPLY=($(compgen -W "${commands.join(' ')} --help" -- "$current")); return; fi
      command="${name} \${COMP_WORDS[2]}" ;;`;
}

function valueCases({ name, options }: KnownCommand): readonly string[] {
  return options.flatMap(({ flags, values }) => {
    if (values === undefined) return [];
    const places = flags.map((flag) => `"${name} ${flag}"`).join('|');
    return [`    ${places}) ${reply(values)} COMPREPLY=("\${COMPREPLY[@]/#/$glued}"); return ;;`];
  });
}

function optionCase({ name, options }: KnownCommand): string {
  return `        "${name}") words="${options.map(({ flags }) => flags.at(-1)).join(' ')}" ;;`;
}

function argumentCase({ name, values }: KnownCommand): readonly string[] {
  return values.kind === 'any' ? [] : [`    "${name}") ${reply(values)} ;;`];
}

function reply(values: Values): string {
  switch (values.kind) {
    case 'words':
      return `COMPREPLY=($(compgen -W "${values.words.join(' ')}" -- "$current"));`;
    case 'asked': {
      const list = `local IFS=$'\\n'; words="$(epitome completion ${values.list} 2>/dev/null)"; COMPREPLY=($(compgen -W "$words" -- "$current"));`;
      // The sessions of this machine are many: they are offered where nothing has been typed.
      return values.andFiles
        ? `if [ -z "$current" ]; then ${list} fi; COMPREPLY+=($(compgen -f -- "$current"));`
        : list;
    }
    case 'files':
      return 'COMPREPLY=($(compgen -f -- "$current"));';
    case 'any':
      return '';
    default:
      return values satisfies never;
  }
}

/** Completions for fish. */
export function fishScript(commands: readonly KnownCommand[]): string {
  const lines = commands.flatMap((command) => {
    const { name, about, options, values } = command;
    const [first = '', second] = name.split(' ');
    const where = second === undefined ? '__fish_use_subcommand' : `__fish_seen_subcommand_from ${first}`;
    const inside = [first, second]
      .flatMap((word) => (word === undefined ? [] : `__fish_seen_subcommand_from ${word}`))
      .join('; and ');
    return [
      `complete -c epitome -f -n '${where}' -a ${second ?? first} -d ${quoted(about)}`,
      `complete -c epitome -n '${inside}' ${fishArguments(values)}`,
      ...options.map((option) => `complete -c epitome -n '${inside}' ${fishOption(option)}`),
    ];
  });
  return `${lines.join('\n')}\n`;
}

function fishOption({ flags, about, values }: KnownOption): string {
  const names = flags.map((flag) => (flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`));
  const takes = values === undefined ? [] : ['-r', fishArguments(values)];
  return [...names, ...takes, `-d ${quoted(about)}`].join(' ');
}

/** What may stand there; files are offered only where they are asked for. */
function fishArguments(values: Values): string {
  switch (values.kind) {
    case 'words':
      return `-f -a ${quoted(values.words.join(' '))}`;
    case 'asked':
      return `${values.andFiles ? '-F' : '-f'} -a '(epitome completion ${values.list} 2>/dev/null)'`;
    case 'files':
      return '-F';
    case 'any':
      return '-f';
    default:
      return values satisfies never;
  }
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
