import { SOURCE_NAMES } from '@epitome/transcripts';
import type { Command, Option } from 'commander';
import { FORMAT_NAMES, PRESET_ALIASES, PRESET_NAMES } from 'epitome';
import { FACT_KINDS } from 'epitome/facts';

/** What may stand in a place: words known beforehand, words to be asked for, files, or anything. */
export type Values =
  | { readonly kind: 'words'; readonly words: readonly string[] }
  | { readonly kind: 'asked'; readonly list: ListName; readonly andFiles: boolean }
  | { readonly kind: 'files' }
  | { readonly kind: 'any' };

/** Lists that are made when somebody presses the key. */
export const LIST_NAMES = ['sessions', 'conversations'] as const;
/** One of `LIST_NAMES`. */
export type ListName = (typeof LIST_NAMES)[number];

/** An option as it is completed; `values` are absent where it takes none. */
export type KnownOption = {
  readonly flags: readonly string[];
  readonly about: string;
  readonly values?: Values;
};

/** A command, such as `store export`, as it is completed. */
export type KnownCommand = {
  readonly name: string;
  readonly about: string;
  readonly options: readonly KnownOption[];
  readonly values: Values;
  readonly commands: readonly string[];
};

/** All commands with what may follow them. */
export function commandsOf(program: Command, within: string = ''): readonly KnownCommand[] {
  return program.commands.flatMap((command) => {
    const name = within === '' ? command.name() : `${within} ${command.name()}`;
    const own: KnownCommand = {
      name,
      about: command.description(),
      options: [...command.options.map(optionOf), { flags: ['--help'], about: 'show help' }],
      values: argumentOf(name, command),
      commands: command.commands.map((inner) => inner.name()),
    };
    return [own, ...commandsOf(command, name)];
  });
}

const words = (...list: readonly string[]): Values => ({ kind: 'words', words: list });
const FILES: Values = { kind: 'files' };
const CONVERSATIONS: Values = { kind: 'asked', list: 'conversations', andFiles: false };
const SESSIONS: Values = { kind: 'asked', list: 'sessions', andFiles: true };
const PRESETS = words(...PRESET_NAMES, ...Object.keys(PRESET_ALIASES));

const BY_OPTION: Readonly<Record<string, Values>> = {
  '--preset': PRESETS,
  '--format': words(...FORMAT_NAMES),
  '--to': words(...FORMAT_NAMES, 'markdown'),
  '--agent': words(...SOURCE_NAMES.filter((name) => name !== 'api')),
  '--kind': words(...FACT_KINDS),
  '--summarizer': words('mechanical', 'openai/', 'anthropic/', 'google/', 'openai-compatible/'),
  '--window': words('128k', '200k', '1m'),
  '--branch': words('main'),
  '--conversation': CONVERSATIONS,
};
const FILE_OPTION = /<(?:file|where|new-file|folder|dir|path)>/;

function optionOf(option: Option): KnownOption {
  const { short, long, description, flags } = option;
  const names = [short, long].flatMap((name) => name ?? []);
  if (!option.required && !option.optional) return { flags: names, about: description };
  const values = BY_OPTION[long ?? ''] ?? (FILE_OPTION.test(flags) ? FILES : { kind: 'any' });
  return { flags: names, about: description, values };
}

const BY_COMMAND: Readonly<Record<string, Values>> = {
  compact: SESSIONS,
  plan: SESSIONS,
  inspect: SESSIONS,
  diff: SESSIONS,
  show: CONVERSATIONS,
  'store export': CONVERSATIONS,
  'store forget': CONVERSATIONS,
  'store compact': CONVERSATIONS,
  presets: PRESETS,
  completion: words('bash', 'zsh', 'fish'),
};

function argumentOf(name: string, command: Command): Values {
  const known = BY_COMMAND[name];
  if (known !== undefined) return known;
  const [first] = command.registeredArguments;
  return first !== undefined && /file|path/.test(first.name()) ? FILES : { kind: 'any' };
}
