import { existsSync } from 'node:fs';
import {
  type ConversationInfo,
  LOCAL_TENANT,
  type Log,
  locationOf,
  nameOf,
  openStore,
  type StoreLocation,
} from '@epitome/store';
import { UsageError } from './errors.ts';
import { plain } from './output/text.ts';

/** What every command on a store takes. */
export type StoreOptions = { readonly store?: string; readonly tenant?: string };

/** A store that must be there: reading one that is not would make an empty one. */
export function existing(options: StoreOptions): StoreLocation {
  const location = locationOf(options.store);
  if (location.kind === 'sqlite' && !existsSync(location.path)) {
    throw new UsageError(
      `There is no store at ${location.path}; --store or EPITOME_STORE names another, epitome import and epitome chat make one.`,
    );
  }
  return location;
}

/** Runs work on the log of a tenant and closes the store, whatever comes of it. */
export async function withLog<T>(
  { location, tenant = LOCAL_TENANT }: { readonly location: StoreLocation; readonly tenant: string | undefined },
  work: (log: Log, where: string) => Promise<T>,
): Promise<T> {
  const named = tenantNamed(tenant);
  const store = await openStore(location);
  try {
    return await work(store.forTenant(named), nameOf(location));
  } finally {
    await store.close();
  }
}

/** A tenant as it was named; an empty name is a variable of a script that was not set. */
export function tenantNamed(name: string): string {
  if (name.trim() !== '') return name;
  throw new UsageError('--tenant is empty; it takes a name, and leaving it out is the usual one.');
}

/** A conversation by its id, or by a beginning that only one has. */
export async function findConversation(log: Log, wanted: string): Promise<ConversationInfo> {
  const known = await log.conversation(wanted);
  if (known !== undefined) return known;
  const alike = (await log.conversations()).filter(
    ({ id }) => id.startsWith(wanted) || id.split('/')[1]?.startsWith(wanted),
  );
  const [only, ...others] = alike;
  if (only !== undefined && others.length === 0) return only;
  const name = JSON.stringify(wanted);
  if (only === undefined) throw new UsageError(`There is no conversation ${name}; epitome store list lists them.`);
  const some = alike.slice(0, 5).map(({ id }) => plain(id));
  throw new UsageError(
    `${alike.length} conversations begin with ${name}: ${some.join(', ')}${others.length > 4 ? ' …' : ''}.`,
  );
}
