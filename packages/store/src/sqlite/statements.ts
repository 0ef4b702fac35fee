import type { Database, Statement } from './driver.ts';

/** Prepares each statement once. */
export type Prepare = (sql: string) => Statement;

/** A cache of prepared statements. */
export function statementsOf(database: Database): Prepare {
  const prepared = new Map<string, Statement>();
  return (sql) => {
    const known = prepared.get(sql) ?? database.prepare(sql);
    prepared.set(sql, known);
    return known;
  };
}
