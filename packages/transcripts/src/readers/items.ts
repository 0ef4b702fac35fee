import type { FormatName } from 'epitome';
import type { Item, Piece, Reading, SourceName } from '../model/item.ts';

/** A record that is no part of the conversation. */
export function skip(type: string, isKnown = true): Item {
  return { kind: 'skip', type: type === '' ? '(no type)' : type, isKnown };
}

/** Reads a file that holds one session: it begins with the first piece. */
export function oneSession(
  of: { readonly source: SourceName; readonly format: FormatName },
  read: (piece: Piece) => readonly Item[],
): Reading {
  let isOpen = false;
  return {
    push: (piece) => {
      const items = read(piece);
      if (isOpen) return items;
      isOpen = true;
      return [{ kind: 'session', ...of, details: {} }, ...items];
    },
    end: () => [],
  };
}
