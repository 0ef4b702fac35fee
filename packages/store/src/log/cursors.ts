import type { FormatName } from 'epitome';
import type { Place } from '../model/rows.ts';
import type { Decoder } from './decoding.ts';

/** Where a branch ended when this process last wrote to it. A hint: the database decides. */
export type Cursor = {
  readonly key: number;
  readonly format: FormatName;
  readonly place: Place;
  readonly tip: string;
  readonly decoder: Decoder;
};

/** Cursors of the branches written to last. */
export type Cursors = {
  readonly get: (conversation: string, branch: string) => Cursor | undefined;
  readonly set: (conversation: string, branch: string, cursor: Cursor) => void;
  readonly drop: (conversation: string, branch?: string) => void;
};

const MOST = 256;

/** An empty set of cursors. */
export function createCursors(): Cursors {
  const cursors = new Map<string, Cursor>();
  // Neither may hold a control character.
  const nameOf = (conversation: string, branch: string): string => `${conversation}\n${branch}`;
  return {
    get: (conversation, branch) => cursors.get(nameOf(conversation, branch)),
    set: (conversation, branch, cursor) => {
      const name = nameOf(conversation, branch);
      cursors.delete(name);
      cursors.set(name, cursor);
      const oldest = cursors.keys().next();
      if (cursors.size > MOST && !oldest.done) cursors.delete(oldest.value);
    },
    drop: (conversation, branch) => {
      if (branch !== undefined) {
        cursors.delete(nameOf(conversation, branch));
        return;
      }
      for (const name of [...cursors.keys()]) if (name.startsWith(nameOf(conversation, ''))) cursors.delete(name);
    },
  };
}
