import { type Branch, project } from 'epitome';
import { findAtoms } from 'epitome/record';

/** What comes back into view together. */
export type Together = { readonly depths: ReadonlySet<number> };

/**
 * Chosen messages of a whole branch with all that may not be parted from them: calls and results, and an answer that a dialect
 * gives in several items with the thinking that led to it (law 4, R3).
 */
export function together(branch: Branch, chosen: readonly number[]): Together {
  const { list, atomOf } = findAtoms(project(branch, []).entries);
  const depths = new Set<number>();
  for (const depth of chosen) {
    const { first = depth, last = depth } = list[atomOf[depth] ?? -1] ?? {};
    for (let at = first; at <= last; at += 1) depths.add(at);
  }
  return { depths };
}
