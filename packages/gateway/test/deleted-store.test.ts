import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sqliteStore } from '@epitome/store/sqlite';
import { expect, test } from 'vitest';
import { ask, run } from './faults/running.ts';

test('a store whose file is deleted while it runs is not ready, and the log says so once', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'epitome-deleted-'));
  const { url, lines, stop } = await run({ store: await sqliteStore(join(folder, 'e.db')) });
  await ask(url, 'openai-chat');
  expect((await fetch(`${url}/readyz`)).status).toBe(200);
  for (const name of readdirSync(folder)) rmSync(join(folder, name));
  const states: number[] = [];
  for (let tries = 0; tries < 2; tries += 1) {
    await new Promise((resolve) => setTimeout(resolve, 1100));
    states.push((await fetch(`${url}/readyz`)).status);
  }
  expect(states).toEqual([503, 503]);
  const told = lines.filter((line) => line.includes('"level":"error"'));
  expect(told).toEqual([expect.stringMatching(/"where":"store".*unavailable/)]);
  expect((await ask(url, 'openai-chat')).status).toBe(200);
  await stop();
});
