import type { Segment } from '../facts/segments.ts';
import { type FileEffect, joined } from '../facts/shell.ts';
import { isObject } from '../formats/native.ts';
import type { Act } from './acts.ts';
import { squeezed } from './clean.ts';
import { plainName } from './heading.ts';
import { shortened } from './units.ts';

/** Sections of the snapshot that hold quotes. */
export type GroupSection = 'key_knowledge' | 'file_system_state' | 'recent_actions';

/** Where something belongs: its group's key, section and heading. */
export type Place = {
  readonly key: string;
  readonly section: GroupSection;
  readonly heading: string;
  /** A file's path, whole where that is known; `''` for anything else. */
  readonly path: string;
};

/** A call of one file stands with that file, any other with those that do the same. */
export function placeOf(act: Act, root: string): Place {
  const { action, call, base, nature, where } = act;
  const effects = action.kind === 'files' || action.kind === 'command' ? action.effects : [];
  const file = mainFile(effects);
  if (file !== undefined && (action.kind === 'files' || nature === 'read'))
    return filePlace(file.path, root, file.name);
  if (action.kind === 'command') return commandPlace(base, root, where);
  return actionPlace(`${call.tool ?? ''} ${heading(valuesOf(call), root)}`);
}

/** The place of a command, and of the directory it runs in where that tells it apart. */
export function commandPlace(command: string, root: string, where = ''): Place {
  return actionPlace(`$ ${heading(where === '' ? command : `cd ${where} && ${command}`, root)}`);
}

const HEADING = 160;

function heading(text: string, root: string): string {
  return shortened(marked(squeezed(text), root), HEADING);
}

function mainFile(effects: readonly FileEffect[]): FileEffect | undefined {
  return effects.find(({ status }) => status !== 'read') ?? effects[0];
}

/** The one file that a search looks through; `''` where it looks through a folder or several. */
export function searchedFile({ action, base, call: { tool = '', input } }: Act): string {
  if (action.kind === 'command') return SEARCH.exec(base)?.[1] ?? '';
  const path = action.kind === 'other' && /grep|search/i.test(tool) && isObject(input) ? input['path'] : '';
  return typeof path === 'string' && ONE_FILE.test(path) ? path : '';
}

/** A file that a search found, named from the folder that it looked through. */
export function foundFile({ action, call: { input } }: Act, path: string): string {
  const folder = action.kind === 'other' && isObject(input) ? input['path'] : undefined;
  if (typeof folder !== 'string' || folder === '.' || path.startsWith(ROOT_MARK)) return path;
  if (ONE_FILE.test(folder)) return folder.endsWith(`/${path}`) ? folder : path;
  // Some tools name what they found from above.
  const last = folder.replace(/\/$/, '').split('/').at(-1) ?? '';
  return path.includes('/') && `/${path}`.includes(`/${last}/`) ? path : joined(folder, path);
}

const SEARCH = /^(?:grep|rg|ag) .* ((?:\.{0,2}\/)?[\w@+-][\w@.+/-]{0,200}\.\w{1,8})$/;
const ONE_FILE = /^[\w@.+/-]{1,200}\.\w{1,8}$/;

/** A call's arguments without their names; of a search, those that say what is looked for and where. */
function valuesOf({ input, text, tool = '' }: Segment): string {
  if (!isObject(input)) return text;
  const isSearch = SEARCHING.test(tool);
  return Object.entries(input)
    .filter(([key]) => !(isSearch && LAYOUT.test(key)))
    .map(([, value]) => value)
    .filter((value) => typeof value === 'string' || typeof value === 'number')
    .map((value) => shortened(squeezed(String(value)), HEADING))
    .join(', ');
}

const SEARCHING =
  /^(?:grep|glob|find|ls|list|search|rg)(?:_|[A-Z]|$)|_(?:search|grep|glob)$|^codebase_search|^(?:file_|web_)?search/i;
const LAYOUT =
  /^(?:head_?limit|limit|offset|context|multiline|timeout(?:_?ms)?|max_?(?:results|count|tokens|matches)|num_?results|-[ABCino]|before|after|case_?sensitive|ignore_?case|regex|respect_?git_?ignore)$/i;

/** The place of a file. No path is put together for the reader: one that was called by its name alone is that name and its folder. */
export function filePlace(path: string, root: string, spelled: string = path): Place {
  const whole = path.startsWith(ROOT_MARK) ? `${root}${path.slice(ROOT_MARK.length)}` : path.replace(/^\.\//, '');
  const called = spelled.includes('/') ? relative(whole, root) : inFolder(spelled, whole, root);
  const name = plainName(shortened(squeezed(called), HEADING));
  return { key: `file ${whole}`, section: 'file_system_state', heading: name, path: whole };
}

function inFolder(name: string, whole: string, root: string): string {
  const folder = whole.endsWith(`/${name}`) ? whole.slice(0, whole.length - name.length) : root;
  const shown = folder === root ? '' : relative(folder, root);
  return shown === '' ? name : `${name}${IN}${shown === '/' ? shown : shown.replace(/\/$/, '')}`;
}

const IN = ' in ';

/** A file's heading as the path it stands for. */
export function headedPath(heading: string): string {
  const at = heading.indexOf(IN);
  if (at < 0 || heading.slice(0, at).includes('/')) return heading;
  return joined(heading.slice(at + IN.length), heading.slice(0, at));
}

/** The place of any other action. */
export function actionPlace(name: string): Place {
  const text = plainName(name.trim());
  return { key: text, section: 'recent_actions', heading: text, path: '' };
}

/** A path made relative to the root. */
function relative(path: string, root: string): string {
  if (root === '') return path;
  if (path.startsWith(ROOT_MARK)) return path.slice(ROOT_MARK.length);
  if (path.startsWith(root)) return path.slice(root.length);
  return path.startsWith('/') ? path : withoutOverlap(path, root);
}

/** `cmd/app/main.go` in `/srv/cmd/app/` is `main.go`: tools name files from above as well. */
function withoutOverlap(path: string, root: string): string {
  for (let at = path.lastIndexOf('/', path.length - 2); at > 0; at = path.lastIndexOf('/', at - 1))
    if (root.endsWith(`/${path.slice(0, at + 1)}`)) return path.slice(at + 1);
  return path;
}

/** A quote in which a mark stands for the root. */
export function marked(text: string, root: string): string {
  return root === '' ? text : text.replaceAll(root, ROOT_MARK);
}

export const ROOT_MARK = '…/';

/** The parent, with its slash, of the directory that at least two thirds of the absolute paths share; `''` for none. */
export function rootOf(segments: readonly Segment[]): string {
  return workingDirectory(segments) || sharedDirectory(segments);
}

/** The directory that most commands say they run in, with its slash. */
function workingDirectory(segments: readonly Segment[]): string {
  const times = new Map<string, number>();
  let calls = 0;
  for (const { origin, input } of segments) {
    if (origin !== 'call') continue;
    calls += 1;
    const named = isObject(input) ? (input['workdir'] ?? input['cwd']) : undefined;
    if (typeof named === 'string' && ABSOLUTE.test(named)) times.set(named, (times.get(named) ?? 0) + 1);
  }
  const most = [...times].find(([, seen]) => seen * 2 > calls)?.[0] ?? '';
  return most === '' || most.endsWith('/') ? most : `${most}/`;
}

const ABSOLUTE = /^\/[^\s:]{1,200}$/;

function sharedDirectory(segments: readonly Segment[]): string {
  const counts = new Map<string, number>();
  let total = 0;
  for (const { input } of segments) {
    for (const value of isObject(input) ? Object.values(input) : []) {
      const directory = typeof value === 'string' ? DIRECTORY.exec(value)?.[0] : undefined;
      if (directory === undefined) continue;
      total += 1;
      for (let at = directory.indexOf('/', 1); at > 0; at = directory.indexOf('/', at + 1)) {
        const prefix = directory.slice(0, at + 1);
        counts.set(prefix, (counts.get(prefix) ?? 0) + 1);
      }
    }
  }
  const shared = [...counts].filter(([prefix, times]) => times * 3 >= total * 2 && prefix.split('/').length > 3);
  const deepest = shared.reduce((longest, [prefix]) => (prefix.length > longest.length ? prefix : longest), '');
  // A file's own directory stays with it: `index.ts` alone could be any.
  return deepest.slice(0, deepest.lastIndexOf('/', deepest.length - 2) + 1);
}

const DIRECTORY = /^\/[^\s:]{1,200}\//;
