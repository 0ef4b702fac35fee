import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createStore } from '../src/log/log.ts';
import { openDatabase } from '../src/sqlite/driver.ts';
import { sqliteEngine } from '../src/sqlite/engine.ts';
import { diagnoseFile, salvageFile, sqliteStore } from '../src/sqlite/index.ts';
import { openFile } from '../src/sqlite/open.ts';
import { MIGRATIONS } from '../src/sqlite/schema.ts';
import { bundleChild, bundleFolder, startChild } from './support/children.ts';
import { compactBranch, exchange, exchanges, linesOf, shown } from './support/world.ts';

const folder = mkdtempSync(join(tmpdir(), 'epitome-faults-'));
const programs = { locker: '', opener: '' };
let count = 0;
const fresh = (): string => join(folder, `${++count}.db`);

beforeAll(async () => {
  programs.locker = await bundleChild('locker', bundleFolder('faults'));
  programs.opener = await bundleChild('opener', bundleFolder('faults'));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
  rmSync(bundleFolder('faults'), { recursive: true, force: true });
});

/** Another process that holds the file until it is killed. */
async function lock(path: string): Promise<ReturnType<typeof startChild>> {
  let isLocked: () => void = () => {};
  const locked = new Promise<void>((resolve) => {
    isLocked = resolve;
  });
  const locker = startChild(programs.locker, [path], () => isLocked());
  await locked;
  return locker;
}

/** A file with a conversation of some length, closed. */
async function filled(length = 40): Promise<string> {
  const path = fresh();
  const store = await sqliteStore(path);
  const log = store.forTenant('t');
  await log.create({ format: 'openai-chat', id: 'c' });
  const { ids } = await log.append({ conversation: 'c' }, exchanges(0, length));
  await compactBranch(log, { conversation: 'c' });
  await log.fork({ conversation: 'c' }, { name: 'side', at: ids[Math.min(9, ids.length - 1)] ?? '' });
  await log.append({ conversation: 'c', branch: 'side' }, [
    JSON.stringify({ role: 'user', content: 'payload '.repeat(2000) }),
  ]);
  await store.close();
  return path;
}

/** What the later steps of the schema did, taken back. */
const FIRST_AGAIN = `update branches set tip = (select id from messages m where m.segment = branches.segment order by depth desc limit 1),
    depth = (select max(depth) from messages m where m.segment = branches.segment) where follows = 1;
  alter table branches drop column follows; alter table messages drop column sum; alter table records drop column sum;
  alter table branches drop column lineage;
  alter table branches add column version integer not null default 1;
  alter table records drop column scope;
  drop index messages_id;
  create unique index messages_id on messages (tenant, conversation, id);
  pragma user_version = 1;`;

describe('a file', () => {
  test('belongs to its user alone', async () => {
    const path = await filled(2);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  test('is migrated by one of many processes that open it at once', async () => {
    const path = fresh();
    const children = Array.from({ length: 6 }, (_, index) => startChild(programs.opener, [path, `c${index}`]));
    const ended = await Promise.all(children.map((child) => child.ended));
    expect(ended.map(({ lines }) => lines)).toEqual(ended.map(() => ['done']));
    const store = await sqliteStore(path);
    expect(await store.forTenant('t').stats()).toMatchObject({ conversations: 6, messages: 6 });
    await store.close();
  });

  test('that is appended to in a loop leaves timers and sockets their turn', async () => {
    const store = await sqliteStore(fresh(), { durability: 'process' });
    const log = store.forTenant('t');
    const { id: conversation } = await log.create({ format: 'openai-chat' });
    let isRung = false;
    setTimeout(() => {
      isRung = true;
    }, 1);
    for (let turn = 0; turn < 5000 && !isRung; turn += 1) await log.append({ conversation }, exchange(turn));
    expect(isRung).toBe(true);
    await store.close();
  });

  test('of the first version is brought up to date and loses nothing; a damaged one is salvaged as it is', async () => {
    const path = await filled();
    const store = await sqliteStore(path);
    const lines = await linesOf(store.forTenant('t'));
    const views = await Promise.all(
      ['main', 'side'].map((branch) => shown(store.forTenant('t'), { conversation: 'c', branch })),
    );
    await store.close();
    const database = openDatabase(path);
    database.exec(FIRST_AGAIN);
    database.close();
    expect((await diagnoseFile(path)).problems).toEqual([]);
    const target = fresh();
    expect((await salvageFile(path, target)).lost).toEqual([]);
    for (const each of [path, target]) {
      const again = await sqliteStore(each);
      const log = again.forTenant('t');
      expect(await linesOf(log)).toEqual(lines);
      for (const [index, branch] of ['main', 'side'].entries()) {
        expect(await shown(log, { conversation: 'c', branch })).toEqual(views[index]);
      }
      await log.undo({ conversation: 'c' });
      await again.close();
    }
  });

  test('of a newer version is refused with a sentence', async () => {
    const path = await filled(2);
    const database = openDatabase(path);
    database.exec('pragma user_version = 99');
    database.close();
    await expect(sqliteStore(path)).rejects.toThrow(
      `${path} has schema 99; this version of @epitome/store knows ${MIGRATIONS.length}. Update it, or choose another file.`,
    );
    // What this version cannot see it cannot bring over.
    const { messages, lost } = await salvageFile(path, fresh());
    expect({ messages, lost }).toEqual({
      messages: 5,
      lost: ['By its header it has schema 99, which is newer: what only newer versions know was not copied.'],
    });
  });

  test('of another program is refused and left alone', async () => {
    const path = fresh();
    const database = openDatabase(path);
    database.exec('create table theirs (x)');
    database.close();
    await expect(sqliteStore(path)).rejects.toThrow('belongs to another program');
    const text = fresh();
    writeFileSync(text, 'just some notes that are longer than a header '.repeat(10));
    await expect(sqliteStore(text)).rejects.toThrow('is damaged or no database');
    expect(readFileSync(text, 'utf8')).toContain('just some notes');
  });

  test('that is forgotten from holds nothing of it any more', async () => {
    const path = fresh();
    const store = await sqliteStore(path);
    const log = store.forTenant('t');
    for (const id of ['gone', 'stays']) await log.create({ format: 'openai-chat', id });
    const secret = `xyzzycanary ${'filler '.repeat(500)} plughcanary`;
    await log.append({ conversation: 'gone' }, [
      JSON.stringify({ role: 'user', content: secret }),
      ...exchanges(0, 20),
    ]);
    await log.append({ conversation: 'gone' }, ['{"role":"assistant","content":"a xyzzycanary indeed"}']);
    await log.append({ conversation: 'stays' }, exchanges(0, 20));
    await compactBranch(log, { conversation: 'gone' });
    await log.forget('gone');
    for (const suffix of ['', '-wal']) {
      const bytes = readFileSync(`${path}${suffix}`);
      for (const canary of ['zycanary', 'ughcanary']) expect(bytes.includes(canary)).toBe(false);
    }
    expect(await log.recall('answer 3')).not.toHaveLength(0);
    await store.close();
    expect((await diagnoseFile(path)).problems).toEqual([]);
  });

  test('that is forgotten from while somebody reads holds nothing of it once the reader is done', async () => {
    const path = await filled(4);
    const store = await sqliteStore(path);
    const log = store.forTenant('t');
    await log.append({ conversation: 'c' }, ['{"role":"user","content":"a zeppelin of secrets"}']);
    const reader = openDatabase(path, { readOnly: true });
    reader.exec('begin');
    reader.prepare('select count(*) from messages').get();
    expect(await log.forget('c')).toBe(true);
    const holdsIt = (): boolean => ['', '-wal'].some((suffix) => readFileSync(`${path}${suffix}`).includes('zeppelin'));
    expect(holdsIt()).toBe(true);
    reader.exec('commit');
    await expect.poll(holdsIt, { timeout: 20_000 }).toBe(false);
    reader.close();
    await store.close();
  });

  test('that another process keeps locked gives the sentence with its pid', async () => {
    const path = await filled(2);
    const locker = await lock(path);
    const store = await sqliteStore(path);
    const log = store.forTenant('t');
    expect(await shown(log, { conversation: 'c' })).toHaveLength(4);
    const failed = expect(log.append({ conversation: 'c' }, exchange(9))).rejects;
    await failed.toThrow(
      `Another process (pid ${locker.process.pid}) is writing to ${path} and did not finish within 5 s; try again.`,
    );
    locker.process.kill('SIGKILL');
    await locker.ended;
    expect((await log.append({ conversation: 'c' }, exchange(9))).added).toBe(2);
    await store.close();
  });

  test('that is kept locked fails all who wait for it together, not one after the other', async () => {
    const path = await filled(2);
    const locker = await lock(path);
    const store = await sqliteStore(path);
    const log = store.forTenant('t');
    const startedAt = performance.now();
    const waiting = Array.from({ length: 6 }, (_, at) => log.create({ format: 'openai-chat', id: `new-${at}` }));
    const ends = await Promise.allSettled(waiting);
    expect(ends.map(({ status }) => status)).toEqual(Array.from({ length: 6 }, () => 'rejected'));
    expect(performance.now() - startedAt).toBeLessThan(9000);
    locker.process.kill('SIGKILL');
    await locker.ended;
    await store.close();
  }, 60_000);

  test('on a full disk keeps what it has and says that nothing was saved', async () => {
    const path = await filled(20);
    const database = await openFile(path);
    const log = createStore(sqliteEngine(database, path)).forTenant('t');
    const before = await linesOf(log);
    database.exec('pragma max_page_count = 1');
    const long = JSON.stringify({
      role: 'user',
      content: Array.from({ length: 9000 }, (_, n) => `word${n}`).join(' '),
    });
    await expect(log.append({ conversation: 'c' }, [long])).rejects.toThrow('The disk is full: nothing was saved');
    expect(await linesOf(log)).toEqual(before);
    database.exec('pragma max_page_count = 1000000');
    expect((await log.append({ conversation: 'c' }, [long])).added).toBe(1);
    database.close();
  });

  test('on a disk that is really full loses nothing acknowledged, and goes on when there is room', async (context) => {
    const disk = join(folder, 'disk');
    mkdirSync(disk);
    const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', disk]);
    if (status !== 0) return context.skip('this user may not mount a small disk');
    try {
      writeFileSync(join(disk, 'ballast'), Buffer.alloc(1_000_000));
      await expect(sqliteStore(join(disk, 'none.db'))).rejects.toThrow('The disk is full: nothing was saved');
      rmSync(join(disk, 'none.db'), { force: true });
      writeFileSync(join(disk, 'ballast'), Buffer.alloc(400_000));
      const path = join(disk, 'log.db');
      const store = await sqliteStore(path);
      const log = store.forTenant('t');
      await log.create({ format: 'openai-chat', id: 'c' });
      const acknowledged: string[] = [];
      const failure = await (async () => {
        for (let round = 0; ; round += 1) {
          try {
            acknowledged.push(...(await log.append({ conversation: 'c' }, exchange(round))).ids);
          } catch (error) {
            return String(error);
          }
        }
      })();
      expect(failure).toContain('The disk is full: nothing was saved');
      const ids = async () => (await log.messages({ conversation: 'c' })).map(({ id }) => id);
      expect(await ids()).toEqual(acknowledged);
      rmSync(join(disk, 'ballast'));
      acknowledged.push(...(await log.append({ conversation: 'c' }, exchange(9999))).ids);
      expect(await ids()).toEqual(acknowledged);
      await store.close();
      expect((await diagnoseFile(path)).problems).toEqual([]);
    } finally {
      // The prebuilt driver keeps a file open until its statements are collected.
      spawnSync('umount', ['-l', disk]);
    }
  });

  test('that may only be read says so', async () => {
    const path = await filled(2);
    if (process.getuid?.() === 0) {
      // Root may write everything: what the database says where it may not is all there is to test.
      const database = openDatabase(path, { readOnly: true });
      const log = createStore(sqliteEngine(database, path)).forTenant('t');
      await expect(log.append({ conversation: 'c' }, exchange(9))).rejects.toThrow(`${path} can only be read`);
      database.close();
      return;
    }
    chmodSync(path, 0o400);
    const { lines } = await startChild(programs.opener, [path, 'c', 'append']).ended;
    expect(lines[0]).toContain('can only be read');
  });

  test('on a disk that may only be read says so, and doctor looks through it', async (context) => {
    const disk = join(folder, 'shelf');
    mkdirSync(disk);
    const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', disk]);
    if (status !== 0) return context.skip('this user may not mount a disk');
    try {
      const path = join(disk, 'log.db');
      copyFileSync(await filled(2), path);
      spawnSync('mount', ['-o', 'remount,ro', disk]);
      await expect(sqliteStore(path)).rejects.toThrow(
        `${path} can only be read; let this user write it and its folder.`,
      );
      expect(await diagnoseFile(path)).toMatchObject({ messages: 5, problems: [] });
    } finally {
      spawnSync('umount', ['-l', disk]);
    }
  });

  test.runIf(process.platform === 'linux')('in a folder that nobody can make is told, not tried for ever', async () => {
    await expect(sqliteStore('/proc/nope/deep/log.db')).rejects.toThrow('/proc/nope/deep/log.db');
  });

  test('in a folder that is a file cannot be opened, and the sentence says which', async () => {
    const path = await filled(2);
    await expect(sqliteStore(join(path, 'log.db'))).rejects.toThrow(/log\.db|not a directory/);
  });

  test('that was closed says so', async () => {
    const store = await sqliteStore(fresh());
    await store.close();
    await expect(store.forTenant('t').stats()).rejects.toThrow('The store is closed; open it again.');
  });
});

describe('doctor', () => {
  test('finds nothing wrong with a sound file, and salvages all of it', async () => {
    const path = await filled();
    expect(await diagnoseFile(path)).toMatchObject({ messages: 81, problems: [] });
    const target = fresh();
    expect(await salvageFile(path, target)).toEqual({ messages: 81, conversations: 1, records: 1, lost: [] });
    const [one, other] = [await sqliteStore(path), await sqliteStore(target)];
    expect(await linesOf(other.forTenant('t'))).toEqual(await linesOf(one.forTenant('t')));
    await one.close();
    await other.close();
    await expect(salvageFile(path, target)).rejects.toThrow('is there already');
    await expect(diagnoseFile(fresh())).rejects.toThrow('There is no file');
    await expect(diagnoseFile(folder)).rejects.toThrow('is no file');
    const empty = fresh();
    writeFileSync(empty, '');
    await expect(diagnoseFile(empty)).rejects.toThrow('is empty: nothing was ever stored there');
  });

  // Root may write everything.
  test.skipIf(process.getuid?.() === 0)('looks through and salvages a file that may only be read', async () => {
    const path = join(folder, 'kept', 'log.db');
    mkdirSync(dirname(path));
    copyFileSync(await filled(20), path);
    chmodSync(path, 0o400);
    chmodSync(dirname(path), 0o500);
    try {
      expect(await diagnoseFile(path)).toMatchObject({ path, messages: 41, problems: [] });
      expect(await salvageFile(path, fresh())).toMatchObject({ messages: 41, lost: [] });
      await expect(salvageFile(path, join(dirname(path), 'new.db'))).rejects.toThrow('could not be copied');
    } finally {
      chmodSync(dirname(path), 0o700);
    }
  });

  test('leads to what is left of a conversation whose branches are lost', async () => {
    const path = await filled(20);
    const database = openDatabase(path);
    database.exec('delete from branches');
    database.close();
    const target = fresh();
    await salvageFile(path, target);
    const store = await sqliteStore(target);
    expect((await store.forTenant('t').messages({ conversation: 'c' })).length).toBeGreaterThanOrEqual(40);
    await store.close();
  });

  test('finds a message and a payload whose characters were changed', async () => {
    const path = await filled();
    const bytes = readFileSync(path);
    // Pages keep old copies of what was moved: all of them are changed.
    for (let at = bytes.indexOf('question 17'); at >= 0; at = bytes.indexOf('question 17', at))
      bytes[at] = 'Q'.charCodeAt(0);
    bytes[bytes.indexOf('payload payload') + 3] = 'X'.charCodeAt(0);
    writeFileSync(path, bytes);
    const { problems } = await diagnoseFile(path);
    const changed = [
      'Message 35 of conversation c is not what was appended.',
      'Message 11 of conversation c is not what was appended.',
    ];
    expect(problems).toEqual(['Payload 1 is not what was stored.', ...changed]);
    const { messages, lost } = await salvageFile(path, fresh());
    expect({ messages, lost }).toEqual({ messages: 81, lost: changed });
  });

  test('finds changed records, changed messages with ids of their callers, and a branch whose end is lost', async () => {
    const path = fresh();
    const store = await sqliteStore(path);
    const log = store.forTenant('t');
    await log.create({ format: 'openai-chat', id: 'c' });
    await log.append({ conversation: 'c' }, exchanges(0, 8));
    const named = exchanges(8, 12).map((native, index) => ({ id: `own-${index}`, native }));
    await log.append({ conversation: 'c' }, named);
    // Known but for a mark: it gets an id that is not of the chain.
    await log.append({ conversation: 'c' }, ['{"role":"user","content":"once"}']);
    await log.append({ conversation: 'c' }, ['{"role":"user","content":"once","cache_control":{}}']);
    await log.fork({ conversation: 'c' }, { name: 'side' });
    const { records } = await compactBranch(log, { conversation: 'c' });
    await store.close();
    expect((await diagnoseFile(path)).problems).toEqual([]);
    const database = openDatabase(path);
    database.exec(
      `update messages set native = cast(replace(cast(native as text), 'answer 9', 'answer 6') as blob) where id = 'own-3'`,
    );
    database.exec(`update branches set tip = 'nobody' where name = 'side'`);
    database.exec("update records set body = replace(body, 'Summary of', 'Summary or')");
    database.close();
    const problems = [
      'Message 20 of conversation c is not what was appended.',
      'Branch side of conversation c ends with a message that is not there.',
      `Record ${records[0]?.id} of conversation c is not what was written.`,
    ];
    expect((await diagnoseFile(path)).problems).toEqual(problems);
    const { lost } = await salvageFile(path, fresh());
    expect(lost).toEqual(expect.arrayContaining([problems[0], problems[2]]));
  });

  test.each([
    [
      'flipped bits',
      (path: string) => damage(path, (bytes, at) => bytes.fill(0xff, at - (at % 4096), at - (at % 4096) + 64)),
    ],
    [
      'a page of zeros',
      (path: string) => damage(path, (bytes, at) => bytes.fill(0, at - (at % 4096), at - (at % 4096) + 4096)),
    ],
    ['its end cut off', (path: string) => truncateSync(path, Math.floor(statSync(path).size * 0.6))],
  ])('salvages what is readable of a file with %s', async (name, spoil) => {
    const path = await filled(120);
    const spoilt = fresh();
    copyFileSync(path, spoilt);
    spoil(spoilt);
    const { problems } = await diagnoseFile(spoilt);
    expect(problems.length).toBeGreaterThan(0);
    expect(problems.some((problem) => problem.includes('Its end is missing'))).toBe(name === 'its end cut off');
    const target = fresh();
    const salvage = await salvageFile(spoilt, target);
    expect(salvage.messages).toBeGreaterThan(60);
    expect(salvage.lost.length).toBeGreaterThan(0);
    const [one, other] = [await sqliteStore(path), await sqliteStore(target)];
    const originals = new Set((await linesOf(one.forTenant('t'))).map((line) => JSON.parse(line).native));
    for (const line of await linesOf(other.forTenant('t'))) expect(originals).toContain(JSON.parse(line).native);
    // A branch whose end is lost leads to the nearest message that is left.
    const reached = await Promise.all(
      ['main', 'side'].map((branch) => other.forTenant('t').messages({ conversation: 'c', branch })),
    );
    const ids = new Set(reached.flatMap((messages) => messages.map(({ id }) => id)));
    expect(ids.size).toBe(salvage.messages);
    await one.close();
    await other.close();
    expect((await diagnoseFile(target)).problems.filter((problem) => problem.includes('JSON'))).toEqual([]);
  });

  test('salvages all of a file with any bit of its header flipped, and of one whose first page is lost', async () => {
    const path = await filled(20);
    const bytes = readFileSync(path);
    const spoils = [
      0, 3, 15, 16, 17, 18, 19, 20, 21, 23, 24, 28, 29, 31, 40, 44, 47, 52, 56, 59, 60, 63, 68, 92, 96,
    ].map((at) => {
      const spoilt = Buffer.from(bytes);
      spoilt[at] = (spoilt[at] ?? 0) ^ (1 << (at % 8));
      return spoilt;
    });
    for (const spoilt of [...spoils, Buffer.from(bytes).fill(0, 0, 4096), Buffer.from(bytes).fill(0xff, 100, 4096)]) {
      const file = fresh();
      writeFileSync(file, spoilt);
      expect((await salvageFile(file, fresh())).messages).toBe(41);
    }
  });

  test.each([0.8, 0.6, 0.4])('finds the messages of the part of a long file that is left: %d of it', async (share) => {
    const path = await filled(1500);
    truncateSync(path, Math.floor(statSync(path).size * share));
    const { messages } = await salvageFile(path, fresh());
    expect(messages).toBeGreaterThan(1500 * 2 * share * 0.3);
  });

  test('loses at most what stood on a page, whichever page is lost', async () => {
    const path = await filled(30);
    const bytes = readFileSync(path);
    const one = await sqliteStore(path);
    const originals = new Set((await linesOf(one.forTenant('t'))).map((line) => JSON.parse(line).native));
    await one.close();
    const kept: number[] = [];
    for (let page = 1; page < bytes.length / 4096; page += 1) {
      const spoilt = fresh();
      writeFileSync(spoilt, Buffer.from(bytes).fill(0, page * 4096, (page + 1) * 4096));
      const target = fresh();
      const { messages, lost } = await salvageFile(spoilt, target);
      expect(messages === 61 || lost.length > 0).toBe(true);
      const other = await sqliteStore(target);
      for (const line of await linesOf(other.forTenant('t'))) expect(originals).toContain(JSON.parse(line).native);
      await other.close();
      kept.push(messages);
    }
    // A page holds some of the messages; one above all others, or one that says who owns what, costs more.
    expect(kept.filter((messages) => messages === 61).length).toBeGreaterThan(kept.length / 2);
    expect(kept.filter((messages) => messages < 45).length).toBeLessThanOrEqual(3);
  });

  test('says so where nothing is readable', async () => {
    const path = await filled(2);
    damage(path, (bytes) => bytes.fill(0x5a));
    expect((await diagnoseFile(path)).problems[0]).toContain('is damaged or no database');
    const target = fresh();
    await expect(salvageFile(path, target)).rejects.toThrow('is damaged or no database, and nothing of it can be read');
    expect(existsSync(target)).toBe(false);
    writeFileSync(path, 'Dear diary, '.repeat(2000));
    await expect(salvageFile(path, target)).rejects.toThrow('nothing of it can be read');
  });
});

function damage(path: string, spoil: (bytes: Buffer, middle: number) => void): void {
  const bytes = readFileSync(path);
  spoil(bytes, bytes.indexOf('question 60') > 0 ? bytes.indexOf('question 60') : bytes.length >> 1);
  writeFileSync(path, bytes);
}
