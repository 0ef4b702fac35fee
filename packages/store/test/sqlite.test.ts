import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe } from 'vitest';
import type { Store } from '../src/index.ts';
import { sqliteStore } from '../src/sqlite/index.ts';
import { storeContract } from './support/contract.ts';

const folder = mkdtempSync(join(tmpdir(), 'epitome-store-'));
let store: Store;
let tenants = 0;

beforeAll(async () => {
  store = await sqliteStore(join(folder, 'log.db'));
});
afterAll(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});

describe('the SQLite store', () => {
  storeContract({ store: () => store, newTenant: () => `tenant ${++tenants}`, runs: 60 });
});
