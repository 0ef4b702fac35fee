import type { Session, StoredEntry } from '@epitome/transcripts';

/** What an agent's own storage holds: a list of sessions, each read when it is asked for. */
export type Storage = {
  readonly entries: readonly StoredEntry[];
  readonly read: (entry: StoredEntry) => Promise<Session | undefined>;
};
