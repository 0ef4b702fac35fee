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
