import { once } from 'node:events';
import { readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Ended, ensureBuilt, type RunWith, run, scratch, start } from './kit.ts';
import { startModelServer } from './server.ts';

beforeAll(ensureBuilt, 120_000);
const { path, file } = scratch();

/** An export of one conversation; its texts hold what line readers like to cut at. */
function exported(id: string, count: number): string {
  const lines: object[] = [{ kind: 'conversation', epitome: 1, id, format: 'openai-chat', createdAt: 0 }];
  for (let index = 0; index < count; index += 1) {
    const role = index % 2 === 0 ? 'user' : 'assistant';
    const native = JSON.stringify({ role, content: `number ${index} \u2028 \u2029 ${'some words '.repeat(40)}` });
    const parent = index === 0 ? null : `m${index - 1}`;
    lines.push({ kind: 'message', conversation: id, id: `m${index}`, parent, native });
  }
  lines.push({ kind: 'branch', conversation: id, name: 'main', tip: `m${count - 1}` });
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

const at = (store: string): RunWith => ({ env: { EPITOME_STORE: store } });
const lines = exported('talk', 120);

async function filled(name: string): Promise<string> {
  const store = path(name);
  const { code, stderr } = await run(['store', 'import'], { ...at(store), input: lines });
  expect(stderr).toContain('120 messages in 122 lines');
  expect(code).toBe(0);
  return store;
}

describe('store', () => {
  test('takes an export in, tells of it, and gives the very lines back', async () => {
    const store = await filled('new folder/log.db');
    expect(statSync(store).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(store)).mode & 0o777).toBe(0o700);
    expect(JSON.parse((await run(['store', 'stats', '--json'], at(store))).stdout)).toMatchObject({ messages: 120 });
    expect((await run(['store', 'list'], at(store))).stdout).toContain('talk 1970-01-01 00:00 openai-chat main 120');
    expect((await run(['store', 'export'], at(store))).stdout).toBe(lines);
    const out = path('out.jsonl');
    expect((await run(['store', 'export', 'talk', '-o', out], at(store))).code).toBe(0);
    expect(readFileSync(out, 'utf8')).toBe(lines);
    expect(await run(['store', 'export', '-o', out], at(store))).toMatchObject({ code: 2 });
    const again = await run(['store', 'import', out], at(store));
    expect(again).toMatchObject({ code: 0 });
    expect((await run(['store', 'export'], at(store))).stdout).toBe(lines);
  });

  test('forgets only what is named and meant', async () => {
    const store = await filled('forget.db');
    expect(await run(['store', 'forget', 'talk'], at(store))).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('add --yes if you mean it'),
    });
    expect(await run(['store', 'forget', 'other', '--yes'], at(store))).toMatchObject({ code: 2 });
    expect((await run(['store', 'forget', 'talk', '--yes'], at(store))).code).toBe(0);
    expect((await run(['store', 'export'], at(store))).stdout).toBe('');
  });

  test.each([
    ['no store', ['store', 'stats'], 2, 'There is no store at'],
    ['no file to take in', ['store', 'import', '/no/such.jsonl'], 2, 'There is no file'],
    ['no export', ['store', 'import'], 2, 'Line 1 of the import is no JSON'],
    ['no file to look at', ['doctor'], 2, 'There is no file'],
    ['a server to look at', ['doctor', 'postgres://u:hunter2@h/d'], 2, 'doctor looks at SQLite files'],
    ['no server', ['worker', '--store', 'postgres://u:hunter2@127.0.0.1:1/d'], 3, 'does not answer'],
    ['half a worker', ['worker', '--concurrency', '0.5'], 2, 'takes a whole number from 1 to 100'],
    ['an unknown preset', ['worker', '--preset', 'magic'], 2, 'There is no preset "magic"'],
    ['an unknown subcommand', ['store', 'stat'], 2, 'Did you mean'],
  ])('%s ends with a sentence and no password', async (name, args, code, message) => {
    const ended = await run(args, { ...at(path(`${name}.db`)), input: 'nonsense' });
    expect(ended.stderr).toContain(message);
    expect(ended.stderr).not.toContain('hunter2');
    expect([ended.code, ended.stdout]).toEqual([code, '']);
  });

  test('of a newer version is refused', async () => {
    const store = await filled('newer.db');
    const bytes = readFileSync(store);
    // Offset 60 of the header is the version of the schema.
    bytes.writeUInt32BE(99, 60);
    writeFileSync(store, bytes);
    const { code, stderr } = await run(['store', 'stats'], at(store));
    expect([code, stderr]).toEqual([3, expect.stringContaining('has schema 99')]);
  });
});

describe('doctor', () => {
  test('finds nothing wrong with a sound file', async () => {
    const store = await filled('sound.db');
    const { code, stdout } = await run(['doctor', store]);
    expect([code, stdout]).toEqual([0, expect.stringContaining('No problem found')]);
  });

  test('says what is wrong with a damaged one, and copies what is readable', async () => {
    const store = await filled('damaged.db');
    truncateSync(store, Math.floor(statSync(store).size * 0.7));
    const { code, stdout } = await run(['doctor', store]);
    expect([code, stdout]).toEqual([3, expect.stringContaining('--salvage NEW-FILE copies what is readable')]);
    const target = path('salvaged.db');
    const salvage = await run(['doctor', store, '--salvage', target]);
    expect([salvage.code, salvage.stdout]).toEqual([0, expect.stringContaining('Lost, or not what was stored')]);
    expect(await run(['doctor', store, '--salvage', target])).toMatchObject({ code: 2 });
    const [, messages = '0'] = /: ([\d,]+) messages/.exec(salvage.stdout) ?? [];
    expect(Number(messages)).toBeGreaterThan(20);
    for (const line of (await run(['store', 'export'], at(target))).stdout.trim().split('\n')) {
      const { kind, native } = JSON.parse(line);
      if (kind === 'message') expect(lines).toContain(JSON.stringify(native));
    }
  });

  test('says so where nothing is readable', async () => {
    const store = file('notes.db', 'just some notes that are longer than a header '.repeat(10));
    expect(await run(['doctor', store])).toMatchObject({ code: 3 });
    expect(await run(['doctor', store, '--salvage', path('none.db')])).toMatchObject({ code: 3 });
  });
});

test('doctor, worker and every command of store that says something can say it as JSON', async () => {
  const store = path('json.db');
  const parsed = async (args: readonly string[], input?: string): Promise<unknown> => {
    const { stdout } = await run([...args, '--json'], { ...at(store), ...(input === undefined ? {} : { input }) });
    return JSON.parse(stdout);
  };
  expect(await parsed(['store', 'import'], lines)).toEqual({ store, tenant: 'local', lines: 122, messages: 120 });
  expect(await parsed(['doctor', store])).toMatchObject({ path: store, messages: 120, problems: [] });
  const salvaged = path('json-salvaged.db');
  expect(await parsed(['doctor', store, '--salvage', salvaged])).toMatchObject({
    path: salvaged,
    messages: 120,
    lost: [],
  });
  expect(await parsed(['store', 'compact', 'talk'])).toMatchObject({ conversation: 'talk', branch: 'main' });
  const child = start(['worker', '--window', '8k', '--json'], { env: { EPITOME_STORE: store } });
  child.stdout?.setEncoding('utf8');
  const [line] = await once(child.stdout ?? child, 'data');
  child.kill('SIGTERM');
  await once(child, 'close');
  expect(JSON.parse(line)).toMatchObject({
    tenant: 'local',
    conversation: 'talk',
    status: 'compressed',
    publication: 'published',
  });
  expect(await parsed(['store', 'forget', 'talk', '--yes'])).toEqual({ forgotten: 'talk' });
});

describe('worker', () => {
  /** Starts a worker and stops it once it said something. */
  async function work(args: readonly string[], until: RegExp, env: RunWith['env'] = {}): Promise<Ended> {
    const child = start(['worker', '--window', '8k', ...args], { env });
    let stderr = '';
    child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
      stderr += chunk;
      if (until.test(stderr)) child.kill('SIGTERM');
    });
    const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
    return { code, stdout: '', stderr, seconds: 0 };
  }

  test('compacts what the queue asks for, and stops gracefully', async () => {
    const store = await filled('work.db');
    expect(await run(['store', 'compact', 'tal', '--goal', 'count'], at(store))).toMatchObject({ code: 0 });
    const { code: refused, stderr: why } = await run(['store', 'compact', 'nobody'], at(store));
    expect([refused, why]).toEqual([2, expect.stringContaining('epitome store list lists them')]);
    expect((await run(['store', 'jobs'], at(store))).stdout).toContain('waiting');
    const { code, stderr } = await work([], /→/, { EPITOME_STORE: store });
    expect(stderr).toMatch(/local\/talk main: \d+ → \d+ tokens\n/);
    expect(code).toBe(0);
    expect(await run(['store', 'jobs'], at(store))).toMatchObject({ stdout: '', code: 0 });
    const record = (await run(['store', 'export'], at(store))).stdout
      .split('\n')
      .find((line) => line.includes('"record"'));
    expect(JSON.parse(record ?? '')).toMatchObject({
      state: 'completed',
      record: { goal: 'count', preset: 'epitome' },
    });
  });

  test('tries again where the model failed, and keeps who wrote the summary', async () => {
    const store = await filled('model.db');
    const server = await startModelServer();
    server.play({ kind: 'status', status: 400 }, { kind: 'text', text: 'They counted from 0 to 119, one by one.' });
    await run(['store', 'compact', 'talk', '--force'], at(store));
    const env = { EPITOME_STORE: store, OPENAI_COMPATIBLE_BASE_URL: `${server.url}/v1` };
    const { stderr } = await work(['--summarizer', 'openai-compatible/m'], /→/, env);
    expect(stderr).toMatch(/try 1 of 5 failed, it will be tried again: .*\n.*→ \d+ tokens\n/);
    const records = (await run(['store', 'export'], at(store))).stdout
      .split('\n')
      .filter((line) => line.includes('"record"'));
    expect(records.map((line) => JSON.parse(line))).toMatchObject([
      { state: 'failed', details: { error: expect.stringContaining('summarizer-failed') } },
      { state: 'completed', record: { method: 'model' }, details: { model: 'openai-compatible/m' } },
    ]);
    await server.close();
  });
});
