import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

/** What decides where settings are. */
export type SettingsAround = {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  readonly home: string;
  /** The working directory. */
  readonly folder: string;
};

/** The two files: the user's own, and that of the project, which wins. */
export type SettingsPlaces = { readonly user: string; readonly project: string };

/** Which of the two. */
export type Scope = keyof SettingsPlaces;

const PROJECT_FILE = join('.epitome', 'config.yaml');

/**
 * Where the settings are: the user's where the platform keeps such things, or where `EPITOME_CONFIG` says; the project's in
 * `.epitome` of the nearest folder that has one, else of the working directory.
 */
export function settingsPlaces(around: SettingsAround = here()): SettingsPlaces {
  return { user: userFile(around), project: projectFile(around) };
}

function here(): SettingsAround {
  return { env: process.env, platform: process.platform, home: homedir(), folder: process.cwd() };
}

function userFile({ env, platform, home, folder }: SettingsAround): string {
  const named = env['EPITOME_CONFIG']?.trim();
  if (named) return resolve(folder, named);
  return join(configFolder({ env, platform, home }), 'epitome', 'config.yaml');
}

function configFolder({ env, platform, home }: Omit<SettingsAround, 'folder'>): string {
  if (platform === 'win32') return env['APPDATA'] || join(home, 'AppData', 'Roaming');
  if (platform === 'darwin') return join(home, 'Library', 'Application Support');
  // The standard says that a relative path is to be ignored.
  const own = env['XDG_CONFIG_HOME'];
  return own?.startsWith('/') ? own : join(home, '.config');
}

/** Looks upwards as far as the home folder; above it files belong to other people. */
function projectFile({ home, folder }: SettingsAround): string {
  for (let at = folder; ; at = dirname(at)) {
    const file = join(at, PROJECT_FILE);
    if (at !== home && existsSync(file)) return file;
    if (at === home || dirname(at) === at) return join(folder, PROJECT_FILE);
  }
}
