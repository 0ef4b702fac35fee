import { StoreError } from '../model/errors.ts';
import type { NewMessage } from '../model/port.ts';
import type { NewMessageRow, Place } from '../model/rows.ts';
import { searchText, tokensOf } from '../text/tokens.ts';
import { chainedId } from './chain.ts';
import { type Decoder, parseNative } from './decoding.ts';

/** A message on its way in, without a segment. */
export type Incoming = Omit<NewMessageRow, 'segment'> & { readonly isNamed: boolean };

/** Reads new messages behind a tip: ids by the caller or the hash chain, roles, words. Reads nothing but them. */
export function readIncoming(
  messages: readonly NewMessage[],
  from: { readonly tip: string; readonly depth: number },
  decoder: Decoder,
): readonly Incoming[] {
  const incoming: Incoming[] = [];
  let previous = from.tip;
  for (const [index, given] of messages.entries()) {
    const native = typeof given === 'string' ? given : given.native;
    const depth = from.depth + 1 + index;
    const message = decoder.at(parseNative(native, `Message ${index + 1} of ${messages.length}`), depth);
    const id = typeof given === 'string' ? chainedId(previous, native) : checkedId(given.id);
    const isNamed = typeof given !== 'string';
    incoming.push({ id, depth, role: message.role, native, tokens: () => tokensOf(searchText(message)), isNamed });
    previous = id;
  }
  return incoming;
}

/** Incoming messages as rows of a segment. */
export function rowsBehind(incoming: readonly Incoming[], { segment, depth }: Place): readonly NewMessageRow[] {
  return incoming.map(({ isNamed: _named, ...row }, index) => ({ ...row, segment, depth: depth + 1 + index }));
}

function checkedId(id: string): string {
  if (typeof id === 'string' && id !== '' && id.length <= 256 && !id.includes('\0') && id.isWellFormed()) return id;
  throw new StoreError(
    'bad-message',
    `A message id must be 1 to 256 characters of plain text, not ${JSON.stringify(id)}.`,
  );
}
