import { nextId } from 'epitome/record';
import { plainForm } from './form.ts';

const WHOLE = { kind: 'opaque', type: 'native', size: 0, compaction: false } as const;

/**
 * The id of a message behind another one: a hash chain over every character of its JSON, so that any edit makes a branch. Marks for
 * the provider's cache do not count, nor whether a message's one text stands in a list: clients change both with every turn.
 */
export function chainedId(previous: string, native: string): string {
  return idOf(previous, plainForm(native));
}

/** Whether an id is of the chain, as it is made now or was before lists of one text were read as that text. */
export function isChainedId(id: string, previous: string, native: string): boolean {
  return id === chainedId(previous, native) || id === idOf(previous, withoutMarks(native));
}

function idOf(previous: string, native: string): string {
  return nextId(previous, { role: 'other', parts: [WHOLE], native });
}

function withoutMarks(native: string): string {
  if (!native.includes('"cache_control"')) return native;
  try {
    const drop = (key: string, value: unknown): unknown => (key === 'cache_control' ? undefined : value);
    return JSON.stringify(JSON.parse(native), drop);
  } catch {
    // Nested too deep to be written again.
    return native;
  }
}
