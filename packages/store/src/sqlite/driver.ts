import { createRequire } from 'node:module';

/** What is used of the `node:sqlite` API. */
export type Database = {
  exec(sql: string): void;
  prepare(sql: string): Statement;
  close(): void;
};
export type Value = string | number | null | Uint8Array;
export type Statement = {
  run(...values: readonly Value[]): { readonly changes: number | bigint; readonly lastInsertRowid: number | bigint };
  get(...values: readonly Value[]): unknown;
  all(...values: readonly Value[]): unknown[];
};
type Driver = { readonly DatabaseSync: new (path: string, options?: { readOnly?: boolean }) => Database };

// Before 3.51.3 a reset of the WAL by two processes at once can corrupt the file.
const LEAST_SQLITE = [3, 51, 3] as const;
// In earlier lines the builtin module warns of being experimental, on the user's terminal; in this one it stopped with the
// very release that brought the SQLite above.
const LEAST_NODE = 24;

/** Opens a database with the builtin driver where it is stable and new enough, else with the prebuilt one. */
export function openDatabase(path: string, options: { readonly readOnly?: boolean } = {}): Database {
  const { DatabaseSync } = driver();
  return new DatabaseSync(path, { readOnly: options.readOnly ?? false });
}

const load = createRequire(import.meta.url);

function driver(): Driver {
  const { node, sqlite } = process.versions;
  const isStable = Number(node.split('.')[0]) >= LEAST_NODE && isAtLeast(sqlite ?? '', LEAST_SQLITE);
  return load(isStable ? 'node:sqlite' : '@photostructure/sqlite') as Driver;
}

function isAtLeast(version: string, least: readonly number[]): boolean {
  const parts = version.split('.').map(Number);
  const at = least.findIndex((number, index) => (parts[index] ?? 0) !== number);
  return at < 0 || (parts[at] ?? 0) > (least[at] ?? 0);
}
