import type { BranchInfo } from '../model/port.ts';
import type { Rows } from '../model/rows.ts';
import { branchInfo } from './conversations.ts';
import { lineageFrom, versionOf } from './lineage.ts';
import { findConversation, MAIN, readBranch } from './reading.ts';

/** A branch and the main one change names; each takes along the records it had, so that it shows what it showed. */
export async function promote(
  rows: Rows,
  { conversation: id, branch: name }: { readonly conversation: string; readonly branch: string },
): Promise<BranchInfo> {
  const { key } = await findConversation(rows, id, 'everything');
  const main = await readBranch(rows, { conversation: id });
  const other = await readBranch(rows, { conversation: id, branch: name });
  const { heads, path } = other;
  if (name === MAIN) return branchInfo(main.branch, versionOf(heads, main));
  const row = { ...other.branch, name: MAIN, lineage: lineageFrom(heads, other) };
  await rows.putBranch(key, { ...main.branch, name, lineage: lineageFrom(heads, main) });
  await rows.putBranch(key, row);
  return branchInfo(row, versionOf(heads, { branch: row, path }));
}
