import { nextId } from 'epitome/record';

const WHOLE = { kind: 'opaque', type: 'native', size: 0, compaction: false } as const;

/**
 * The id of a message behind another one: a hash chain over every character of its JSON, so that any edit makes a branch.
 * Marks for the provider's cache do not count: clients move them on with every turn.
 */
export function chainedId(previous: string, native: string): string {
  return nextId(previous, { role: 'other', parts: [WHOLE], native: withoutMarks(native) });
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
