import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { type FormatName, formats, PRESET_NAMES } from 'epitome';
import { beforeAll, describe, expect, test } from 'vitest';
import { ensureBuilt, root, run, scratch } from './kit.ts';

beforeAll(ensureBuilt, 180_000);
const { path, file } = scratch();
const fixtures = join(root, 'packages/transcripts/test/fixtures');
const fixture = (name: string): string => join(fixtures, name);
const KEYS: Readonly<Record<FormatName, string>> = {
  'openai-chat': 'messages',
  'openai-responses': 'input',
  anthropic: 'messages',
  gemini: 'contents',
  'ai-sdk': 'messages',
};
const errorsOf = (format: FormatName, messages: readonly unknown[]) =>
  formats[format].validate(messages).filter(({ severity }) => severity === 'error');

const own: readonly (readonly [string, FormatName])[] = [
  ['claude-code.jsonl', 'anthropic'],
  ['codex.jsonl', 'openai-responses'],
  ['gemini-cli.json', 'gemini'],
  ['opencode.json', 'ai-sdk'],
  ['copilot-cli.jsonl', 'openai-chat'],
  ['aider.md', 'openai-chat'],
  ['api-openai-chat.jsonl', 'openai-chat'],
];

test.each(own)('compact writes %s as a valid request of %s', async (name, format) => {
  // Longer than the fixture is, so that there is something to gain.
  const text = readFileSync(fixture(name), 'utf8').replaceAll(
    'where it is used.',
    `where it is used. ${'Then more. '.repeat(900)}`,
  );
  const args = ['compact', file(`long-${name}`, text), '-w', '2000', '--force', '-p', 'threshold'];
  const { code, stdout, stderr } = await run(name === 'aider.md' ? [...args, '--session', '1'] : args);
  expect([code, stderr]).toEqual([0, expect.stringContaining('compressed from')]);
  const messages = JSON.parse(stdout)[KEYS[format]];
  expect(messages.length).toBeGreaterThan(0);
  expect(errorsOf(format, messages)).toEqual([]);
});

describe.each(['openai-chat', 'openai-responses', 'anthropic', 'gemini', 'ai-sdk'] as const)('--to %s', (to) => {
  test.each(['pi.jsonl', 'claude-code.jsonl', 'api-anthropic.json'])('takes %s', async (name) => {
    const { code, stdout } = await run(['compact', fixture(name), '--to', to, '-q']);
    expect(code).toBe(0);
    const value = JSON.parse(stdout);
    expect(errorsOf(to, value[KEYS[to]])).toEqual([]);
    expect(stdout).toContain('Added test/date.test.ts with both dates.');
    if (name.startsWith('api')) expect(stdout).toContain('You are a careful engineer.');
  });
});

test.each(PRESET_NAMES)('plan works on a session with preset %s', async (preset) => {
  const args = ['plan', fixture('claude-code.jsonl'), '--json', '-p', preset, '-w', '2000', '-q'];
  const { code, stdout } = await run(args);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ format: 'anthropic', session: { source: 'claude-code', id: 's-1' } });
});

test('the results of parallel calls go out in one message', async () => {
  const call = (id: string) => ({ type: 'tool_use', id, name: 'Read', input: { file_path: `${id}.ts` } });
  const line = (at: number, type: string, content: unknown) => ({
    type,
    uuid: `u${at}`,
    parentUuid: at === 0 ? null : `u${at - 1}`,
    sessionId: 's-9',
    timestamp: `2026-01-02T10:00:0${at}Z`,
    message: { role: type, content, ...(type === 'assistant' ? { id: `m${at}` } : {}) },
  });
  const lines = [
    line(0, 'user', 'Compare them'),
    line(1, 'assistant', [call('a'), call('b')]),
    line(2, 'user', [{ type: 'tool_result', tool_use_id: 'a', content: 'one' }]),
    line(3, 'user', [{ type: 'tool_result', tool_use_id: 'b', content: 'two' }]),
    line(4, 'user', 'And now?'),
  ];
  const session = file('parallel.jsonl', lines.map((record) => JSON.stringify(record)).join('\n'));
  const { stdout } = await run(['compact', session, '-q']);
  const { messages }: { messages: readonly { readonly content: readonly { readonly tool_use_id?: string }[] }[] } =
    JSON.parse(stdout);
  expect(messages).toHaveLength(4);
  expect(messages[2]?.content.map(({ tool_use_id }) => tool_use_id)).toEqual(['a', 'b']);
});

test('a session piped in is read like a file', async () => {
  const input = readFileSync(fixture('pi.jsonl'));
  const named = await run(['compact', fixture('pi.jsonl'), '-q']);
  expect((await run(['compact', '-q'], { input })).stdout).toBe(named.stdout);
});

test('--to markdown writes a hand-over document: goal, files, where it stands', async () => {
  const { code, stdout, stderr } = await run(['compact', fixture('claude-code.jsonl'), '--to', 'markdown']);
  expect(code).toBe(0);
  expect(stderr).toContain('a hand-over document of');
  for (const words of ['# Hand-over: Dates that do not exist', '## Goal', 'src/date.ts', 'Added test/date.test.ts']) {
    expect(stdout).toContain(words);
  }
});

test('a hand-over is called after the first prompt, not after what the program sent in front of it', async () => {
  const { stdout } = await run(['compact', fixture('codex.jsonl'), '--to', 'markdown', '-q']);
  expect(stdout).toMatch(/^# Hand-over: Why does parseDate/);
  const dated = await run(['compact', fixture('claude-code.jsonl'), '--to', 'markdown', '-q']);
  expect(dated.stdout).toContain('- begun 2026-01-05 09:');
});

test('--branch, --session and --live pick what is meant; nonsense is refused with what there is', async () => {
  const branches = fixture('claude-code-branches.jsonl');
  const main = await run(['compact', branches]);
  expect(main.stdout).toContain('Reverted');
  expect(main.stderr).toContain('2 other branches; --branch picks one');
  expect((await run(['compact', branches, '--branch', 'b2', '-q'])).stdout).not.toContain('Reverted');
  expect(await run(['compact', branches, '--branch', 'b9'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('there are main, b2, b3'),
  });
  const first = await run(['compact', fixture('aider.md'), '--session', '1', '-q']);
  expect(first.stdout).toContain('parseDate');
  expect((await run(['compact', fixture('aider.md')])).stderr).toContain('2 sessions in the file, number 2 is taken');
  expect(await run(['compact', fixture('aider.md'), '--session', '7'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('it holds 2'),
  });
  const live = await run(['compact', fixture('claude-code-compacted.jsonl'), '--live', '-q']);
  expect(JSON.parse(live.stdout).messages).toHaveLength(3);
});

test('broken and unknown records are told on stderr with their place', async () => {
  const text = readFileSync(fixture('claude-code.jsonl'), 'utf8')
    .split('\n')
    .toSpliced(5, 0, '{"type":"user",')
    .join('\n');
  const { code, stderr } = await run(['compact', file('broken.jsonl', text)]);
  expect(code).toBe(0);
  expect(stderr).toContain('line 6: not JSON: it ends too early; passed over');
  expect(stderr).toContain('unknown types, passed over: mystery-record 1');
});

test('--json puts the report on stderr as JSON', async () => {
  const { stderr } = await run(['compact', fixture('codex.jsonl'), '--json', '--force', '-w', '2000']);
  expect(JSON.parse(stderr)).toMatchObject({ format: 'openai-responses', session: { source: 'codex' } });
});

test('diff counts the facts that are gone, of a conversation and of a text', async () => {
  const document = file('handover.md', 'We fixed parseDate in src/date.ts.');
  const { code, stdout } = await run(['diff', fixture('claude-code.jsonl'), document]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/\d+ of \d+ facts are in the second/);
  const input = 'We fixed parseDate in src/date.ts.';
  expect((await run(['diff', fixture('claude-code.jsonl'), '-'], { input })).stdout).toBe(stdout);
  const same = await run(['diff', fixture('claude-code.jsonl'), fixture('claude-code.jsonl'), '--json']);
  for (const { total, kept } of Object.values<{ total: number; kept: number }>(JSON.parse(same.stdout)))
    expect(kept).toBe(total);
  expect(await run(['diff', fixture('claude-code.jsonl'), document, '--kind', 'moon'])).toMatchObject({ code: 2 });
});

test('sessions lists what is in the usual places, newest first, and changes nothing', async () => {
  const home = path('home');
  const folder = join(home, '.claude/projects/-home-ada-dates');
  mkdirSync(folder, { recursive: true });
  copyFileSync(fixture('claude-code.jsonl'), join(folder, 'one.jsonl'));
  const { code, stdout } = await run(['sessions'], { env: { HOME: home } });
  expect(code).toBe(0);
  expect(stdout).toContain('Dates that do not exist');
  expect(readdirSync(folder)).toEqual(['one.jsonl']);
  const json = await run(['sessions', '--json', '--agent', 'claude-code'], { env: { HOME: home } });
  expect(JSON.parse(json.stdout)).toMatchObject({
    found: 1,
    sessions: [{ source: 'claude-code', cwd: '/home/ada/dates' }],
  });
  expect((await run(['sessions'], { env: { HOME: path('nobody') } })).stdout).toContain(
    'No sessions found. Looked in:',
  );
  expect(await run(['sessions', '--agent', 'hal'])).toMatchObject({ code: 2 });
});

test('import takes a folder in once, then only what is new; recall finds it', async () => {
  const store = path('store.db');
  const folder = path('import');
  mkdirSync(folder);
  for (const name of ['pi.jsonl', 'aider.md', 'gemini-cli.json']) copyFileSync(fixture(name), join(folder, name));
  writeFileSync(join(folder, 'notes.md'), 'no session at all');
  const once = JSON.parse((await run(['import', folder, '--store', store, '--json'])).stdout);
  expect(once).toMatchObject({ files: 4, sessions: 4, refused: [] });
  expect(once.added).toBe(9 + 7 + 8);
  const again = JSON.parse((await run(['import', folder, '--store', store, '--json', '--again'])).stdout);
  expect(again).toMatchObject({ sessions: 4, added: 0 });
  const message = { role: 'user', content: [{ type: 'text', text: 'And the leap seconds?' }] };
  appendFileSync(
    join(folder, 'pi.jsonl'),
    `${JSON.stringify({ type: 'message', id: 'n99', parentId: 'n8', message })}\n`,
  );
  const grown = JSON.parse((await run(['import', folder, '--json'], { env: { EPITOME_STORE: store } })).stdout);
  expect(grown).toMatchObject({ sessions: 1, added: 1 });
  const found = JSON.parse((await run(['recall', 'leap', 'seconds', '--store', store, '--json'])).stdout);
  expect(found).toMatchObject([
    { conversation: expect.stringMatching(/^pi\/s-1@/), role: 'user', from: { source: 'pi' } },
  ]);
  expect((await run(['recall', 'RangeError', '--store', store])).stdout).toContain('throws RangeError');
});

test('import refuses a named file that is no session, recall a store that is not there', async () => {
  const refused = await run(['import', file('no.json', '{"a":1}'), '--store', path('other.db')]);
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('no session of an agent') });
  expect(await run(['import', path('nowhere')])).toMatchObject({ code: 2 });
  expect(await run(['recall', 'x', '--store', path('none.db')])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('epitome import and epitome chat make one'),
  });
});

test('nothing of a file reaches a terminal as an escape sequence', async () => {
  const evil = '\u001b]0;gone\u0007\u001b[2J';
  const text = readFileSync(fixture('claude-code.jsonl'), 'utf8')
    .replaceAll('"s-1"', JSON.stringify(`s${evil}`))
    .replaceAll('/home/ada/dates', JSON.stringify(evil).slice(1, -1))
    .replaceAll('Dates that do not exist', JSON.stringify(evil).slice(1, -1))
    .replaceAll('mystery-record', JSON.stringify(evil).slice(1, -1))
    .replaceAll('"read"', JSON.stringify(evil));
  const store = path('evil.db');
  const named = file('evil.jsonl', text);
  const runs = [
    await run(['inspect', named]),
    await run(['plan', named]),
    await run(['import', named, '--store', store]),
    await run(['recall', 'RangeError', '--store', store]),
    await run(['diff', named, file('nothing.md', 'nothing')]),
  ];
  for (const { code, stdout, stderr } of runs) {
    expect(code).toBe(0);
    expect(stdout + stderr).not.toContain('\u001b');
  }
});

test('sessions of two folders that are called alike stay apart, and a link back to its folder is not followed', async () => {
  const folder = path('alike');
  for (const name of ['one', 'two']) {
    mkdirSync(join(folder, name), { recursive: true });
    const text = JSON.stringify([{ role: 'user', content: `The log of project ${name}.` }]);
    writeFileSync(join(folder, name, 'log.json'), text);
    symlinkSync(folder, join(folder, name, 'loop'));
  }
  const store = path('alike.db');
  const once = JSON.parse((await run(['import', folder, '--store', store, '--json'])).stdout);
  expect(once).toMatchObject({ files: 2, sessions: 2, added: 2 });
  const again = JSON.parse((await run(['import', folder, '--store', store, '--json'])).stdout);
  expect(again).toMatchObject({ unchanged: 2, sessions: 0, added: 0 });
  const { stdout } = await run(['store', 'list', '--store', store]);
  expect(stdout.trim().split('\n')).toHaveLength(2);
});

test.each(own)('nothing is lost between %s and itself', async (name) => {
  const { stdout } = await run(['diff', fixture(name), fixture(name), '--json']);
  const kinds: readonly { total: number; kept: number }[] = Object.values(JSON.parse(stdout));
  expect(kinds.filter(({ total, kept }) => kept < total)).toEqual([]);
});

test('no key of a session stands in what is printed to be read or pasted', async () => {
  const key = ['sk', 'ant', 'api03', 'A1b2C3d4'.repeat(6)].join('-');
  const messages = [
    { role: 'user', content: `Deploy it with the key ${key}, password=hunter2secret9.` },
    { role: 'assistant', content: `Done with ${key}.` },
    { role: 'user', content: `Why was ${key} refused?` },
  ];
  const session = file('keys.json', JSON.stringify(messages));
  for (const args of [
    ['compact', session, '--to', 'markdown'],
    ['inspect', session],
    ['diff', session, file('empty.txt', 'nothing')],
  ]) {
    const { code, stdout } = await run(args);
    expect(code).toBe(0);
    expect(stdout).not.toContain(key);
    expect(stdout).not.toContain('hunter2secret9');
  }
});

test('what is nested 10,000 deep and no session is said to be none', async () => {
  const deep = file('deep.json', '['.repeat(10_000) + ']'.repeat(10_000));
  const { code, stderr } = await run(['inspect', deep]);
  expect([code, stderr]).toEqual([2, expect.stringContaining('no session of an agent')]);
});
