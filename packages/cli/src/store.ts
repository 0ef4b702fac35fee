import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Log } from '@epitome/store';
import { sqliteStore } from '@epitome/store/sqlite';

/** Whose log the command writes and reads. */
const TENANT = 'local';

/** The store's file: `--store`, EPITOME_STORE, or the usual place for a user's data. */
export function storeFile(given: string | undefined): string {
  const { EPITOME_STORE, XDG_DATA_HOME, LOCALAPPDATA } = process.env;
  const data = XDG_DATA_HOME || (process.platform === 'win32' && LOCALAPPDATA) || join(homedir(), '.local', 'share');
  return given || EPITOME_STORE || join(data, 'epitome', 'store.db');
}

/** Opens the log in a store's file, and closes it when the work is done, however it ends. */
export async function withLog<T>(file: string, work: (log: Log) => Promise<T>): Promise<T> {
  const store = await sqliteStore(file);
  try {
    return await work(store.forTenant(TENANT));
  } finally {
    await store.close();
  }
}
