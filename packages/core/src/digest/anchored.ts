import type { Action } from '../facts/calls.ts';
import type { Segment } from '../facts/segments.ts';
import { isObject, stringOf } from '../formats/native.ts';

/** An action whose files are named from the directory that its call runs in. */
export function anchored(action: Action, { input }: Segment): Action {
  if (action.kind !== 'files' && action.kind !== 'command') return action;
  const given = isObject(input) ? stringOf(input['workdir'] ?? input['cwd']) : '';
  const directory = action.kind === 'command' ? joined(given, CHANGED.exec(action.command)?.[1] ?? '') : given;
  if (directory === '') return action;
  return {
    ...action,
    effects: action.effects.map(({ path, status }) => ({ path: joined(directory, path), status, name: path })),
  };
}

const CHANGED = /^\s*cd ["']?([^\s"'&;|$]{1,200})["']? ?(?:&&|;)/;

/** A path from a directory; one that is whole already stays as it is. */
export function joined(directory: string, path: string): string {
  if (directory === '' || /^(?:[/~]|[A-Za-z]:\\)/.test(path)) return path;
  const parts = directory.split('/').filter((part, at) => at === 0 || part !== '');
  for (const part of path.split('/')) {
    if (part === '..' && parts.length > 1) parts.pop();
    else if (part !== '.' && part !== '') parts.push(part);
  }
  return parts.join('/');
}
