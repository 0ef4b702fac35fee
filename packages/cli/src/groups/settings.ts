import type { Command } from 'commander';
import type { ConfigOptions } from '../commands/config.ts';
import { CONFIG_HELP } from '../help/settings.ts';
import { addHelp } from './help.ts';
import type { Running } from './running.ts';

const PROJECT = ['--project', "the project's file instead of your own"] as const;
const JSON_OPTION = ['--json', 'print JSON'] as const;

/** Adds the commands on settings. */
export function addSettings(program: Command, { ended }: Running): void {
  program.commandsGroup('Settings:');
  const config = program
    .command('config')
    .description('settings of chat and run: list, explain, get, set, reset')
    .addHelpText('after', CONFIG_HELP);
  const commands = () => import('../commands/config.ts');
  config
    .command('list')
    .description('all settings with their values, and who set them')
    .option(...JSON_OPTION)
    .action(async (options: ConfigOptions) => ended(await (await commands()).runConfigList(options)));
  config
    .command('explain')
    .argument('[key]', 'one of them')
    .description('what settings mean, what they take, their defaults')
    .option(...JSON_OPTION)
    .action(async (key: string | undefined, options: ConfigOptions) => {
      ended(await (await commands()).runConfigExplain(key, options));
    });
  config
    .command('get')
    .argument('<key>', 'such as compressionTriggerTokens or model.name')
    .description('the value of a setting')
    .option(...JSON_OPTION)
    .action(async (key: string, options: ConfigOptions) => ended(await (await commands()).runConfigGet(key, options)));
  addChanging(config, ended);
  config
    .command('path')
    .description('where your settings are')
    .option(...PROJECT)
    .option(...JSON_OPTION)
    .action(async (options: ConfigOptions) => ended(await (await commands()).runConfigPath(options)));
  config
    .command('schema')
    .description('the JSON Schema of a settings file')
    .action(async () => ended(await (await commands()).runConfigSchema()));
  addHelp(config);
}

function addChanging(config: Command, ended: Running['ended']): void {
  const commands = () => import('../commands/config.ts');
  config
    .command('set')
    .argument('<key>', 'a setting')
    .argument('<value>', 'text, number such as 60000 or 60k, true or false; YAML for lists and mappings')
    .description('set it for good')
    .option(...PROJECT)
    .action(async (name: string, value: string, options: ConfigOptions) => {
      ended(await (await commands()).runConfigSet({ name, value }, options));
    });
  config
    .command('reset')
    .argument('[key]', 'a setting')
    .description('take it out of the file: the default holds again')
    .option(...PROJECT)
    .option('--all', 'every setting')
    .action(async (key: string | undefined, options: ConfigOptions) => {
      ended(await (await commands()).runConfigReset(key, options));
    });
}
