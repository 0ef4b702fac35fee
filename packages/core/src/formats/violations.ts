import type { Violation } from '../model/format.ts';

/** A rule that the dialect's own API enforces. */
export function errorAt(at: number, rule: string, detail: string): Violation {
  return { rule, severity: 'error', at, detail };
}

/** A rule that only some servers or versions of the dialect enforce. */
export function portabilityAt(at: number, rule: string, detail: string): Violation {
  return { rule, severity: 'portability', at, detail };
}

/** The violations of several checks as one list in order of position. */
export function inOrder(...checks: readonly Iterable<Violation>[]): readonly Violation[] {
  return checks.flatMap((check) => Array.from(check)).sort((a, b) => a.at - b.at);
}

/** The first few ids, short enough for a sentence. */
export function idList(ids: Iterable<string>): string {
  return Array.from(ids)
    .slice(0, 5)
    .map((id) => id.slice(0, 80))
    .join(', ');
}

/** True when some string inside holds half a surrogate pair: servers refuse the body as invalid JSON. */
export function holdsLoneSurrogate(value: unknown): boolean {
  return someValue(value, (inner) => typeof inner === 'string' && !inner.isWellFormed());
}

// A message has fewer values; from here on it may be hostile, deep or cyclic.
const PLAIN = 256;

/** True when the test holds for the value or anything inside it, keys included; binary data is a value, not a container. */
export function someValue(root: unknown, test: (value: unknown) => boolean): boolean {
  let seen: Set<unknown> | undefined;
  const stack: unknown[] = [root];
  for (let visited = 0; stack.length > 0; visited += 1) {
    const value = stack.pop();
    if (test(value)) return true;
    if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) continue;
    if (visited > PLAIN) {
      seen ??= new Set();
      if (seen.has(value)) continue;
      seen.add(value);
    }
    const isList = Array.isArray(value);
    for (const key of Object.keys(value)) {
      if (!isList && test(key)) return true;
      const inner = (value as Readonly<Record<string, unknown>>)[key];
      // Most values are texts: they are not worth a place on the stack.
      if (typeof inner === 'object' && inner !== null) stack.push(inner);
      else if (test(inner)) return true;
    }
  }
  return false;
}
