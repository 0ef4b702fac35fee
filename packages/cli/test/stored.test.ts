import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase } from '@epitome/store/sqlite';
import { beforeAll, expect, test } from 'vitest';
import { ensureBuilt, root, run, scratch } from './kit.ts';

beforeAll(ensureBuilt, 180_000);
const { path } = scratch();
const fixture = (name: string): string => join(root, 'packages/transcripts/test/fixtures', name);

type Json = Record<string, unknown>;
type Exported = { info: Json; messages: { info: Json; parts: Json[] }[] };
const exported = (): Exported => JSON.parse(readFileSync(fixture('opencode.json'), 'utf8'));

/** The session of the fixture as opencode's own database has it, behind an older one. */
function opencodeDatabase(file: string, change: (session: Exported) => { revert?: string } = () => ({})): string {
  const database = openDatabase(file);
  database.exec(`create table session (id text primary key, parent_id text, directory text not null, title text not null,
      revert text, time_created integer not null);
    create table message (id text primary key, session_id text not null, time_created integer not null, data text not null);
    create table part (id text primary key, message_id text not null, session_id text not null, data text not null)`);
  const session = exported();
  const { revert } = change(session);
  const { info, messages } = session;
  const addSession = database.prepare('insert into session values (?, null, ?, ?, ?, ?)');
  addSession.run('ses_0', '/home/ada/other', 'An older one', null, 1);
  const back = revert === undefined ? null : JSON.stringify({ messageID: revert });
  addSession.run(String(info['id']), String(info['directory']), String(info['title']), back, 2);
  const addMessage = database.prepare('insert into message values (?, ?, ?, ?)');
  const addPart = database.prepare('insert into part values (?, ?, ?, ?)');
  messages.forEach((message, index) => {
    const { id, sessionID: _session, ...data } = message.info;
    addMessage.run(String(id), String(info['id']), index, JSON.stringify(data));
    message.parts.forEach(({ id: _id, ...part }, at) => {
      addPart.run(`prt_${index}_${at}`, String(id), String(info['id']), JSON.stringify(part));
    });
  });
  database.close();
  return file;
}

function opencodeFolder(folder: string): string {
  const { info, messages } = exported();
  const write = (name: string, value: unknown): void => {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    writeFileSync(join(folder, name), JSON.stringify(value));
  };
  write(`session/project1/${info['id']}.json`, info);
  messages.forEach((message, index) => {
    const id = `msg_${index}`;
    write(`message/${info['id']}/${id}.json`, { ...message.info, id });
    message.parts.forEach((part, at) => {
      write(`part/${id}/prt_${at}.json`, part);
    });
  });
  return join(folder, 'session/project1', `${info['id']}.json`);
}

test('opencode’s own database and its folders read as its export does', async () => {
  const args = ['-q', '--to', 'openai-chat'];
  const { stdout: wanted } = await run(['compact', fixture('opencode.json'), ...args]);
  const database = opencodeDatabase(path('opencode.db'));
  expect((await run(['compact', database, ...args])).stdout).toBe(wanted);
  expect((await run(['compact', opencodeFolder(path('storage')), ...args])).stdout).toBe(wanted);
  const { inspection, sessions } = JSON.parse((await run(['inspect', database, '--json'])).stdout);
  expect([inspection.id, inspection.title, sessions]).toEqual(['ses_1', exported().info['title'], 2]);
  expect(await run(['inspect', database, '--session', 'ses_9'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('it holds 2, numbered from 1'),
  });
});

test('what opencode took back is a branch', async () => {
  const database = opencodeDatabase(path('reverted.db'), ({ messages }) => ({
    revert: String(messages[2]?.info['id']),
  }));
  const { inspection } = JSON.parse((await run(['inspect', database, '--json'])).stdout);
  expect(inspection.branches.map(({ name }: { name: string }) => name)).toEqual(['main', 'b2']);
  expect(inspection.turns).toBe(1);
});

test('a broken record in a database is told with its name, the rest is read', async () => {
  const file = opencodeDatabase(path('broken.db'));
  const database = openDatabase(file);
  database.exec(`update part set data = '{"type":' where id = 'prt_0_0'`);
  database.close();
  const { code, stdout } = await run(['inspect', file]);
  expect(code).toBe(0);
  expect(stdout).toContain('part prt_0_0: not JSON: it ends too early; passed over');
});

test('forge’s own database reads as its dump does', async () => {
  const dump = JSON.parse(readFileSync(fixture('forge.json'), 'utf8'));
  const file = path('.forge.db');
  const database = openDatabase(file);
  database.exec(`create table conversations (conversation_id text primary key, title text, workspace_id bigint not null,
    context text, created_at timestamp not null, updated_at timestamp, metrics text)`);
  const add = database.prepare('insert into conversations values (?, ?, 0, ?, ?, null, null)');
  add.run('empty', null, null, '2026-01-07 09:00:00');
  add.run(dump.id, dump.title ?? null, JSON.stringify(dump.context), '2026-01-05 09:00:00');
  database.close();
  const args = ['-q', '--to', 'anthropic'];
  const { stdout: wanted } = await run(['compact', fixture('forge.json'), ...args]);
  expect((await run(['compact', file, ...args])).stdout).toBe(wanted);
  const { inspection } = JSON.parse((await run(['inspect', file, '--json'])).stdout);
  expect(new Date(inspection.startedAt).toISOString()).toBe('2026-01-05T09:00:00.000Z');
});

test('a database of another program is refused with what is in it, and none is changed', async () => {
  const file = path('other.db');
  const database = openDatabase(file);
  database.exec('create table invoices (id integer)');
  database.close();
  const before = readFileSync(file);
  expect(await run(['inspect', file])).toMatchObject({ code: 2, stderr: expect.stringContaining('it has invoices') });
  expect(readFileSync(file).equals(before)).toBe(true);
});

test('sessions finds them, import takes them in once', async () => {
  const home = path('home');
  const folder = join(home, '.local/share/opencode');
  mkdirSync(folder, { recursive: true });
  opencodeDatabase(join(folder, 'opencode.db'));
  opencodeFolder(join(folder, 'storage'));
  const env = { HOME: home, XDG_DATA_HOME: '', COLUMNS: '120' };
  const { stdout } = await run(['sessions', '--agent', 'opencode'], { env });
  expect(stdout).toContain(`2 sessions, the newest: ${exported().info['title']}`);
  const store = path('all.db');
  const once = JSON.parse((await run(['import', folder, '--store', store, '--json'])).stdout);
  expect(once).toMatchObject({ files: 2, refused: [] });
  const again = JSON.parse((await run(['import', folder, '--store', store, '--json'])).stdout);
  expect(again).toMatchObject({ unchanged: 2, added: 0 });
  expect(readdirSync(folder).sort()).toEqual(['opencode.db', 'storage']);
});

test('a folder of OpenHands’ events reads as a list of them, is found, and is taken in as one session', async () => {
  const home = path('home-openhands');
  const folder = join(home, '.openhands/conversations/0f3c1a5277aa4c1e9d550a1b2c3d4e5f');
  const lines = readFileSync(fixture('openhands-agent.jsonl'), 'utf8').trimEnd().split('\n');
  mkdirSync(join(folder, 'events'), { recursive: true });
  const write = (line: string, index: number): void =>
    writeFileSync(join(folder, 'events', `event-${String(index).padStart(5, '0')}-ab12cd34.json`), line);
  lines.slice(0, -1).forEach(write);
  const state = join(folder, 'base_state.json');
  writeFileSync(
    state,
    JSON.stringify({ workspace: { working_dir: '/home/ada/dates' }, agent: { llm: { model: 'm-1' } } }),
  );
  const env = { HOME: home, EPITOME_STORE: path('openhands.db') };
  const listed = JSON.parse((await run(['sessions', '--json'], { env })).stdout);
  expect(listed).toMatchObject({ found: 1, sessions: [{ path: state, source: 'openhands', cwd: '/home/ada/dates' }] });
  expect(listed.sessions[0].title).toContain('Why does parseDate');
  const once = JSON.parse((await run(['import', home, '--json'], { env })).stdout);
  expect(once).toMatchObject({ files: 1, sessions: 1, added: 8 });
  write(lines.at(-1) ?? '', lines.length);
  const grown = JSON.parse((await run(['import', home, '--json'], { env })).stdout);
  expect(grown).toMatchObject({ sessions: 1, added: 1 });
  const args = ['-q', '--to', 'openai-chat'];
  const { stdout: wanted } = await run(['compact', fixture('openhands-agent.jsonl'), ...args]);
  expect((await run(['compact', state, ...args])).stdout).toBe(wanted);
});
