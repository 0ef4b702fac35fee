// Takes turns on shared conversations, compacts them now and then, and says what was acknowledged.
import { writeSync } from 'node:fs';
import { isStoreError, type Store } from '../../src/index.ts';
import { postgresStore } from '../../src/postgres/index.ts';
import { sqliteStore } from '../../src/sqlite/index.ts';
import { compactBranch } from '../support/world.ts';

const [kind = '', where = '', worker = '', turns = '', conversations = ''] = process.argv.slice(2);
const store: Store =
  kind === 'sqlite' ? await sqliteStore(where) : await postgresStore({ connectionString: where, max: 2 });
const log = store.forTenant('shared');
const lines: string[] = [];
for (let turn = 0; turn < Number(turns); turn += 1) {
  const conversation = `c${(turn + Number(worker)) % Number(conversations)}`;
  const text = `worker ${worker} turn ${turn} ${'and so on '.repeat(20)}`;
  const { ids, branch } = await again(() =>
    log.append({ conversation }, [
      JSON.stringify({ role: 'user', content: `question of ${text}` }),
      JSON.stringify({ role: 'assistant', content: `answer to ${text}` }),
    ]),
  );
  lines.push(`appended ${conversation} ${branch} ${ids.join(' ')}`);
  if (turn % 10 !== 9) continue;
  const { publication, records } = await again(() => compactBranch(log, { conversation }));
  lines.push(`${publication.kind} ${conversation} ${records[0]?.id}`);
}
await store.close();
writeSync(1, `${lines.join('\n')}\n`);

/** As the sentence says: what is locked for long is tried again. Nothing of it was saved. */
async function again<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (!isStoreError(error) || error.code !== 'locked' || tries > 5) throw error;
    }
  }
}
