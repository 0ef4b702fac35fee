import type { Store } from '../../src/index.ts';

/** A store under test. Tests take a tenant each, so that one store serves them all. */
export type Subject = {
  readonly store: () => Store;
  readonly newTenant: () => string;
  /** Runs of a property: real databases take longer for each. */
  readonly runs: number;
};
