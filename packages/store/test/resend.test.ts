import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createStore } from '../src/log/log.ts';
import type { Database } from '../src/sqlite/driver.ts';
import { sqliteEngine } from '../src/sqlite/engine.ts';
import { openFile } from '../src/sqlite/open.ts';
import { exchange, exchanges } from './support/world.ts';

const folder = mkdtempSync(join(tmpdir(), 'epitome-resend-'));
afterAll(() => rmSync(folder, { recursive: true }));

test.each([40, 2_000])(
  'sending %i known messages again with one new turn asks the database a few things',
  async (length) => {
    const path = join(folder, `${length}.db`);
    const database = await openFile(path);
    const asked = { count: 0, rows: 0 };
    const store = createStore(sqliteEngine(counted(database, asked), path));
    const log = store.forTenant('t');
    const { id: conversation } = await log.create({ format: 'openai-chat' });
    const history = exchanges(0, length / 2);
    await log.append({ conversation }, history);
    Object.assign(asked, { count: 0, rows: 0 });
    const grown = [...history, ...exchange(9_999)];
    expect(await log.append({ conversation, after: null }, grown)).toMatchObject({ added: 2, branch: 'main' });
    expect(asked.count).toBeLessThan(40);
    expect(asked.rows).toBeLessThan(20);
    Object.assign(asked, { count: 0, rows: 0 });
    expect(await log.find({ format: 'openai-chat', messages: grown })).toMatchObject({
      known: length + 2,
      isTip: true,
    });
    expect(asked.count).toBeLessThan(20);
    const work = await log.workOf({ conversation });
    await log.append({ conversation }, exchange(10_000));
    Object.assign(asked, { count: 0, rows: 0 });
    expect((await log.workOf({ conversation }, { since: work })).input.messages).toHaveLength(length + 4);
    expect(asked.rows).toBeLessThan(12);
    await store.close();
  },
);

/** Counts statements and the rows they gave. */
function counted(database: Database, asked: { count: number; rows: number }): Database {
  return {
    exec: (sql) => database.exec(sql),
    close: () => database.close(),
    prepare: (sql) => {
      const statement = database.prepare(sql);
      const note = <T>(answer: T, rows: number): T => {
        asked.count += 1;
        asked.rows += rows;
        return answer;
      };
      return {
        run: (...values) => note(statement.run(...values), 0),
        get: (...values) => note(statement.get(...values), 1),
        all: (...values) => {
          const rows = statement.all(...values);
          return note(rows, rows.length);
        },
      };
    },
  };
}
