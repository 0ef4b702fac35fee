import { decodeAll } from '../convert/convert.ts';
import { defined } from '../model/json.ts';
import type { Session } from '../model/session.ts';
import { entriesOf } from '../tree/messages.ts';
import { promptWords } from './heavy.ts';

/** One way through a session. */
export type BranchUse = {
  readonly name: string;
  readonly entries: number;
  /** Entries it shares with the main branch. */
  readonly shared: number;
  readonly side?: string;
  /** How what it has alone begins. */
  readonly begins: string;
};

/** The branches of a session, and where each leaves the main one. */
export function branchesOf(session: Session): readonly BranchUse[] {
  const depths: number[] = [];
  // Parents stand in front of their children.
  session.entries.forEach(({ parent }, index) => {
    depths[index] = (depths[parent] ?? 0) + 1;
  });
  const main = new Set(entriesOf(session, session.branches[0]?.leaf ?? -1));
  return session.branches.map(({ name, leaf, side }, index) => {
    const own = ownOf(session, leaf, index === 0 ? new Set() : main);
    const entries = depths[leaf] ?? 0;
    return { name, entries, shared: entries - own.length, ...defined({ side }), begins: beginOf(session, own) };
  });
}

/** Entries up to a leaf that are not among those of another branch, oldest first. */
function ownOf({ entries }: Session, leaf: number, others: ReadonlySet<number>): readonly number[] {
  const own: number[] = [];
  for (let at = leaf; at >= 0 && !others.has(at); at = entries[at]?.parent ?? -1) own.push(at);
  return own.reverse();
}

function beginOf({ entries, format }: Session, own: readonly number[]): string {
  // What a person wrote says best what a branch is about.
  const told = own.find((index) => entries[index]?.isPrompt) ?? own[0];
  const natives = told === undefined ? [] : (entries[told]?.natives ?? []);
  return promptWords(decodeAll(natives, format)[0]);
}
