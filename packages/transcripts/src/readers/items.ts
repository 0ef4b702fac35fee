import type { FormatName } from 'epitome';
import type { EntryItem, Item, Piece, Reading, SourceName } from '../model/item.ts';

/** A record that is no part of the conversation. */
export function skip(type: string): Item {
  return { kind: 'skip', type: type === '' ? '(no type)' : type, isKnown: true };
}

/** A record of a type that nobody here knows. */
export function unread(type: string): Item {
  return { kind: 'skip', type: type === '' ? '(no type)' : type, isKnown: false };
}

/** A record that is passed over, by whether its type is one of those known. */
export function passed(type: string, known: ReadonlySet<string>): Item {
  return known.has(type) ? skip(type) : unread(type);
}

/** What an entry may say beside its messages; what is undefined is left out. */
type Fields = { readonly [K in Exclude<keyof EntryItem, 'kind' | 'natives'>]?: EntryItem[K] | undefined };

/** An entry. One loop and no spreading: it is made for every message of a file. */
export function entry(natives: readonly unknown[], fields: Fields): EntryItem {
  const item: Record<string, unknown> = { kind: 'entry', natives };
  for (const key in fields) {
    const value = fields[key as keyof Fields];
    if (value !== undefined) item[key] = value;
  }
  return item as EntryItem;
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
