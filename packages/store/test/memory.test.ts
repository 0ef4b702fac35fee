import { describe } from 'vitest';
import { memoryStore } from '../src/index.ts';
import { clockLaws } from './support/branches.ts';
import { storeContract } from './support/contract.ts';

const store = memoryStore();
let tenants = 0;

describe('the memory store', () => {
  storeContract({ store: () => store, newTenant: () => `tenant ${++tenants}`, runs: 150 });
  clockLaws();
});
