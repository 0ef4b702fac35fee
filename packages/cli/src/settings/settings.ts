import { UsageError } from '../errors.ts';
import { at, outOfRange, readSettings, requireSetting, withSetting } from './document.ts';
import { changeFile, markOf, readSettingsText } from './file.ts';
import { SETTING_KEYS, type SettingKey } from './keys.ts';
import type { Scope, SettingsPlaces } from './places.ts';
import type { SettingsFile } from './schema.ts';

/** A setting with its value now, and who set it. */
export type Effective = { readonly setting: SettingKey; readonly value: unknown; readonly from: Scope | 'default' };

/** The settings of two files as one; a value is looked up by its key. */
export type Loaded = {
  readonly user: SettingsFile;
  readonly project: SettingsFile;
  /** Every setting, in the order of the file. */
  readonly all: readonly Effective[];
  readonly get: (key: string) => Effective;
};

/** Changes by key; `undefined` takes a setting out. */
export type SettingChanges = Readonly<Record<string, unknown>>;

/** Settings on the disk, which other processes may change at any time. */
export type Settings = {
  readonly places: SettingsPlaces;
  /** As they are now; files that have not changed are not read again. */
  readonly read: () => Promise<Loaded>;
  /** Saves changes all at once. Values are checked first. */
  readonly change: (scope: Scope, changes: SettingChanges) => Promise<void>;
};

/** Opens the settings of two places; nothing is made before something is changed. */
export function openSettings(places: SettingsPlaces): Settings {
  const cached = new Map<Scope, { readonly mark: string; readonly value: SettingsFile }>();
  const readOne = async (scope: Scope): Promise<SettingsFile> => {
    const file = places[scope];
    const mark = await markOf(file);
    const known = cached.get(scope);
    if (known?.mark === mark) return known.value;
    const value = readSettings({ file, scope, text: await readSettingsText(file) });
    cached.set(scope, { mark, value });
    return value;
  };
  return {
    places,
    read: async () => joined(await readOne('user'), await readOne('project')),
    change: async (scope, changes) => {
      const file = places[scope];
      const checked = Object.entries(changes).map(([key, value]) => checkedChange(scope, key, value));
      await changeFile(file, (text) =>
        checked.reduce((now, { setting, value }) => withSetting({ file, scope, text: now }, setting, value), text),
      );
      cached.delete(scope);
    },
  };
}

/** Two files as one: the project wins, key by key. */
function joined(user: SettingsFile, project: SettingsFile): Loaded {
  const all = SETTING_KEYS.map((setting): Effective => {
    const [own, shared] = [at(project, setting.path), at(user, setting.path)];
    if (own !== undefined) return { setting, value: own, from: 'project' };
    return shared === undefined
      ? { setting, value: setting.default, from: 'default' }
      : { setting, value: shared, from: 'user' };
  });
  const byKey = new Map(all.map((each) => [each.setting.key, each]));
  const get = (key: string): Effective => {
    const found = byKey.get(key);
    if (found === undefined) throw new Error(`there is no setting ${key}`);
    return found;
  };
  return { user, project, all, get };
}

function checkedChange(scope: Scope, key: string, value: unknown): { setting: SettingKey; value: unknown } {
  const setting = requireSetting(key);
  if (value !== undefined && !setting.check(value)) throw new UsageError(outOfRange(setting, value));
  if (scope === 'project' && setting.scope === 'user' && value !== undefined) {
    throw new UsageError(`${key} may stand in your own settings only: leave --project out.`);
  }
  return { setting, value };
}
