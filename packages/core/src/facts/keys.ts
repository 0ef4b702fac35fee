import type { Entry, FactKind } from '../model/facts.ts';
import { type Fact, factKey } from './fact.ts';
import { PathKeys } from './paths.ts';

// Statements and actions live beside identifiers of the same text; `__proto__` can then be no key either.
const APART = new Set<FactKind>(['demand', 'decision', 'todo', 'file', 'command']);

/** The key of a fact in a ledger. */
export function ledgerKey(fact: Named): string {
  return `${APART.has(fact.kind) ? fact.kind : ''}:${factKey(fact)}`;
}

/** Under which key an entry goes among others: two files whose paths only end alike have two. */
export function keyAmong(entries: Readonly<Record<string, Entry>>, paths: PathKeys, fact: Named): string {
  const key = ledgerKey(fact);
  return isPath(fact.kind) ? paths.keyOf(fact, key, (at) => entries[at]?.value) : key;
}

type Named = Pick<Fact, 'kind' | 'value'>;

/** Whether facts of a kind go by the end of their path. */
export const isPath = (kind: FactKind): boolean => kind === 'path' || kind === 'file';

/** The keys of files that are there. */
export function pathsOf(entries: Iterable<readonly [string, Entry]>): PathKeys {
  const paths = new PathKeys();
  for (const [key, entry] of entries) if (isPath(entry.kind)) paths.note(key, ledgerKey(entry));
  return paths;
}
