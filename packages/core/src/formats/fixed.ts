import type { Fixed } from '../model/format.ts';
import type { Part } from '../model/message.ts';
import { jsonOf } from '../model/text.ts';

/** System prompt (one entry or several; what is no text is read by `read`) and tool schemas as parts, none of them empty. */
export function fixedParts({ system, tools }: Fixed, read: (entry: unknown) => readonly Part[]): readonly Part[] {
  const entries: readonly unknown[] = Array.isArray(system) ? system : [system];
  const schemas = Array.isArray(tools) && tools.length === 0 ? '' : tools;
  return [...entries, jsonOf(schemas ?? '')]
    .flatMap((entry = ''): readonly Part[] =>
      typeof entry === 'string' ? [{ kind: 'text', text: entry }] : entry === null ? [] : read(entry),
    )
    .filter((part) => part.kind !== 'text' || part.text !== '');
}
