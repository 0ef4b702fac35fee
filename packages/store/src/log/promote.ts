import type { BranchInfo } from '../model/port.ts';
import type { Rows } from '../model/rows.ts';
import { branchInfo } from './conversations.ts';
import { findBranch, findConversation, MAIN } from './reading.ts';

/** A branch and the main one change names. Both get a new version: what was computed for one is not for the other. */
export async function promote(
  rows: Rows,
  { conversation: id, branch: name }: { readonly conversation: string; readonly branch: string },
): Promise<BranchInfo> {
  const conversation = await findConversation(rows, id);
  const main = await findBranch(rows, conversation, { name: MAIN, lock: 'lock' });
  const other = await findBranch(rows, conversation, { name, lock: 'lock' });
  if (main.name === other.name) return branchInfo(main);
  const version = Math.max(main.version, other.version) + 1;
  const row = { ...other, name: MAIN, version };
  await rows.putBranch(conversation.key, { ...main, name, version });
  await rows.putBranch(conversation.key, row);
  return branchInfo(row);
}
