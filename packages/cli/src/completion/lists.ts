import { findSessions } from '../commands/sessions.ts';
import { existing, withLog } from '../store-options.ts';
import type { ListName } from './words.ts';

// More than anyone picks from; each is a line in a terminal.
const MOST = 50;

/** Words that are looked up when a shell asks for them, newest first. */
export async function listOf(name: ListName): Promise<readonly string[]> {
  switch (name) {
    case 'sessions':
      return (await findSessions()).slice(0, MOST).map(({ path }) => path);
    case 'conversations': {
      const location = existing({});
      return withLog({ location, tenant: undefined }, async (log) =>
        (await log.conversations({ limit: MOST })).map(({ id }) => id),
      );
    }
    default:
      return name satisfies never;
  }
}
