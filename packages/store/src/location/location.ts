import { homedir } from 'node:os';
import { join } from 'node:path';
import { StoreError } from '../model/errors.ts';

/** Where a store is: a file of this machine, or a server. */
export type StoreLocation =
  | { readonly kind: 'sqlite'; readonly path: string }
  | { readonly kind: 'postgres'; readonly connectionString: string };

/** What decides where the user's own store is. */
export type Surroundings = {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  readonly home: string;
};

/** The tenant of somebody who works alone. */
export const LOCAL_TENANT = 'local';

/** The store that was named, else that of `EPITOME_STORE`, else the user's own file where the platform keeps such things. */
export function locationOf(given?: string, around: Surroundings = here()): StoreLocation {
  const named = given?.trim() || around.env['EPITOME_STORE']?.trim();
  if (!named) return { kind: 'sqlite', path: join(dataFolder(around), 'epitome', 'epitome.db') };
  if (/^postgres(ql)?:\/\//.test(named)) return { kind: 'postgres', connectionString: named };
  // Nothing behind it is repeated: a password may stand there.
  const [, scheme] = /^([a-z][a-z\d+.-]+):\/\//i.exec(named) ?? [];
  if (scheme !== undefined)
    throw new StoreError(
      'bad-input',
      `There is no store at ${scheme}://…; it is a path on this machine, or postgres://….`,
    );
  return { kind: 'sqlite', path: withHome(named, around.home) };
}

/** A location in words, without its password. */
export function nameOf(location: StoreLocation): string {
  if (location.kind === 'sqlite') return location.path;
  if (!URL.canParse(location.connectionString)) return 'a PostgreSQL server';
  const { hostname, port, pathname } = new URL(location.connectionString);
  return `postgres://${hostname}${port === '' ? '' : `:${port}`}${pathname}`;
}

function here(): Surroundings {
  return { env: process.env, platform: process.platform, home: homedir() };
}

function dataFolder({ env, platform, home }: Surroundings): string {
  if (platform === 'win32') return env['LOCALAPPDATA'] || join(home, 'AppData', 'Local');
  if (platform === 'darwin') return join(home, 'Library', 'Application Support');
  // The standard says that a relative path is to be ignored.
  const own = env['XDG_DATA_HOME'];
  return own?.startsWith('/') ? own : join(home, '.local', 'share');
}

// A variable of the environment has not been through a shell.
function withHome(path: string, home: string): string {
  return path === '~' || path.startsWith('~/') ? join(home, path.slice(1)) : path;
}
