import { afterAll, beforeAll, describe } from 'vitest';
import type { Store } from '../src/index.ts';
import { postgresStore } from '../src/postgres/index.ts';
import { storeContract } from './support/contract.ts';
import { type Server, startServer } from './support/postgres.ts';

let server: Server;
let store: Store;
let tenants = 0;

beforeAll(async () => {
  server = await startServer();
  store = await postgresStore({ connectionString: server.url });
});
afterAll(async () => {
  await store?.close();
  await server?.stop();
});

describe('the PostgreSQL store', () => {
  storeContract({ store: () => store, newTenant: () => `tenant ${++tenants}`, runs: 30 });
});
