import { type Dispatcher, Pool } from 'undici';
import type { Timeouts } from '../model/config.ts';
import type { Upstream } from '../model/dialect.ts';
import { allowsPrivate, publicLookup } from './addresses.ts';
import { urlOf } from './url.ts';

/** Connections to upstreams, kept open between requests. */
export type Pools = {
  readonly to: (upstream: Upstream) => Dispatcher;
  /** Closes what no configured upstream uses any more, once its requests have ended. */
  readonly keepOnly: (upstreams: readonly Upstream[]) => void;
  readonly close: () => Promise<void>;
};

/** One pool per origin and its rules. */
export function createPools(timeouts: Timeouts): Pools {
  const pools = new Map<string, Pool>();
  return {
    to: (upstream) => {
      const name = nameOf(upstream);
      const known = pools.get(name);
      if (known !== undefined) return known;
      const pool = openPool(upstream, timeouts);
      pools.set(name, pool);
      return pool;
    },
    keepOnly: (upstreams) => {
      const wanted = new Set(upstreams.map(nameOf));
      for (const [name, pool] of pools) {
        if (wanted.has(name)) continue;
        pools.delete(name);
        void pool.close();
      }
    },
    close: async () => {
      await Promise.all([...pools.values()].map((pool) => pool.destroy()));
      pools.clear();
    },
  };
}

function nameOf(upstream: Upstream): string {
  return `${urlOf(upstream).origin} ${allowsPrivate(upstream)}`;
}

function openPool(upstream: Upstream, timeouts: Timeouts): Pool {
  return new Pool(urlOf(upstream).origin, {
    connections: 256,
    pipelining: 1,
    headersTimeout: timeouts.upstream,
    bodyTimeout: timeouts.upstream,
    connect: { timeout: 10_000, ...(allowsPrivate(upstream) ? {} : { lookup: publicLookup }) },
  });
}
