import type { Action } from '../facts/calls.ts';
import type { Segment } from '../facts/segments.ts';
import { joined } from '../facts/shell.ts';
import { isObject, stringOf } from '../formats/native.ts';

/** An action whose files are named from the directory that its call runs in. */
export function anchored(action: Action, { input }: Segment): Action {
  if (action.kind !== 'files' && action.kind !== 'command') return action;
  return placedIn(action, isObject(input) ? stringOf(input['workdir'] ?? input['cwd']) : '');
}

/** An action whose files are named from the directory that its result says it ran in, as SWE-agent's do. */
export function situated(action: Action, result: string): Action {
  if (action.kind !== 'files' && action.kind !== 'command') return action;
  // Behind a `cd` it is where the command ended.
  if (action.kind === 'command' && /\b(?:cd|pushd|popd)\b/.test(action.command)) return action;
  return placedIn(action, DIRECTORY.exec(result.slice(-TAIL))?.[1] ?? '');
}

const DIRECTORY = /\n\(Current directory: (\/[^\n]{0,300}?)\)\r?\nbash-\$\s*$/;

/** The file that an edit without a path was made in, where the editor says which one is open; `''` where it does not. */
export function openFile({ tool = '' }: Segment, result: string): string {
  if (!EDITING.test(tool)) return '';
  const open = OPEN.exec(result.slice(-TAIL))?.[1] ?? '';
  return open === 'n/a' ? '' : open;
}

const EDITING = /^(?:edit|insert|append|replace)(?:_\w+)?$/i;
const OPEN = /\n\(Open file: ([^\n]{1,300}?)\)(?:\r?\n\(Current directory: [^\n]*\))?(?:\r?\nbash-\$)?\s*$/;
const TAIL = 1000;

function placedIn(action: Extract<Action, { readonly kind: 'files' | 'command' }>, directory: string): Action {
  if (directory === '') return action;
  return {
    ...action,
    effects: action.effects.map((effect) => ({
      ...effect,
      path: joined(directory, effect.path),
      name: effect.name ?? effect.path,
    })),
  };
}
