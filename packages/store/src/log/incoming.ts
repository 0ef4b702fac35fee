import { StoreError } from '../model/errors.ts';
import type { NewMessage } from '../model/port.ts';
import type { NewMessageRow, Place } from '../model/rows.ts';
import { searchText, tokensOf } from '../text/tokens.ts';
import { chainedId } from './chain.ts';
import { type Decoder, parseNative } from './decoding.ts';

/** A message on its way in: its id by the caller or the hash chain, and its place among those it came with. */
export type Incoming = {
  readonly id: string;
  readonly native: string;
  readonly isNamed: boolean;
  /** Whether the id is the one of the chain. */
  readonly isChained: boolean;
  readonly which: string;
};

/** Gives ids to messages behind a tip. Reads nothing but their characters: most of a history that is sent again is known. */
export function identify(messages: readonly NewMessage[], tip: string): readonly Incoming[] {
  let previous = tip;
  return messages.map((given, index) => {
    const which = `Message ${index + 1} of ${messages.length}`;
    const isNamed = typeof given !== 'string';
    const native = checkedText(isNamed ? given.native : given, which);
    previous = isNamed ? checkedId(given.id) : chainedId(previous, native);
    return { id: previous, native, isNamed, isChained: !isNamed, which };
  });
}

/** Reads messages that go behind a place, and makes rows of them. */
export function rowsBehind(incoming: readonly Incoming[], place: Place, decoder: Decoder): readonly NewMessageRow[] {
  return incoming.map(({ id, native, isChained, which }, index) => {
    const depth = place.depth + 1 + index;
    const message = decoder.at(parseNative(native, which), depth);
    const tokens = (): readonly string[] => tokensOf(searchText(message));
    return { segment: place.segment, depth, id, role: message.role, native, isChained, tokens };
  });
}

/** Callers without types hand in the message itself, where the characters it came in would be kept. */
function checkedText(native: string, which: string): string {
  if (typeof native === 'string') return native;
  throw new StoreError('bad-message', `${which} is no text; pass its JSON as it came, or \`JSON.stringify\` of it.`);
}

function checkedId(id: string): string {
  if (typeof id === 'string' && id !== '' && id.length <= 256 && !id.includes('\0') && id.isWellFormed()) return id;
  throw new StoreError(
    'bad-message',
    `A message id must be 1 to 256 characters of plain text, not ${JSON.stringify(id)}.`,
  );
}
