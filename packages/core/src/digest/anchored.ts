import type { Action } from '../facts/calls.ts';
import type { Segment } from '../facts/segments.ts';
import { joined } from '../facts/shell.ts';
import { isObject, stringOf } from '../formats/native.ts';

/** An action whose files are named from the directory that its call runs in. */
export function anchored(action: Action, { input }: Segment): Action {
  if (action.kind !== 'files' && action.kind !== 'command') return action;
  const directory = isObject(input) ? stringOf(input['workdir'] ?? input['cwd']) : '';
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
