import type { Fact } from './fact.ts';

/** True where two spellings can be one file: alike, or one of them the end of the other. Two absolute paths are one only where alike. */
export function isSamePath(one: string, other: string): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  const end = plain(short).replace(LEADING, '');
  const whole = plain(long);
  if (!whole.endsWith(end)) return false;
  const before = whole.length - end.length;
  return before === 0 || (!end.startsWith('/') && whole.charAt(before - 1) === '/');
}

// What leads to a place that is not named: `./`, `../`, a home, a mark for a root.
const LEADING = /^(?:\.{1,2}\/|~\/|…\/)+/;

function plain(path: string): string {
  return path.replaceAll('\\', '/').replace(/\/$/, '');
}

type Named = Pick<Fact, 'kind' | 'value'>;

/** Finds the keys of files that share the end of their paths and nothing else. */
export class PathKeys {
  /** Further keys by the one they would have shared. */
  readonly #others = new Map<string, string[]>();

  /** Notes the key of an entry that is known already. */
  note(key: string, shared: string): void {
    if (key === shared) return;
    const others = this.#others.get(shared);
    if (others === undefined) this.#others.set(shared, [key]);
    else others.push(key);
  }

  /** The key of a fact that would share one with `known`: its own where they are two files. */
  keyOf(fact: Named, shared: string, valueAt: (key: string) => string | undefined): string {
    const known = valueAt(shared);
    if (known === undefined || known === fact.value || isSamePath(known, fact.value)) return shared;
    const others = this.#others.get(shared) ?? [];
    for (const key of others) if (isSamePath(valueAt(key) ?? '', fact.value)) return key;
    // A thousand files of one name must not be a thousand searches of a thousand.
    if (others.length >= MOST) return shared;
    const own = `${shared.slice(0, shared.indexOf(':') + 1)}${plain(fact.value)}`;
    this.note(own, shared);
    return own;
  }
}

const MOST = 24;
