// Appends messages one by one and says the id of each once it is kept, until somebody stops it.
import { writeSync } from 'node:fs';
import { sqliteStore } from '../../src/sqlite/index.ts';

const [path = '', durability] = process.argv.slice(2);
const store = await sqliteStore(path, { durability: durability === 'process' ? 'process' : 'machine' });
const log = store.forTenant('t');
await log.create({ format: 'openai-chat', id: 'c' });
for (let at = 0; at < 10_000; at += 1) {
  const { tip } = await log.append({ conversation: 'c' }, [JSON.stringify({ role: 'user', content: `message ${at}` })]);
  writeSync(1, `${tip}\n`);
}
