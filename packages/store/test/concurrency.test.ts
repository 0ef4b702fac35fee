import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Log, Store } from '../src/index.ts';
import { postgresStore } from '../src/postgres/index.ts';
import { sqliteStore } from '../src/sqlite/index.ts';
import { bundleChild, bundleFolder, startChild } from './support/children.ts';
import { type Server, startServer } from './support/postgres.ts';
import { fullView, shown } from './support/world.ts';

const WORKERS = 16;
const TURNS = 200;
const CONVERSATIONS = ['c0', 'c1', 'c2', 'c3'];
const folder = mkdtempSync(join(tmpdir(), 'epitome-many-'));
let program = '';
let server: Server;

beforeAll(async () => {
  program = await bundleChild('turner', bundleFolder('many'));
  server = await startServer();
});
afterAll(async () => {
  await server?.stop();
  rmSync(folder, { recursive: true });
  rmSync(bundleFolder('many'), { recursive: true, force: true });
});

describe(`${WORKERS} processes taking ${TURNS} turns each on ${CONVERSATIONS.length} conversations`, () => {
  test('lose nothing and compact nothing twice on SQLite', async () => {
    const path = join(folder, 'log.db');
    await takeTurns(await sqliteStore(path), ['sqlite', path]);
  }, 180_000);

  test('lose nothing and compact nothing twice on PostgreSQL', async () => {
    await takeTurns(await postgresStore({ connectionString: server.url }), ['postgres', server.url]);
  }, 180_000);
});

async function takeTurns(store: Store, [kind, where]: readonly [string, string]): Promise<void> {
  const log = store.forTenant('shared');
  for (const id of CONVERSATIONS) await log.create({ format: 'openai-chat', id });
  const children = Array.from({ length: WORKERS }, (_, worker) =>
    startChild(program, [kind, where, String(worker), String(TURNS), String(CONVERSATIONS.length)]),
  );
  const ended = await Promise.all(children.map((child) => child.ended));
  expect(ended.map(({ errors }) => errors).join('')).toBe('');
  const said = ended.map(({ lines }) => lines.map((line) => line.split(' ')));
  for (const conversation of CONVERSATIONS) await check(log, conversation, said);
  await store.close();
}

type Said = readonly (readonly (readonly string[])[])[];

async function check(log: Log, conversation: string, said: Said): Promise<void> {
  const ids = (await log.messages({ conversation })).map(({ id }) => id);
  const place = new Map(ids.map((id, index) => [id, index]));
  for (const lines of said) {
    const turns = lines.filter(([what, of]) => what === 'appended' && of === conversation);
    const places = turns.map(([, , , first = '', second = '']) => [place.get(first), place.get(second)] as const);
    let before = -1;
    for (const [first, second] of places) {
      expect(first).toBeGreaterThan(before);
      expect(second).toBe((first ?? 0) + 1);
      before = second ?? before;
    }
  }
  expect(ids).toHaveLength((WORKERS * TURNS * 2) / CONVERSATIONS.length);
  expect(new Set(ids).size).toBe(ids.length);
  expect(await log.branches(conversation)).toHaveLength(1);
  const published = said
    .flat()
    .filter(([what, of]) => what === 'published' && of === conversation)
    .map(([, , id]) => id);
  const completed = (await log.records({ conversation })).filter(({ state }) => state === 'completed');
  expect(completed.map(({ record }) => record.id).sort()).toEqual([...published].sort());
  const covered = completed.flatMap(({ record }) => (record.kind === 'compaction' ? record.covers : []));
  expect(new Set(covered).size).toBe(covered.length);
  expect(completed.length).toBeGreaterThan(0);
  expect(await shown(log, { conversation })).toEqual(await fullView(log, { conversation }));
}
