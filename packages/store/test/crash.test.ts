import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDatabase } from '../src/sqlite/driver.ts';
import { sqliteStore } from '../src/sqlite/index.ts';
import { bundleChild, bundleFolder, startChild } from './support/children.ts';
import { fullView, shown } from './support/world.ts';

const KILLS = 206;
const folder = mkdtempSync(join(tmpdir(), 'epitome-crash-'));
let program = '';

beforeAll(async () => {
  program = await bundleChild('writer', bundleFolder('crash'));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
  rmSync(bundleFolder('crash'), { recursive: true, force: true });
});

/** Law 28. Half of the writers are killed from outside at any moment, half by themselves between two statements. */
describe('a writer that is killed', () => {
  test(`at ${KILLS} random points loses nothing acknowledged and leaves the old view or the new one`, async () => {
    const tallies = await Promise.all([0, 1].map((lane) => killMany(lane, KILLS / 2)));
    const killed = tallies.reduce((sum, tally) => sum + tally.killed, 0);
    const appended = tallies.reduce((sum, tally) => sum + tally.appended, 0);
    expect(killed).toBeGreaterThanOrEqual(200);
    expect(appended).toBeGreaterThan(KILLS);
  }, 300_000);
});

async function killMany(lane: number, count: number): Promise<{ killed: number; appended: number }> {
  let killed = 0;
  let appended = 0;
  for (let round = 0; round < count; round += 1) {
    const conversation = `c${round}`;
    const path = join(folder, `${lane}-${Math.floor(round / 20)}.db`);
    const lines = await killOnce(path, conversation, round % 2 === 0);
    if (lines.at(-1) !== 'finished') killed += 1;
    appended += await check(path, conversation, lines);
  }
  return { killed, appended };
}

async function killOnce(path: string, conversation: string, isFromOutside: boolean): Promise<readonly string[]> {
  const statement = String(1 + Math.floor(Math.random() * 120));
  let isCreated = false;
  const child = startChild(
    program,
    isFromOutside ? [path, conversation] : [path, conversation, statement],
    async (line) => {
      if (!isFromOutside || line !== 'created' || isCreated) return;
      isCreated = true;
      await sleep(Math.random() * 40);
      child.process.kill('SIGKILL');
    },
  );
  const { lines, errors } = await child.ended;
  expect(errors).toBe('');
  return lines;
}

async function check(path: string, conversation: string, lines: readonly string[]): Promise<number> {
  const store = await sqliteStore(path);
  const log = store.forTenant('crash');
  const acknowledged = lines.filter((line) => line.startsWith('appended ')).flatMap((line) => line.split(' ').slice(1));
  const published = lines.filter((line) => line.startsWith('published ')).map((line) => line.split(' ')[1]);
  const isThere = (await log.conversation(conversation)) !== undefined;
  expect(isThere || !lines.includes('created')).toBe(true);
  if (isThere) {
    const ids = (await log.messages({ conversation })).map(({ id }) => id);
    expect(ids.slice(0, acknowledged.length)).toEqual(acknowledged);
    expect(ids.length - acknowledged.length).toBeLessThanOrEqual(2);
    // A tip that moved without its messages would be a torn append.
    const [branch] = await log.branches(conversation);
    expect({ length: branch?.length, tip: branch?.tip }).toEqual({ length: ids.length, tip: ids.at(-1) });
    const records = await log.records({ conversation });
    const completed = records.filter(({ state }) => state === 'completed').map(({ record }) => record.id);
    expect(completed.slice(0, published.length)).toEqual(published);
    expect(completed.length - published.length).toBeLessThanOrEqual(1);
    expect(await shown(log, { conversation })).toEqual(await fullView(log, { conversation }));
    const { added } = await log.append({ conversation }, ['{"role":"user","content":"And now?"}']);
    expect(added).toBe(1);
  }
  await store.close();
  const database = openDatabase(path, { readOnly: true });
  expect(database.prepare('pragma integrity_check').all()).toEqual([{ integrity_check: 'ok' }]);
  database.close();
  return acknowledged.length;
}
