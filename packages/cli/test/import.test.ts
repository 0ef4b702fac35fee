import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openStore } from '@epitome/store';
import { messagesOf, readSessions } from '@epitome/transcripts';
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

// Long enough to be known wherever its file stands.
const SESSION = '9f3c1a52-77aa-4c1e-9d55-0a1b2c3d4e5f';
const record = (uuid: string, parentUuid: string | null) => ({
  ...{ type: 'user', uuid, parentUuid, sessionId: SESSION },
  message: { role: 'user', content: `words of ${uuid}` },
});
const linesOf = (records: readonly unknown[]): string => `${records.map((line) => JSON.stringify(line)).join('\n')}\n`;
const mainFile = linesOf([record('m1', null), record('m2', 'm1')]);
const agentFile = linesOf([record('a1', null), record('a2', 'a1')].map((line) => ({ ...line, isSidechain: true })));

test.each([
  ['its session', ['main.jsonl', 'agent-x.jsonl']],
  ['the subagent', ['agent-x.jsonl', 'main.jsonl']],
])('a subagent’s own file stands beside its session, where %s is read first', async (_first, names) => {
  const store = path(`agents-${names[0]}.db`);
  const files = names.map((name) => file(name, name === 'main.jsonl' ? mainFile : agentFile));
  for (const session of files) await run(['import', session, '--store', store]);
  const { stdout } = await run(['show', SESSION, '--store', store]);
  expect(stdout).toContain('words of m2');
  expect(stdout).not.toContain('words of a');
  expect((await run(['recall', 'words of a2', '--store', store])).stdout).toContain('words of a2');
  const again = JSON.parse((await run(['import', ...files, '--store', store, '--json'])).stdout);
  expect(again).toMatchObject({ unchanged: 2, sessions: 0, added: 0 });
});

test('what could not be read of a file that is taken in is told with its place', async () => {
  const session = file(
    'broken-line.jsonl',
    `${mainFile}{"type":"us\n${JSON.stringify({ type: 'novel', uuid: 'n' })}\n`,
  );
  const { stderr, stdout } = await run(['import', session, '--store', path('broken-line.db')]);
  expect(stderr).toContain('broken-line.jsonl: line 3: not JSON: it ends too early; passed over');
  expect(stderr).toContain('records of unknown types, passed over: novel 1');
  expect(stdout).toMatch(/^1 session with 2 new messages from 1 file into /);
  const args = ['import', session, '--again', '--json', '-q', '--store', path('broken-line.db')];
  expect(JSON.parse((await run(args)).stdout)).toMatchObject({ faults: [{ place: 'line 3' }], unknown: { novel: 1 } });
});

const answer = (uuid: string, parentUuid: string, block: object) => ({
  ...{ type: 'assistant', uuid, parentUuid, sessionId: SESSION },
  message: { id: 'step', role: 'assistant', content: [block] },
});
// The fork leaves in the middle of an answer that goes on behind a result.
const forkedStep = [
  record('p1', null),
  answer('c1', 'p1', { type: 'tool_use', id: 't1', name: 'read', input: {} }),
  {
    ...record('r1', 'c1'),
    message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: 'x' }] },
  },
  record('fork', 'r1'),
  answer('c2', 'r1', { type: 'text', text: 'So it is.' }),
  record('p2', 'c2'),
];

test.each([
  ['claude-code-branches.jsonl', undefined],
  ['pi-branches.jsonl', undefined],
  ['codex-compacted.jsonl', undefined],
  ['a fork within an answer', linesOf(forkedStep)],
])('every branch of %s is in the store, message for message', async (name, text) => {
  const session = text === undefined ? fixture(name) : file('forked.jsonl', text);
  const where = path(`branches-of-${name}.db`);
  await run(['import', session, '--store', where]);
  const store = await openStore({ kind: 'sqlite', path: where });
  const log = store.forTenant('local');
  const [conversation] = await log.conversations();
  if (conversation === undefined) throw new Error('nothing was imported');
  const kept = await Promise.all(
    (await log.branches(conversation.id)).map(async (branch) => {
      const messages = await log.messages({ conversation: conversation.id, branch: branch.name });
      return messages.map(({ native }) => native);
    }),
  );
  await store.close();
  for await (const { branches, ...rest } of readSessions([readFileSync(session)])) {
    expect(branches.length).toBeGreaterThan(1);
    for (const branch of branches) {
      expect(kept).toContainEqual(
        messagesOf({ ...rest, branches }, { branch }).map((native) => JSON.stringify(native)),
      );
    }
  }
});
