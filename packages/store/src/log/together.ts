import { type Branch, type CompactionRecord, project } from 'epitome';
import { findAtoms } from 'epitome/atoms';

type Edit = CompactionRecord['edits'][number];

/** What comes back into view together. */
export type Together = {
  readonly depths: ReadonlySet<number>;
  /** Whether what a record shows otherwise is as it was again. */
  readonly lifts: (edit: Edit) => boolean;
  /** Whether that can be seen. Thinking may have to stay out all the same: that is no reason to bring a message back. */
  readonly shows: (edit: Edit) => boolean;
};

/**
 * Chosen messages of a whole branch with all that may not be parted from them: calls and results, and an answer that a dialect
 * gives in several items with the thinking that led to it (law 4, R3). What no provider takes, such as a result without a call,
 * and what an earlier summary no longer tells stay as records show them.
 */
export function together(branch: Branch, chosen: readonly number[]): Together {
  const { entries } = project(branch, []);
  const { list, atomOf, orphans } = findAtoms(entries);
  const depths = new Set<number>();
  for (const depth of chosen) {
    const { first = depth, last = depth } = list[atomOf[depth] ?? -1] ?? {};
    for (let at = first; at <= last; at += 1) depths.add(at);
  }
  const places = new Map([...depths].map((depth) => [branch.ids[depth], depth]));
  const lifts = ({ messageId, part }: Edit): boolean => {
    const depth = places.get(messageId);
    if (depth === undefined || entries[depth]?.summary !== undefined) return false;
    return !orphans.some((orphan) => orphan.entry === depth && orphan.part === part);
  };
  const isThinking = ({ messageId, part }: Edit): boolean =>
    branch.messages[places.get(messageId) ?? -1]?.parts[part]?.kind === 'reasoning';
  return { depths, lifts, shows: (edit) => lifts(edit) && !isThinking(edit) };
}
