import { messageOf, UsageError } from '../errors.ts';
import { columns, plain, widest, wrapLines } from '../output/text.ts';
import { writeOut } from '../output/write.ts';
import { requireSetting } from '../settings/document.ts';
import { SETTING_KEYS, type SettingKey } from '../settings/keys.ts';
import { type Scope, settingsPlaces } from '../settings/places.ts';
import { settingNotes } from '../settings/policies.ts';
import { settingsSchema } from '../settings/schema.ts';
import { type Effective, openSettings, type Settings } from '../settings/settings.ts';
import { readValue, showValue } from '../settings/value.ts';

/** Options of the `config` commands. */
export type ConfigOptions = { readonly json?: true; readonly project?: true; readonly all?: true };

// Columns a value needs to be read.
const ROOM = 24;

/** Lists all settings with their values and where these come from. Returns the exit code. */
export async function runConfigList(options: ConfigOptions): Promise<number> {
  const loaded = await open().read();
  if (options.json) return json(loaded.all.map(described));
  const keyWidth = widest(SETTING_KEYS.map(({ key }) => key));
  // Where both do not fit on a line, the value stands under its key.
  const beside = columns() < keyWidth + ROOM ? (key: string) => `${key}\n ` : (key: string) => key.padEnd(keyWidth);
  const shown = loaded.all.map(({ setting, value, from }) => {
    return `${beside(setting.key)}  ${plain(showValue(value))}${from === 'default' ? '' : `  (${from})`}`;
  });
  for (const note of settingNotes(loaded)) console.error(note);
  return lines(shown);
}

/** Explains one setting, or all. */
export async function runConfigExplain(name: string | undefined, options: ConfigOptions): Promise<number> {
  const loaded = await open().read();
  const chosen = name === undefined ? loaded.all : [loaded.get(requireSetting(name).key)];
  if (options.json) return json(chosen.map(described));
  return lines(chosen.flatMap(explained));
}

/** Prints the value of one setting. */
export async function runConfigGet(name: string, options: ConfigOptions): Promise<number> {
  const { key } = requireSetting(name);
  const { value } = (await open().read()).get(key);
  if (options.json) return json(value ?? null);
  return value === undefined ? 0 : lines([showValue(value)]);
}

/** Sets one for good. */
export async function runConfigSet(given: { name: string; value: string }, options: ConfigOptions): Promise<number> {
  const settings = open();
  const setting = requireSetting(given.name);
  const value = readValue(setting, given.value);
  const scope = scopeOf(options);
  await settings.change(scope, { [setting.key]: value });
  await lines([`${setting.key}: ${showValue(value)}, saved in ${settings.places[scope]}`]);
  await tellEffect(settings, setting, scope);
  return 0;
}

/** Takes one out of the file, or all: the defaults hold again. */
export async function runConfigReset(name: string | undefined, options: ConfigOptions): Promise<number> {
  if ((name === undefined) === (options.all === undefined)) {
    throw new UsageError('epitome config reset takes the name of a setting, or --all.');
  }
  const settings = open();
  const scope = scopeOf(options);
  const chosen = name === undefined ? SETTING_KEYS : [requireSetting(name)];
  await settings.change(scope, Object.fromEntries(chosen.map(({ key }) => [key, undefined])));
  await lines([`${name ?? 'all settings'}: no longer set in ${settings.places[scope]}`]);
  const [only] = name === undefined ? [] : chosen;
  if (only !== undefined) await tellEffect(settings, only, scope);
  return 0;
}

/** Prints where the settings are. */
export async function runConfigPath(options: ConfigOptions): Promise<number> {
  const places = settingsPlaces();
  return options.json ? json(places) : lines([places[scopeOf(options)]]);
}

/** Prints the JSON Schema of a settings file. */
export async function runConfigSchema(): Promise<number> {
  await writeOut(`${JSON.stringify(settingsSchema(), null, 2)}\n`);
  return 0;
}

const open = (): Settings => openSettings(settingsPlaces());

const scopeOf = ({ project }: ConfigOptions): Scope => (project ? 'project' : 'user');

/** Says where a change does not show, and what else is wrong with the files. */
async function tellEffect(settings: Settings, { key }: SettingKey, scope: Scope): Promise<void> {
  try {
    const { value, from } = (await settings.read()).get(key);
    if (from === 'project' && scope === 'user') {
      console.error(`The project's file ${settings.places.project} says ${showValue(value)}, which wins here.`);
    }
  } catch (cause) {
    console.error(`epitome: ${messageOf(cause)}`);
  }
}

function explained({ setting, value, from }: Effective): readonly string[] {
  const standard = setting.default === undefined ? 'not set' : showValue(setting.default);
  const own = setting.scope === 'user' ? ['  only in your own settings, not in a project'] : [];
  return [
    setting.key,
    `  ${setting.about}`,
    `  takes ${setting.takes}; default: ${standard}`,
    ...own,
    `  now: ${plain(showValue(value))}${from === 'default' ? '' : ` (${from})`}`,
  ];
}

function described({ setting, value, from }: Effective): object {
  const { key, about, takes, default: standard, scope } = setting;
  return { key, value: value ?? null, from, default: standard ?? null, takes, about, scope };
}

async function json(value: unknown): Promise<number> {
  await writeOut(`${JSON.stringify(value)}\n`);
  return 0;
}

async function lines(shown: readonly string[]): Promise<number> {
  await writeOut(`${wrapLines(shown.join('\n'), columns())}\n`);
  return 0;
}
