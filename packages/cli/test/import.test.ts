import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openStore } from '@epitome/store';
import { beforeAll, expect, test } from 'vitest';
import { ensureBuilt, root, run, scratch } from './kit.ts';

beforeAll(ensureBuilt, 180_000);
const { path, file } = scratch();
const fixture = (name: string): string => join(root, 'packages/transcripts/test/fixtures', name);

const branchesOf = async (store: string): Promise<Readonly<Record<string, number>>> => {
  const { stdout } = await run(['store', 'list', '--store', store, '--json']);
  const { branches }: { branches: readonly { name: string; length: number }[] } = JSON.parse(stdout);
  return Object.fromEntries(branches.map(({ name, length }) => [name, length]));
};

test('a session that was cut in mid-answer goes on as main when it has grown; the cut answer stays beside it', async () => {
  const lines = readFileSync(fixture('claude-code.jsonl'), 'utf8').trimEnd().split('\n');
  const store = path('cut.db');
  // The fifth record is the first of an answer that goes on over three more.
  const session = file('cut.jsonl', `${lines.slice(0, 5).join('\n')}\n`);
  await run(['import', session, '--store', store]);
  expect(await branchesOf(store)).toEqual({ main: 2 });
  writeFileSync(session, `${lines.join('\n')}\n`);
  await run(['import', session, '--store', store]);
  const whole = await branchesOf(store);
  expect(whole).toEqual({ main: 9, b2: 2 });
  await run(['import', session, '--store', store, '--again']);
  expect(await branchesOf(store)).toEqual(whole);
});

test('what was said in the store behind an imported session stays on its main branch', async () => {
  const where = path('continued.db');
  await run(['import', fixture('pi.jsonl'), '--store', where]);
  const store = await openStore({ kind: 'sqlite', path: where });
  const log = store.forTenant('local');
  const [conversation] = await log.conversations();
  if (conversation === undefined) throw new Error('nothing was imported');
  await log.append({ conversation: conversation.id }, [JSON.stringify({ role: 'user', content: 'Go on here.' })]);
  await store.close();
  await run(['import', fixture('pi.jsonl'), '--store', where, '--again']);
  expect(await branchesOf(where)).toMatchObject({ main: 10 });
});

test('what recall finds, show opens: one message, those around it, all of them, by the beginning of an id', async () => {
  const store = path('shown.db');
  await run(['import', fixture('pi.jsonl'), '--store', store]);
  const { stdout: found } = await run(['recall', 'RangeError', '--store', store]);
  expect((await run(['recall', 'RangeError', '-c', 'pi/s', '--store', store])).stdout).toBe(found);
  const [, conversation = '', message = ''] = /epitome show (\S+) (\S+)/.exec(found) ?? [];
  const one = await run(['show', conversation, message, '--store', store]);
  expect(one.stdout).toContain(
    `[6] assistant  ${message}\nFixed: a day the month does not have now throws RangeError.`,
  );
  expect(one.stdout).not.toContain('Now add a test');
  const near = await run(['show', 'pi/s-1', message, '--around', '1', '--store', store]);
  expect(near.stdout).toContain('<- edit\n   1 replacement in src/date.ts');
  expect(near.stdout).toContain('Now add a test for 2023-02-29, too.');
  const all = JSON.parse((await run(['show', 's-1', '--json', '--store', store])).stdout);
  expect(all.messages).toHaveLength(9);
  expect(all.messages[0]).toMatchObject({ role: 'user', native: { role: 'user' } });
  expect(await run(['show', 'nobody', '--store', store])).toMatchObject({ code: 2 });
  expect(await run(['show', 'pi', 'no-message', '--store', store])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('no message "no-message"'),
  });
  expect(await run(['show', 'pi', '--around', '3', '--store', store])).toMatchObject({ code: 2 });
});
