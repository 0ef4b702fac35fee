import { isSamePath } from '../facts/paths.ts';
import { isObject } from '../formats/native.ts';
import type { Act } from './acts.ts';

/**
 * Notes the directory of commands that are told apart by it: of those that ran in a folder below where the conversation is, and of
 * one that ran in several.
 */
export function tellApart(acts: readonly Act[]): void {
  const places = new Map<string, Set<string>>();
  const placed: { readonly act: Act; readonly directory: string }[] = [];
  for (const act of acts) {
    if (act.nature !== 'check' && act.nature !== 'run') continue;
    const directory = directoryOf(act);
    if (directory === '') continue;
    placed.push({ act, directory });
    const known = places.get(act.base);
    if (known === undefined) places.set(act.base, new Set([directory]));
    else known.add(directory);
  }
  for (const { act, directory } of placed) {
    const isOne = (places.get(act.base)?.size ?? 0) < 2;
    if (BELOW.test(directory) || !isOne) act.where = directory;
  }
}

// Not of one that only the shell knows.
const BELOW = /^(?![/~]|\.\.|[A-Za-z]:)[^$`*?-][^$`*?]*$/;

/** The directory that an earlier digest's heading tells of. */
export function headedDirectory(heading: string): string | undefined {
  return HEADED.exec(heading)?.[1];
}

const HEADED = /^\$ cd (\S{1,200}) && /;

/** True where a call says that it ran in another part of the project than one that failed: there nothing of it was run. */
export function isElsewhere(done: string, failed: string | undefined): boolean {
  // Of a failure of an earlier round that is not known.
  if (done === '' || done === failed || failed === undefined) return false;
  if (failed === '') return !/^(?:[/~]|\.\.)/.test(done);
  return !isSamePath(done, failed) && !failed.startsWith(`${done}/`);
}

/** Where a call says it runs; `''` where it does not. */
export function directoryOf({ action, call: { input } }: Act): string {
  if (action.kind !== 'command') return '';
  const named = isObject(input) ? (input['workdir'] ?? input['cwd'] ?? input['directory']) : undefined;
  const moved = CD.exec(action.command.slice(0, LONGEST))?.[1] ?? '';
  const base = typeof named === 'string' ? named : '';
  const path =
    moved === '' || moved.startsWith('/') || base === '' ? moved || base : `${base.replace(/\/$/, '')}/${moved}`;
  return path.replace(/^\.\/|\/+$|^\.$/g, '');
}

const LONGEST = 400;
const CD = /^\s*cd ["']?([^\s&;|"']{1,200})["']?\s*(?:&&|;)/;
