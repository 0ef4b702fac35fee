import type { Jobs, JobsOptions } from '../model/jobs.ts';
import type { Durability, Store } from '../model/port.ts';
import { locationOf, type StoreLocation } from './location.ts';

/** Opens the store at a location; only the driver it needs is loaded. A server decides itself what its appends outlive. */
export async function openStore(
  location: StoreLocation = locationOf(),
  options: { readonly durability?: Durability } = {},
): Promise<Store> {
  switch (location.kind) {
    case 'sqlite': {
      const { sqliteStore } = await import('../sqlite/index.ts');
      return sqliteStore(location.path, options);
    }
    case 'postgres': {
      const { postgresStore } = await import('../postgres/index.ts');
      return postgresStore({ connectionString: location.connectionString });
    }
    default:
      return location satisfies never;
  }
}

/** Opens the queue of jobs at a location. */
export async function openJobs(location: StoreLocation = locationOf(), options: JobsOptions = {}): Promise<Jobs> {
  switch (location.kind) {
    case 'sqlite': {
      const { sqliteJobs } = await import('../sqlite/index.ts');
      return sqliteJobs(location.path, options);
    }
    case 'postgres': {
      const { postgresJobs } = await import('../postgres/index.ts');
      return postgresJobs({ ...options, connectionString: location.connectionString });
    }
    default:
      return location satisfies never;
  }
}
