import { expect, test } from 'vitest';
import { locationOf, nameOf, type Surroundings } from './location.ts';

const at = (platform: NodeJS.Platform, env: Surroundings['env'] = {}): Surroundings => ({ platform, env, home: '/h' });
const file = (path: string) => ({ kind: 'sqlite', path });

test.each([
  ['Linux', undefined, at('linux'), '/h/.local/share/epitome/epitome.db'],
  ['Linux with XDG_DATA_HOME', undefined, at('linux', { XDG_DATA_HOME: '/x' }), '/x/epitome/epitome.db'],
  [
    'Linux with a relative XDG_DATA_HOME',
    undefined,
    at('linux', { XDG_DATA_HOME: 'x' }),
    '/h/.local/share/epitome/epitome.db',
  ],
  ['macOS', undefined, at('darwin'), '/h/Library/Application Support/epitome/epitome.db'],
  ['EPITOME_STORE', undefined, at('linux', { EPITOME_STORE: '/e.db' }), '/e.db'],
  ['EPITOME_STORE in the home', undefined, at('linux', { EPITOME_STORE: '~/e.db' }), '/h/e.db'],
  ['an empty EPITOME_STORE', undefined, at('linux', { EPITOME_STORE: ' ' }), '/h/.local/share/epitome/epitome.db'],
  ['a name', 'mine.db', at('linux', { EPITOME_STORE: '/e.db' }), 'mine.db'],
])('%s says where the store is', (_name, given, around, path) => {
  expect(locationOf(given, around)).toEqual(file(path));
});

test('Windows has it in its local folder', () => {
  const { kind } = locationOf(undefined, at('win32', { LOCALAPPDATA: '/l' }));
  expect(kind).toBe('sqlite');
  expect(nameOf(locationOf(undefined, at('win32', { LOCALAPPDATA: '/l' })))).toMatch(/^.l.epitome.epitome\.db$/);
});

test.each(['postgres://u:hunter2@db.example:5433/epitome', 'postgresql://u:hunter2@db.example:5433/epitome'])(
  'a server is one, and its name holds no password',
  (url) => {
    const location = locationOf(url);
    expect(location).toEqual({ kind: 'postgres', connectionString: url });
    expect(nameOf(location)).toBe('postgres://db.example:5433/epitome');
    expect(nameOf({ kind: 'postgres', connectionString: 'postgres://u:hunter2@' })).not.toContain('hunter2');
  },
);

test.each(['redis', 'file', 'https', 'mysql+ssl'])(
  '%s:// is told from a path, without what stands behind it',
  (scheme) => {
    const told = (): unknown => locationOf(`${scheme}://u:hunter2@host/x`);
    expect(told).toThrow(new RegExp(`^There is no store at ${scheme.replace('+', '.')}://…; it is .*postgres://`));
    expect(told).not.toThrow(/hunter2/);
  },
);
