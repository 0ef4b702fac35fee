import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { postgresStore } from '../src/postgres/index.ts';
import { MIGRATIONS } from '../src/postgres/schema.ts';
import { bundleChild, bundleFolder, startChild } from './support/children.ts';
import { type Server, startServer } from './support/postgres.ts';
import { compactBranch, exchange, exchanges, linesOf, shown } from './support/world.ts';

let server: Server;

beforeAll(async () => {
  server = await startServer();
});
afterAll(async () => {
  await server?.stop();
});

const onServer = async <T extends object>(url: string, sql: string, values: readonly unknown[] = []): Promise<T[]> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql, [...values])).rows as T[];
  } finally {
    await client.end();
  }
};

/** What the later steps of the schema did, taken back. */
const FIRST_AGAIN = `alter table epitome.search drop column part, add primary key (tenant, seq);
  alter table epitome.branches drop column lineage, add column version integer not null default 1;
  alter table epitome.records drop column scope, alter column seq add generated always as identity (start 1000);
  drop index epitome.messages_id;
  alter table epitome.messages add unique (tenant, conversation, id);
  delete from epitome.migrations where version > 1`;

describe('a PostgreSQL database', () => {
  test('is migrated once by many processes that open it at once', async () => {
    const program = await bundleChild('opener', bundleFolder('migrations'));
    const children = Array.from({ length: 6 }, (_, index) => startChild(program, [server.url, `c${index}`]));
    const ended = await Promise.all(children.map((child) => child.ended));
    rmSync(bundleFolder('migrations'), { recursive: true, force: true });
    expect(ended.map(({ lines, errors }) => [lines, errors])).toEqual(ended.map(() => [['done'], '']));
    const store = await postgresStore({ connectionString: server.url });
    expect(await store.forTenant('t').stats()).toMatchObject({ conversations: 6, messages: 6 });
    await store.close();
    const done = await onServer<{ version: number }>(server.url, 'select version from epitome.migrations order by 1');
    expect(done.map(({ version }) => version)).toEqual(MIGRATIONS.map((_, index) => index + 1));
  });

  test('of the first version is brought up to date and loses nothing', async () => {
    const store = await postgresStore({ connectionString: server.url });
    const log = store.forTenant('early');
    await log.create({ format: 'openai-chat', id: 'c' });
    await log.append({ conversation: 'c' }, exchanges(0, 8));
    await compactBranch(log, { conversation: 'c' });
    const [lines, view] = [await linesOf(log), await shown(log, { conversation: 'c' })];
    await store.close();
    await onServer(server.url, FIRST_AGAIN);
    const again = await postgresStore({ connectionString: server.url });
    expect(await linesOf(again.forTenant('early'))).toEqual(lines);
    expect(await shown(again.forTenant('early'), { conversation: 'c' })).toEqual(view);
    await again.forTenant('early').undo({ conversation: 'c' });
    expect(await shown(again.forTenant('early'), { conversation: 'c' })).toHaveLength(16);
    await again.close();
  });

  test('has row-level security forced on every table with a tenant', async () => {
    const open = await onServer(
      server.adminUrl,
      `select c.relname from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant'
       where c.relnamespace = 'epitome'::regnamespace and c.relkind = 'r'
       and not (c.relrowsecurity and c.relforcerowsecurity)`,
    );
    expect(open).toEqual([]);
  });

  test('shows its owner no row without a tenant, and none of another one, whatever is asked', async () => {
    const store = await postgresStore({ connectionString: server.url });
    for (const tenant of ['a', 'b']) {
      const log = store.forTenant(tenant);
      await log.create({ format: 'openai-chat', id: 'same' });
      await log.append({ conversation: 'same' }, [
        `{"role":"user","content":"secret of ${tenant} ${'long '.repeat(600)}"}`,
        ...exchanges(0, 3),
      ]);
    }
    await store.close();
    const tables = [
      'conversations',
      'segments',
      'branches',
      'messages',
      'payloads',
      'holes',
      'records',
      'search',
      'unindexed',
    ];
    const client = new pg.Client({ connectionString: server.url });
    await client.connect();
    for (const table of tables) {
      expect((await client.query(`select * from epitome.${table}`)).rows).toEqual([]);
      await client.query('begin');
      await client.query(
        `select set_config('epitome.tenant', 'a', true), set_config('epitome.search', 'secret', true)`,
      );
      const { rows } = await client.query<{ tenant: string }>(`select tenant from epitome.${table}`);
      expect(rows.every(({ tenant }) => tenant === 'a')).toBe(true);
      const gone = await client.query(`delete from epitome.${table} where tenant = 'b'`);
      expect(gone.rowCount).toBe(0);
      await client.query('rollback');
    }
    await client.query('begin');
    await client.query(`select set_config('epitome.tenant', 'a', true)`);
    const planted = client.query(
      `insert into epitome.segments (tenant, conversation, segment, base) values ('b', 1, 9, 0)`,
    );
    await expect(planted).rejects.toThrow('row-level security');
    await client.end();
  });

  test('searches by its index, though the policy comes first', async () => {
    const store = await postgresStore({ connectionString: server.url });
    const log = store.forTenant('large');
    const { id: conversation } = await log.create({ format: 'openai-chat' });
    const words = Array.from({ length: 4000 }, (_, index) => `{"role":"user","content":"word${index} of many"}`);
    await log.append({ conversation }, words);
    expect(await log.recall('word77')).toHaveLength(1);
    await store.close();
    await onServer(server.url, 'vacuum analyze epitome.search');
    const client = new pg.Client({ connectionString: server.url });
    await client.connect();
    await client.query('begin');
    await client.query(
      `select set_config('epitome.tenant', 'large', true), set_config('epitome.search', 'word77', true)`,
    );
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(
      'explain select seq from epitome.search order by seq desc limit 1000',
    );
    await client.end();
    expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('Bitmap Index Scan on search_words');
  });

  test('refuses a role that row-level security does not bind', async () => {
    await expect(postgresStore({ connectionString: server.adminUrl })).rejects.toThrow(
      'Row-level security does not bind the role "postgres": connect as an ordinary role, without SUPERUSER and BYPASSRLS.',
    );
    const store = await postgresStore({ connectionString: server.adminUrl, rowSecurity: 'unchecked' });
    await store.close();
  });

  test('that was closed says so, and is closed once', async () => {
    const store = await postgresStore({ connectionString: server.url });
    const log = store.forTenant('t');
    await Promise.all([store.close(), store.close()]);
    for (const ask of [() => log.stats(), () => log.recall('hi'), () => log.create({ format: 'openai-chat' })]) {
      await expect(ask()).rejects.toThrow('The store is closed; open it again.');
    }
  });

  test('that lost a payload says what helps there', async () => {
    const store = await postgresStore({ connectionString: server.url });
    const log = store.forTenant('torn');
    const { id: conversation } = await log.create({ format: 'openai-chat' });
    await log.append({ conversation }, [JSON.stringify({ role: 'user', content: 'long '.repeat(1000) })]);
    await onServer(server.adminUrl, `delete from epitome.payloads where tenant = 'torn'`);
    await expect(log.messages({ conversation })).rejects.toThrow('has lost a payload; restore it from a backup.');
    await store.close();
  });

  test('of a newer version is refused with a sentence', async () => {
    await onServer(server.url, 'insert into epitome.migrations (version) values (9)');
    await expect(postgresStore({ connectionString: server.url })).rejects.toThrow(
      `The database has schema 9; this version of @epitome/store knows ${MIGRATIONS.length}.`,
    );
    await onServer(server.url, 'delete from epitome.migrations where version = 9');
  });

  test.each([
    ['no server', 'postgres://app:app@127.0.0.1:1/epitome', 'The PostgreSQL server does not answer'],
    ['a wrong password', 'wrong', 'refused the password'],
    ['no database', 'none', 'There is no such database'],
  ])('says what is wrong with %s, and no password', async (_name, given, sentence) => {
    const connectionString =
      given === 'wrong' ? server.url.replace('app:app@', 'app:hunter2@') : given === 'none' ? `${server.url}x` : given;
    const failure = await postgresStore({ connectionString }).catch((error: unknown) => String(error));
    expect(failure).toContain(sentence);
    expect(failure).not.toContain('hunter2');
  });

  test('whose connections are cut in the middle of their work ends no process and loses nothing acknowledged', async () => {
    const store = await postgresStore({ connectionString: server.url });
    const log = store.forTenant('cut while busy');
    const { id: conversation } = await log.create({ format: 'openai-chat' });
    const acknowledged: string[] = [];
    let isOver = false;
    // What nobody listens to would reach the process, and end it.
    const unheard: unknown[] = [];
    const note = (error: unknown): void => void unheard.push(error);
    process.prependListener('uncaughtException', note);
    const lanes = Array.from({ length: 4 }, async (_, lane) => {
      for (let turn = 0; !isOver; turn += 1) {
        const said = JSON.stringify({ role: 'user', content: `${lane} says ${turn}` });
        const done = await log.append({ conversation }, [said]).catch(() => undefined);
        acknowledged.push(...(done?.ids ?? []));
      }
    });
    for (let cut = 0; cut < 12; cut += 1) {
      await sleep(30);
      await onServer(server.adminUrl, `select pg_terminate_backend(pid) from pg_stat_activity where usename = 'app'`);
    }
    isOver = true;
    await Promise.all(lanes);
    process.off('uncaughtException', note);
    expect(unheard).toEqual([]);
    const kept = new Set((await log.messages({ conversation })).map(({ id }) => id));
    expect(acknowledged.length).toBeGreaterThan(0);
    expect(acknowledged.filter((id) => !kept.has(id))).toEqual([]);
    await store.close();
  }, 60_000);

  test('with another default for transactions commits one of several compactions all the same', async () => {
    const options = encodeURIComponent('-c default_transaction_isolation=repeatable\\ read');
    const connectionString = `${server.url}?options=${options}`;
    const stores = await Promise.all([1, 2, 3].map(() => postgresStore({ connectionString })));
    const [first] = stores.map((store) => store.forTenant('strict'));
    await first?.create({ format: 'openai-chat', id: 'c' });
    await first?.append({ conversation: 'c' }, exchanges(0, 8));
    let computed = 0;
    let allComputed: () => void = () => {};
    const together = new Promise<void>((resolve) => {
      allComputed = resolve;
    });
    const meet = (): Promise<void> => {
      computed += 1;
      if (computed === stores.length) allComputed();
      return together;
    };
    const done = await Promise.all(
      stores.map((store) => compactBranch(store.forTenant('strict'), { conversation: 'c' }, meet)),
    );
    expect(done.map(({ publication }) => publication.kind).sort()).toEqual(['published', 'superseded', 'superseded']);
    for (const store of stores) await store.close();
  });

  test('keeps a payload that one conversation appends while another with the same one is forgotten', async () => {
    const stores = await Promise.all([1, 2].map(() => postgresStore({ connectionString: server.url })));
    const [one, other] = stores.map((store) => store.forTenant('shared payloads'));
    for (let round = 0; round < 30; round += 1) {
      const said = (what: string): string => JSON.stringify({ role: 'user', content: `${round} ${what.repeat(400)}` });
      const [gone, stays] = [`gone ${round}`, `stays ${round}`];
      await one?.create({ format: 'openai-chat', id: gone });
      await one?.append({ conversation: gone }, [said('payload ')]);
      await other?.create({ format: 'openai-chat', id: stays });
      const natives = [...['a', 'b', 'c', 'd'].map((name) => said(`filler ${name} `)), said('payload ')];
      const forgetting = sleep(Math.random() * 6).then(() => one?.forget(gone));
      await Promise.all([other?.append({ conversation: stays }, natives), forgetting]);
      const kept = await other?.messages({ conversation: stays });
      expect(kept?.map(({ native }) => native)).toEqual(natives);
    }
    for (const store of stores) await store.close();
  }, 60_000);

  test('whose connections are cut goes on with new ones', async () => {
    const store = await postgresStore({ connectionString: server.url });
    const log = store.forTenant('cut');
    const { id: conversation } = await log.create({ format: 'openai-chat' });
    await log.append({ conversation }, exchange(0));
    await onServer(
      server.adminUrl,
      `select pg_terminate_backend(pid) from pg_stat_activity where usename = 'app' and pid <> pg_backend_pid()`,
    );
    let added = 0;
    for (let tries = 0; tries < 5 && added === 0; tries += 1) {
      added = await log.append({ conversation }, exchange(1)).then(
        (appended) => appended.added,
        () => 0,
      );
    }
    expect(added).toBe(2);
    expect(await shown(log, { conversation })).toHaveLength(4);
    await store.close();
  });
});
