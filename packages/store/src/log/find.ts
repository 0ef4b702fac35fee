import type { FormatName } from 'epitome';
import type { Found } from '../model/port.ts';
import type { LocatedHead, Rows } from '../model/rows.ts';
import { chainedId } from './chain.ts';
import { branchPaths } from './conversations.ts';
import { holds } from './path.ts';
import { findConversation } from './reading.ts';

/** A history as a client sends it: JSON texts of one format. */
export type History = { readonly format: FormatName; readonly messages: readonly string[] };

/**
 * Where a history is known up to, in whichever conversation: the newest of its messages are looked for first, so that the work is
 * one pass of hashing and a look-up, however long it is. Of several conversations the newest.
 */
export async function findHistory(rows: Rows, { format, messages }: History): Promise<Found | undefined> {
  const ids = chainOf(messages);
  for (let size = 8; ; size *= 8) {
    const heads = (await rows.located(ids.slice(-size))).filter((head) => head.format === format);
    if (heads.length > 0) return foundAt(rows, newest(heads), ids);
    if (size >= ids.length) return undefined;
  }
}

function chainOf(messages: readonly string[]): readonly string[] {
  let previous = '';
  return messages.map((native) => {
    previous = chainedId(previous, native);
    return previous;
  });
}

function newest(heads: readonly LocatedHead[]): LocatedHead {
  return heads.reduce((best, head) => {
    const isDeeper = head.depth > best.depth || (head.depth === best.depth && head.seq > best.seq);
    return isDeeper ? head : best;
  });
}

async function foundAt(rows: Rows, head: LocatedHead, ids: readonly string[]): Promise<Found> {
  const { key } = await findConversation(rows, head.conversation);
  const branches = await branchPaths(rows, key);
  const ending = branches.find(({ branch }) => branch.tip === head.id);
  const own = ending ?? branches.find(({ path }) => holds(path, head));
  const branch = own?.branch.name;
  return {
    conversation: head.conversation,
    messageId: head.id,
    known: ids.indexOf(head.id) + 1,
    ids,
    isTip: ending !== undefined,
    ...(branch === undefined ? {} : { branch }),
  };
}
