import pg, { type Pool, type PoolConfig } from 'pg';
import { StoreError } from '../model/errors.ts';
import { asStoreError } from './errors.ts';
import { MIGRATIONS } from './schema.ts';

/** How a store reaches its server. */
export type PostgresOptions = {
  readonly connectionString: string;
  /**
   * Most connections of this process.
   * @default 10
   */
  readonly max?: number;
  /**
   * Whether a role that row-level security does not bind is refused.
   * @default 'required'
   */
  readonly rowSecurity?: 'required' | 'unchecked';
};

const LEAST_SERVER = 150_000;
const BIGINT = 20;
// Any number, the same in every process: it names the lock under which one of them migrates.
const MIGRATION_LOCK = 7_308_621;

/** Connects, checks the server and the role, and brings the schema to what this version knows. */
export async function openPool({
  connectionString,
  max = 10,
  rowSecurity = 'required',
}: PostgresOptions): Promise<Pool> {
  const pool = outliving(new pg.Pool(poolConfig(connectionString, max)));
  try {
    await checkServer(pool, rowSecurity);
    await migrate(pool);
    return pool;
  } catch (error) {
    await pool.end();
    throw asStoreError(error);
  }
}

/**
 * A pool that outlives its connections. Whoever uses one is told when it breaks, and the pool replaces it; without listeners, on
 * idle and on busy ones, the process would end with it.
 */
export function outliving(pool: Pool): Pool {
  pool.on('error', () => {});
  return pool.on('connect', (client) => void client.on('error', () => {}));
}

function poolConfig(connectionString: string, max: number): PoolConfig {
  return {
    connectionString,
    max,
    pipeline: true,
    types: {
      // Sequence numbers stay far below 2^53.
      getTypeParser: (oid: number, format?: 'text' | 'binary') =>
        oid === BIGINT ? Number : pg.types.getTypeParser(oid, format),
    },
  };
}

async function checkServer(pool: Pool, rowSecurity: 'required' | 'unchecked'): Promise<void> {
  const { rows } = await pool.query<{ version: number; role: string; free: boolean }>(
    `select current_setting('server_version_num')::int as version, rolname as role, rolsuper or rolbypassrls as free
     from pg_roles where rolname = current_user`,
  );
  const [found] = rows;
  if (found === undefined) return;
  if (found.version < LEAST_SERVER) {
    throw new StoreError(
      'unavailable',
      `The PostgreSQL server has version ${Math.floor(found.version / 10_000)}; 15 is the least.`,
    );
  }
  if (!found.free || rowSecurity === 'unchecked') return;
  throw new StoreError(
    'unsafe-role',
    `Row-level security does not bind the role ${JSON.stringify(found.role)}: connect as an ordinary role, without SUPERUSER and BYPASSRLS.`,
  );
}

/** Several processes may start at once: one migrates, the others wait and find it done. */
async function migrate(pool: Pool): Promise<void> {
  const client = await pool.connect();
  try {
    if ((await versionOf(client)) === MIGRATIONS.length) return;
    await client.query('begin isolation level read committed, read write');
    await client.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
    await client.query('create schema if not exists epitome');
    await client.query('create table if not exists epitome.migrations (version integer primary key)');
    for (const [index, step] of MIGRATIONS.entries()) {
      if (index < (await versionOf(client))) continue;
      await client.query(step);
      await client.query('insert into epitome.migrations (version) values ($1)', [index + 1]);
    }
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  } finally {
    client.release();
  }
}

async function versionOf(client: pg.PoolClient): Promise<number> {
  const known = await client.query<{ known: boolean }>(`select to_regclass('epitome.migrations') is not null as known`);
  if (known.rows[0]?.known !== true) return 0;
  const { rows } = await client.query<{ version: number }>(
    'select coalesce(max(version), 0) as version from epitome.migrations',
  );
  const version = rows[0]?.version ?? 0;
  if (version <= MIGRATIONS.length) return version;
  throw new StoreError(
    'newer-schema',
    `The database has schema ${version}; this version of @epitome/store knows ${MIGRATIONS.length}. Update it, or use another database.`,
  );
}
