import { countMessages, isFixed, isPrompt, type ViewEntry } from '../model/view.ts';
import { atomStart, type Sized } from './cuts.ts';

/** A run of entries; inclusive. */
export type Run = { readonly first: number; readonly last: number };

/** More runs than this in one call would cost more than they are worth. */
export const MOST_RUNS = 50;

/**
 * Runs of at least two assistant and tool messages between user messages, outside the retention window, oldest first.
 * Runs are made of whole atoms; one that holds a prompt, a system message or a pending call ends a run.
 */
export function findRuns(sized: Sized, retain: number): readonly Run[] {
  const { entries, atoms, start } = sized;
  const end = atomStart(atoms, newestFrom(entries, retain));
  const runs: Run[] = [];
  let first: number | undefined;
  const close = (next: number): void => {
    const found = entries.slice(first ?? next, next).filter(({ filler }) => !filler);
    if (first !== undefined && countMessages(found) >= 2) runs.push({ first, last: next - 1 });
    first = undefined;
  };
  for (const atom of atoms.list) {
    if (atom.first < start) continue;
    if (atom.last >= end || atom.pending || holdsUserOrSystem(sized, atom)) close(atom.first);
    else first ??= atom.first;
    if (atom.last >= end) return runs;
  }
  close(Math.min(end, entries.length));
  return runs;
}

/** Where the newest messages of this number begin. What stays in any case is none of them. */
function newestFrom(entries: readonly ViewEntry[], count: number): number {
  let left = count;
  let index = entries.length;
  while (left > 0 && index > 0) {
    index -= 1;
    left -= countMessages(entries.slice(index, index + 1).filter((entry) => !isFixed(entry)));
  }
  return index;
}

function holdsUserOrSystem({ entries }: Sized, atom: Run): boolean {
  for (let index = atom.first; index <= atom.last; index += 1) {
    const entry = entries[index];
    if (entry === undefined || isPrompt(entry) || isFixed(entry)) return true;
    if (entry.message.role === 'user' && entry.summary !== undefined) return true;
  }
  return false;
}
