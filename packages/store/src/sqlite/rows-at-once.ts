import type { Rows } from '../model/rows.ts';

/** Rows of a database that answers at once, without a promise. */
export type RowsAtOnce = {
  readonly [Name in keyof Rows]: (...given: Parameters<Rows[Name]>) => Awaited<ReturnType<Rows[Name]>>;
};
