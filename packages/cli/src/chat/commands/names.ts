/** The name of a slash command. */
export type CommandName =
  | 'compress'
  | 'plan'
  | 'undo'
  | 'redo'
  | 'restore'
  | 'recall'
  | 'branch'
  | 'tree'
  | 'switch'
  | 'goal'
  | 'stats'
  | 'settings'
  | 'model'
  | 'retry'
  | 'help'
  | 'exit';

/** A slash command as it is listed. */
export type Listed = {
  readonly name: CommandName;
  readonly aliases?: readonly string[];
  readonly takes: string;
  readonly help: string;
};

/** The slash commands with what they take and do: for help and completion, which need nothing else. */
export const COMMANDS: readonly Listed[] = [
  {
    name: 'compress',
    aliases: ['summarize', 'compact'],
    takes: '[focus]',
    help: 'compact now; a focus steers this one summary',
  },
  {
    name: 'plan',
    takes: '[pin|exclude N… | apply [focus] | drop]',
    help: 'show what a compaction would keep and summarize',
  },
  { name: 'undo', takes: '', help: 'take the last compaction back' },
  { name: 'redo', takes: '', help: 'do again what undo took back' },
  { name: 'restore', takes: '[N…]', help: 'list what was compacted, bring messages back' },
  { name: 'recall', takes: 'words', help: 'find what was said, compacted or not' },
  { name: 'branch', takes: '[name]', help: 'go on in a branch from here' },
  { name: 'tree', takes: '', help: 'list the branches' },
  { name: 'switch', takes: 'name', help: 'go to another branch' },
  { name: 'goal', takes: '[text|off]', help: 'say what you are working on' },
  { name: 'stats', takes: '', help: 'tokens, cost, compactions of this chat' },
  { name: 'settings', takes: '[key [value]]', help: 'show or change settings' },
  { name: 'model', takes: '[PROVIDER/MODEL]', help: 'show or change the model' },
  { name: 'retry', takes: '', help: 'ask again for the last answer' },
  { name: 'help', takes: '', help: 'list the commands and keys' },
  { name: 'exit', aliases: ['quit'], takes: '', help: 'leave; --continue goes on later' },
];

/** What may be meant by the beginning of a command. */
export function completionsOf(text: string): readonly string[] {
  if (!/^\/\S*$/.test(text)) return [];
  const names = COMMANDS.flatMap((command) => [command.name, ...(command.aliases ?? [])]);
  return names.filter((name) => name.startsWith(text.slice(1).toLowerCase())).map((name) => `/${name}`);
}
