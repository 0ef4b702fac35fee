import { type Dispatcher, Pool } from 'undici';
import type { Config } from '../model/config.ts';
import type { Upstream } from '../model/dialect.ts';
import { allowsPrivate, publicLookup } from './addresses.ts';
import { urlOf } from './url.ts';

/** Connections to upstreams, kept open between requests. */
export type Pools = {
  readonly to: (upstream: Upstream) => Dispatcher;
  /** Holds to another configuration; what it uses no more is closed once its requests have ended. */
  readonly reload: (config: Pick<Config, 'upstreams' | 'timeouts'>) => void;
  readonly close: () => Promise<void>;
};

/** One pool per origin and its rules. */
export function createPools(timeouts: Config['timeouts']): Pools {
  const pools = new Map<string, Pool>();
  let waitMs = timeouts.upstream;
  const nameOf = (upstream: Upstream): string => `${placeOf(upstream)} ${waitMs}`;
  return {
    to: (upstream) => {
      const name = nameOf(upstream);
      const known = pools.get(name);
      if (known !== undefined) return known;
      const pool = openPool(upstream, waitMs);
      pools.set(name, pool);
      return pool;
    },
    reload: ({ upstreams, timeouts: changed }) => {
      waitMs = changed.upstream;
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

const places = new WeakMap<Upstream, string>();

/** An upstream's origin and its rules, found out once. */
function placeOf(upstream: Upstream): string {
  const known = places.get(upstream);
  if (known !== undefined) return known;
  const place = `${urlOf(upstream).origin} ${allowsPrivate(upstream)}`;
  places.set(upstream, place);
  return place;
}

function openPool(upstream: Upstream, waitMs: number): Pool {
  return new Pool(urlOf(upstream).origin, {
    connections: 256,
    pipelining: 1,
    headersTimeout: waitMs,
    bodyTimeout: waitMs,
    connect: { timeout: 10_000, ...(allowsPrivate(upstream) ? {} : { lookup: publicLookup }) },
  });
}
