import { type Branch, formatNamed } from 'epitome';
import type { Rows } from '../model/rows.ts';
import { decodeRows, decoderOf } from './decoding.ts';
import type { BranchState } from './reading.ts';

/** All messages of a branch, read and decoded; each stands at its depth. */
export async function storedOn(rows: Rows, { conversation, path }: BranchState): Promise<Branch> {
  const stored = await rows.messagesIn(conversation.key, path);
  const messages = decodeRows(stored, decoderOf(conversation.format));
  return { format: formatNamed(conversation.format), messages, ids: stored.map(({ id }) => id) };
}
