// Appends and compacts until it is killed, and says so after each thing that was acknowledged. With a third argument it
// kills itself in front of that many-th statement: a crash between any two.
import { writeSync } from 'node:fs';
import { createStore } from '../../src/log/log.ts';
import type { Database } from '../../src/sqlite/driver.ts';
import { sqliteEngine } from '../../src/sqlite/engine.ts';
import { openFile } from '../../src/sqlite/open.ts';
import { compactBranch, exchange } from '../support/world.ts';

const [path = '', conversation = '', deadAt = ''] = process.argv.slice(2);
const say = (line: string): number => writeSync(1, `${line}\n`);
let left = deadAt === '' ? Number.POSITIVE_INFINITY : Number(deadAt);

const database = await openFile(path);
const log = createStore(sqliteEngine(mortal(database), path)).forTenant('crash');
await log.create({ format: 'openai-chat', id: conversation });
say('created');
for (let round = 0; round < 400; round += 1) {
  const long = JSON.stringify({ role: 'user', content: `${round} ${'payload '.repeat(800)}` });
  const { ids } = await log.append({ conversation }, round % 5 === 4 ? [long] : exchange(round));
  say(`appended ${ids.join(' ')}`);
  if (round % 4 !== 3) continue;
  const { publication, records } = await compactBranch(log, { conversation });
  if (publication.kind === 'published') say(`published ${records[0]?.id}`);
}
say('finished');

function mortal({ exec, prepare, close, ...rest }: Database): Database {
  const step = (): void => {
    left -= 1;
    if (left <= 0) process.kill(process.pid, 'SIGKILL');
  };
  return {
    ...rest,
    exec: (sql) => {
      step();
      exec.call(database, sql);
    },
    prepare: (sql) => {
      const statement = prepare.call(database, sql);
      return {
        run: (...values) => {
          step();
          return statement.run(...values);
        },
        get: (...values) => statement.get(...values),
        all: (...values) => statement.all(...values),
      };
    },
    close: () => close.call(database),
  };
}
