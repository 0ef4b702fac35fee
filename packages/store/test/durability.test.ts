import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sqliteStore } from '../src/sqlite/index.ts';
import { bundleChild, bundleFolder, startChild } from './support/children.ts';

const folder = mkdtempSync(join(tmpdir(), 'epitome-durable-'));
let program = '';

beforeAll(async () => {
  program = await bundleChild('appender', bundleFolder('durable'));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
  rmSync(bundleFolder('durable'), { recursive: true, force: true });
});

test.each(['machine', 'process'])('what was appended outlives kill -9: %s', async (durability) => {
  const path = join(folder, `${durability}.db`);
  const acknowledged: string[] = [];
  const child = startChild(program, [path, durability], (line) => {
    acknowledged.push(line);
    if (acknowledged.length === 40) child.process.kill('SIGKILL');
  });
  await child.ended;
  const store = await sqliteStore(path);
  const kept = (await store.forTenant('t').messages({ conversation: 'c' })).map(({ id }) => id);
  await store.close();
  expect(acknowledged.length).toBeGreaterThanOrEqual(40);
  expect(kept.slice(0, acknowledged.length)).toEqual(acknowledged);
});
