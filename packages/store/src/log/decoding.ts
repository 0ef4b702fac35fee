import { type FormatName, formatNamed, type Message } from 'epitome';
import { StoreError } from '../model/errors.ts';
import type { MessageRow } from '../model/rows.ts';

// Gemini names calls by their position and pairs results within this many messages (`links.ts` of its format).
const LOOK_BACK = 128;
const BLANK: Message = { role: 'other', parts: [], native: null };

/** Reads messages of a branch in order, each at its depth; what was left out in front stands as blanks. */
export type Decoder = {
  readonly at: (native: unknown, depth: number) => Message;
  /** Takes in messages that end at a depth and were read before. */
  readonly resume: (messages: readonly Message[], depth: number) => void;
};

/** A decoder that need not see a whole branch. */
export function decoderOf(format: FormatName): Decoder {
  const { decode } = formatNamed(format);
  const isByPosition = lookBackOf(format) > 0;
  const before: Message[] = [];
  return {
    at: (native, depth) => {
      while (isByPosition && before.length < depth) before.push(BLANK);
      const message = decode(native, before);
      before.push(message);
      if (isByPosition && before.length > LOOK_BACK) before[before.length - 1 - LOOK_BACK] = BLANK;
      if (!isByPosition && before.length > 2 * LOOK_BACK) before.splice(0, LOOK_BACK);
      return message;
    },
    resume: (messages, depth) => {
      const near = messages.slice(-LOOK_BACK);
      while (isByPosition && before.length <= depth - near.length) before.push(BLANK);
      for (const message of near) before.push(message);
    },
  };
}

/** Stored messages of one branch, by depth, as neutral ones. */
export function decodeRows(rows: readonly MessageRow[], decoder: Decoder): readonly Message[] {
  return rows.map(({ native, depth }) => decoder.at(JSON.parse(native), depth));
}

/** How many messages in front of a new one its decoding may look at. */
export function lookBackOf(format: FormatName): number {
  return format === 'gemini' ? LOOK_BACK : 0;
}

/** The value of a JSON text that came from a caller. */
export function parseNative(native: string, which: string): unknown {
  try {
    return JSON.parse(native);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new StoreError('bad-message', `${which} is no JSON text (${reason}); pass it as the client sent it.`, {
      cause,
    });
  }
}
