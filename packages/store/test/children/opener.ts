// Opens a store, appends once, and says what came of it.
import { writeSync } from 'node:fs';
import { isStoreError, locationOf, openStore } from '../../src/index.ts';

const [path = '', conversation = '', mode = 'create'] = process.argv.slice(2);
try {
  const store = await openStore(locationOf(path));
  const log = store.forTenant('t');
  if (mode === 'create') await log.create({ format: 'openai-chat', id: conversation });
  await log.append({ conversation }, ['{"role":"user","content":"hi"}']);
  await store.close();
  writeSync(1, 'done\n');
} catch (error) {
  writeSync(1, isStoreError(error) ? `${error.code}: ${error.message}\n` : `${error}\n`);
}
