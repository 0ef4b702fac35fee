import { chmodSync, lstatSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { FORMAT_NAMES, type FormatName, formats, PRESET_ALIASES, PRESET_NAMES } from 'epitome';
import { beforeAll, expect, test } from 'vitest';
import { request, session } from './conversations.ts';
import { ensureBuilt, run, scratch } from './kit.ts';

beforeAll(ensureBuilt, 120_000);
const { path, file } = scratch();
const KEYS: Readonly<Record<FormatName, string>> = {
  'openai-chat': 'messages',
  'openai-responses': 'input',
  anthropic: 'messages',
  gemini: 'contents',
  'ai-sdk': 'messages',
};

const errorsOf = (format: FormatName, messages: readonly unknown[]) =>
  formats[format].validate(messages).filter(({ severity }) => severity === 'error');

test.each(FORMAT_NAMES)('an array of %s comes out smaller, valid and in its own format', async (format) => {
  const messages = session(format);
  const { code, stdout, stderr } = await run(['compact', file(`${format}.json`, messages), '-w', '6k', '-t', '1500']);
  expect(stderr).toContain('Chat history compressed from');
  expect(stderr).toContain(`format    ${format}`);
  expect(code).toBe(0);
  const result: unknown[] = JSON.parse(stdout);
  expect(result.length).toBeLessThan(messages.length);
  expect(result.at(-1)).toEqual(messages.at(-1));
  expect(errorsOf(format, result)).toEqual([]);
  expect(stdout.endsWith(']\n')).toBe(true);
});

test.each(FORMAT_NAMES)('an object of %s keeps every other field', async (format) => {
  const given = request(format);
  const args = ['compact', '-w', '6k', '-t', '1500', '--report', path(`${format}-report.json`)];
  const { code, stdout } = await run(args, { input: JSON.stringify(given) });
  expect(code).toBe(0);
  const { [KEYS[format]]: messages, ...rest } = JSON.parse(stdout);
  const { [KEYS[format]]: before, ...others } = given;
  expect(rest).toEqual(others);
  expect(messages.length).toBeLessThan((before as unknown[]).length);
  expect(errorsOf(format, messages)).toEqual([]);
  const report = JSON.parse(readFileSync(path(`${format}-report.json`), 'utf8'));
  expect(report.format).toBe(format);
  // System prompt and tools of the object go out with every request.
  expect(report.tokens.fixed).toBeGreaterThan(0);
});

test.each([...PRESET_NAMES, ...Object.keys(PRESET_ALIASES)])('--preset %s works on a file', async (preset) => {
  const { code, stdout, stderr } = await run(
    ['compact', '-', '-w', '6000', '--preset', preset, '--force', '--goal', 'the importer'],
    { input: JSON.stringify(session('openai-chat')) },
  );
  expect(stderr).toContain('compressed');
  expect(code).toBe(0);
  expect(errorsOf('openai-chat', JSON.parse(stdout))).toEqual([]);
});

test('nothing to do: the very bytes come out, byte order mark and all', async () => {
  const text = `\ufeff[ {"role":"user", "content":"hi", "n": 12345678901234567890, "n": 1.0} ]\r\n\r\n`;
  const { code, stdout, stderr } = await run(['compact', file('small.json', text)]);
  expect(stdout).toBe(text);
  expect(code).toBe(0);
  expect(stderr).toContain('Nothing to compress.');
  expect(stderr).toContain('window of this model unknown, assuming 128k');
});

test('an object names its model where the window is unknown', async () => {
  const { stderr } = await run(['compact'], { input: JSON.stringify(request('openai-chat')) });
  expect(stderr).toContain('window of gpt-x unknown, assuming 128k');
});

test('--quiet leaves stderr empty', async () => {
  const { code, stderr } = await run(['compact', '-q'], { input: JSON.stringify(session('anthropic')) });
  expect([code, stderr]).toEqual([0, '']);
});

test('the report says what a program needs', async () => {
  const report = path('report.json');
  const input = JSON.stringify(session('openai-chat'));
  await run(['compact', '-p', 'snapshot', '-w', '6k', '--report', report], { input });
  const told = JSON.parse(readFileSync(report, 'utf8'));
  expect(told).toMatchObject({
    status: 'compressed',
    reason: 'threshold',
    preset: 'snapshot',
    format: 'openai-chat',
    formatBasis: 'detected',
    method: 'mechanical',
    degraded: false,
    findings: [],
    decision: { compact: true },
    plan: { split: 'share', firstKept: expect.any(Number), ranges: [[0, expect.any(Number)]] },
    record: { kind: 'compaction', preset: 'snapshot' },
  });
  expect(told.tokens.after).toBeLessThan(told.tokens.before);
  expect(told.messages.before).toBe(told.messages.compressed + told.messages.preserved);
  expect(told.durationMs).toBeGreaterThanOrEqual(0);
});

test('the report of a run that changed nothing has no plan', async () => {
  const report = path('noop.json');
  await run(['compact', '--report', report], { input: '[]' });
  expect(JSON.parse(readFileSync(report, 'utf8'))).toMatchObject({
    status: 'noop',
    reason: 'empty-history',
    plan: null,
  });
});

test('--output replaces a file whole, through a link, with its mode, and stdout stays empty', async () => {
  const target = file('in-place.json', session('gemini'));
  chmodSync(target, 0o640);
  symlinkSync(target, path('link.json'));
  const { code, stdout } = await run(['compact', target, '-w', '6k', '-t', '1500', '-o', path('link.json')]);
  expect([code, stdout]).toEqual([0, '']);
  expect(JSON.parse(readFileSync(target, 'utf8')).length).toBeLessThan(49);
  expect(statSync(target).mode & 0o777).toBe(0o640);
  expect(lstatSync(path('link.json')).isSymbolicLink()).toBe(true);
  expect(readdirSync(dirname(target)).filter((name) => name.endsWith('.tmp'))).toEqual([]);
});

test('--output to a device writes to it and leaves it there', async () => {
  const { code } = await run(['compact', '-o', '/dev/null'], { input: '[]' });
  expect(code).toBe(0);
  expect(statSync('/dev/null').isCharacterDevice()).toBe(true);
});

test('--system and --tools count as fixed, text or JSON', async () => {
  const system = file('system.txt', 'You are careful. '.repeat(100));
  const tools = file('tools.json', [{ name: 'x', description: 'y '.repeat(400) }]);
  const fixed = async (...args: readonly string[]): Promise<number> => {
    const { stdout } = await run(['plan', '--json', '-', ...args], { input: JSON.stringify(session('openai-chat')) });
    return JSON.parse(stdout).tokens.fixed;
  };
  expect(await fixed()).toBe(0);
  const withSystem = await fixed('--system', system);
  expect(withSystem).toBeGreaterThan(200);
  expect(await fixed('--system', system, '--tools', tools)).toBeGreaterThan(withSystem + 200);
});

test('--target is met', async () => {
  const report = path('target.json');
  const input = JSON.stringify(session('openai-chat'));
  const { code } = await run(['compact', '-w', '100k', '--force', '--target', '1200', '--report', report], { input });
  expect(code).toBe(0);
  expect(JSON.parse(readFileSync(report, 'utf8')).tokens.after).toBeLessThanOrEqual(1200);
});

test('--set reaches the preset, in snake_case too', async () => {
  const input = JSON.stringify(session('openai-chat'));
  const args = ['plan', '--json', '--preset', 'selective', '--set', 'retention_window=0'];
  const { stdout } = await run([...args, '--set', 'token_threshold=1k'], { input });
  expect(JSON.parse(stdout)).toMatchObject({ status: 'compressed', reason: 'token-threshold', ranges: [[1, 3]] });
});

test('a compacted conversation can be compacted again, and its summary is not nested', async () => {
  const once = await run(['compact', '-w', '6k'], { input: JSON.stringify(session('openai-chat')) });
  writeFileSync(path('again.json'), once.stdout);
  const twice = await run(['compact', path('again.json'), '-w', '6k', '--force', '--preset', 'threshold']);
  expect(twice.code).toBe(0);
  expect(twice.stdout.match(/<conversation_summary /g)).toHaveLength(1);
});

const long = 'word '.repeat(2000);
const answered = [
  { type: 'function_call_output', call_id: 'call_prev', output: `THE RESULT THE SERVER WAITS FOR ${long}` },
  ...Array.from({ length: 3 }, () => [
    { role: 'user', content: long },
    { role: 'assistant', content: long },
  ]).flat(),
  { role: 'user', content: 'next' },
];

test.each([
  ['previous_response_id', { model: 'gpt-5', previous_response_id: 'resp_1', input: answered }],
  ['conversation', { model: 'gpt-5', conversation: 'conv_1', input: answered }],
  ['item_reference', { model: 'gpt-5', input: [{ type: 'item_reference', id: 'fc_1' }, ...answered] }],
])('a request with %s lost the result that the server waits for', async (name, given) => {
  const place = file(`chained-${name}.json`, given);
  const bytes = readFileSync(place, 'utf8');
  const report = path(`chained-${name}-report.json`);
  for (const args of [[], ['--force'], ['-p', 'snapshot', '--target', '1000']]) {
    const { code, stdout, stderr } = await run(['compact', place, '-w', '4000', '--report', report, ...args]);
    expect(stdout).toBe(bytes);
    expect(code).toBe(0);
    expect(stderr).toContain('The provider holds a part of it');
    const told = JSON.parse(readFileSync(report, 'utf8'));
    expect(told).toMatchObject({ status: 'noop', reason: 'server-state', method: 'none', record: null, records: [] });
    expect(told.tokens.after).toBe(told.tokens.before);
  }
  const json = await run(['compact', place, '-w', '4000', '--json']);
  expect(JSON.parse(json.stderr)).toMatchObject({ status: 'noop', reason: 'server-state' });
  const plan = await run(['plan', place, '-w', '4000', '--json', '--force']);
  expect(JSON.parse(plan.stdout)).toMatchObject({ status: 'noop', reason: 'server-state', ranges: [], split: null });
  const table = await run(['plan', place, '-w', '4000']);
  expect(table.stdout).toContain('nothing to compact');
  expect(table.stdout.replace(/\s+/g, ' ')).toContain('The provider holds a part of it');
});

test('a chained request in lines is not written without its chain', async () => {
  const lines = [{ input: answered }, { previous_response_id: 'resp_1', input: answered }];
  const input = lines.map((line) => `${JSON.stringify({ model: 'gpt-5', ...line })}\n`).join('');
  const { code, stdout, stderr } = await run(['compact', '-w', '4000'], { input });
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toContain('goes on from what its provider holds');
  expect((await run(['compact', '-w', '4000', '--session', '1'], { input })).code).toBe(0);
  const plan = await run(['plan', '-w', '4000', '--json'], { input });
  expect(JSON.parse(plan.stdout)).toMatchObject({ status: 'noop', reason: 'server-state' });
});
