import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isStoreError } from '../model/errors.ts';
import { sqliteStore } from './index.ts';

test('a file that is deleted or replaced under a store is noticed, and one put back is not', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'epitome-probe-'));
  const file = join(folder, 'e.db');
  const store = await sqliteStore(file);
  store.probe?.();
  renameSync(file, `${file}.away`);
  expect(() => store.probe?.()).toThrow(expect.toSatisfy(isStoreError));
  writeFileSync(file, '');
  expect(() => store.probe?.()).toThrow(/deleted or replaced/);
  renameSync(`${file}.away`, file);
  store.probe?.();
  await store.close();
  rmSync(folder, { recursive: true });
});
