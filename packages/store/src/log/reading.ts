import { StoreError } from '../model/errors.ts';
import type { BranchRef, Snapshot } from '../model/port.ts';
import type { BranchRow, ConversationRow, Hold, RecordHead, Rows } from '../model/rows.ts';
import { type Reuse, versionOf } from './lineage.ts';
import { type Path, pathTo, placeOf } from './path.ts';

/** A branch as it is within one transaction. */
export type BranchState = {
  readonly conversation: ConversationRow;
  readonly branch: BranchRow;
  readonly path: Path;
  readonly heads: readonly RecordHead[];
};

/** Name of the branch a conversation begins with. */
export const MAIN = 'main';

/**
 * Reads where a branch stands; throws where there is no such conversation or branch. Whoever writes records also keeps messages
 * from the branch meanwhile: what a record says of thinking behind it must hold for all that is there (laws 29, 30).
 */
export async function readBranch(rows: Rows, ref: BranchRef, hold?: Hold): Promise<BranchState> {
  const conversation = await findConversation(rows, ref.conversation, hold);
  const name = ref.branch ?? MAIN;
  const branch = await findBranch(rows, conversation, hold === 'records' ? { name, lock: 'lock' } : { name });
  // Asked for together: a server answers both in one round trip.
  const [path, heads] = await Promise.all([
    pathTo(rows, conversation.key, placeOf(branch)),
    rows.recordHeads(conversation.key),
  ]);
  return { conversation, branch, path, heads };
}

/** The conversation of an id; one of another tenant is as unknown as one that never was. */
export async function findConversation(rows: Rows, id: string, hold?: Hold): Promise<ConversationRow> {
  const found = await rows.conversation(id, hold);
  if (found === undefined) {
    throw new StoreError('unknown-conversation', `There is no conversation ${JSON.stringify(id)}; create it first.`);
  }
  return found;
}

type Wanted = { readonly name: string; readonly lock?: 'lock' };

/** The branch of a name. */
export async function findBranch(rows: Rows, { key, id }: ConversationRow, wanted: Wanted): Promise<BranchRow> {
  const found = await rows.branch(key, wanted.name, wanted.lock);
  if (found !== undefined) return found;
  const names = (await rows.branches(key)).map(({ name }) => JSON.stringify(name)).join(', ');
  throw new StoreError(
    'unknown-branch',
    `The conversation ${JSON.stringify(id)} has no branch ${JSON.stringify(wanted.name)}; there are ${names}.`,
  );
}

/** What publishing compares with. */
export function snapshotOf(state: BranchState, reuse: Reuse = 'strict'): Snapshot {
  const { name, tip } = state.branch;
  const version = versionOf(state.heads, state, reuse);
  return { branch: name, version, ...(tip === null ? {} : { tip }), ...(reuse === 'strict' ? {} : { reuse }) };
}

/** Whether both show the same, but for messages that came between. */
export function isSameView(one: Snapshot, other: Snapshot): boolean {
  return one.branch === other.branch && one.version === other.version && one.reuse === other.reuse;
}

/** An id that no message or record of the conversation has. */
export function unknown(what: 'message' | 'record', id: string): StoreError {
  return new StoreError(`unknown-${what}`, `The conversation has no ${what} ${JSON.stringify(id)}.`);
}
