import { describe, expect, test } from 'vitest';
import { memoryStore } from '../src/index.ts';
import { clockLaws } from './support/branches.ts';
import { storeContract } from './support/contract.ts';

const store = memoryStore();
let tenants = 0;

describe('the memory store', () => {
  storeContract({ store: () => store, newTenant: () => `tenant ${++tenants}`, runs: 150 });
  clockLaws();

  test('says so when it was closed', async () => {
    const other = memoryStore();
    const log = other.forTenant('t');
    await other.close();
    await expect(log.create({ format: 'openai-chat' })).rejects.toThrow('The store is closed; open it again.');
  });
});
