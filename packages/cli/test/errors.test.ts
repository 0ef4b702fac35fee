import { spawnSync } from 'node:child_process';
import { chmodSync, closeSync, existsSync, mkdirSync, openSync, readFileSync, truncateSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { beforeAll, expect, test } from 'vitest';
import { session } from './conversations.ts';
import { binary, ensureBuilt, run, scratch } from './kit.ts';

beforeAll(ensureBuilt, 120_000);
const { path, file } = scratch();
const ok = file('ok.json', session('openai-chat'));

const misuse: readonly (readonly [string, readonly string[], string])[] = [
  ['an unknown command', ['compakt'], "unknown command 'compakt'"],
  ['an unknown option', ['compact', ok, '--widow', '1'], 'Did you mean --window?'],
  ['two files', ['compact', ok, ok], 'too many arguments'],
  [
    'an unknown preset',
    ['compact', ok, '--preset', 'magic'],
    'There is no preset "magic"; there are epitome, snapshot',
  ],
  ['an unknown format', ['compact', ok, '--format', 'xml'], 'There is no format "xml"; there are openai-chat'],
  ['the wrong format', ['compact', ok, '--format', 'gemini'], 'no entry is a message of gemini'],
  ['another format', ['compact', ok, '--format', 'anthropic'], 'try --format openai-chat'],
  ['a bad window', ['compact', ok, '--window', 'big'], '--window takes a number above zero'],
  ['a window out of range', ['compact', ok, '--window', '1.5'], 'Option `window` of preset epitome is 1.5'],
  ['an unknown setting', ['compact', ok, '--set', 'foo=1'], 'Preset epitome has no option `foo`'],
  ['a setting out of range', ['compact', ok, '-p', 'snapshot', '--set', 'keep=1.5'], 'a number above 0 and below 1'],
  ['a setting without value', ['compact', ok, '--set', 'keep'], '--set takes key=value'],
  ['an unknown summarizer', ['compact', ok, '--summarizer', 'oracle'], 'there are mechanical, openai/MODEL'],
  ['the same for a plan', ['plan', ok, '--summarizer', 'oracle'], 'there are mechanical, openai/MODEL'],
  ['a missing key', ['compact', ok, '--summarizer', 'openai/x'], 'set OPENAI_API_KEY'],
  ['a bad timeout', ['compact', ok, '--timeout', '0'], '--timeout takes a number of seconds above zero'],
  ['a timeout in minutes', ['compact', ok, '--timeout', '5m'], '--timeout takes a number of seconds above zero'],
  [
    'a missing prompt',
    ['compact', ok, '--preset', 'selective', '--set', 'prompt=@no.hbs'],
    'The prompt no.hbs cannot be read: there is no such file.',
  ],
  ['tools that are no JSON', ['plan', ok, '--tools', file('bad.json', '[{"name": "x"')], 'bad.json:1:14 is not JSON'],
  ['tools that are a text', ['plan', ok, '--tools', file('text.json', '"x"')], 'holds a string; --tools takes'],
  [
    'no tools at all',
    ['plan', ok, '--tools', file('no-tools.json', '')],
    'is empty; a JSON array of tools is expected',
  ],
  [
    'one file for two things',
    ['compact', ok, '-o', path('both.json'), '--report', path('./both.json')],
    '--report and --output name the same file',
  ],
  [
    'the report in place of the conversation',
    ['compact', ok, '--report', ok],
    '--report names the conversation itself',
  ],
  [
    'a window given twice',
    ['plan', ok, '-w', '8k', '--set', 'window=4000'],
    '--window and --set window=4000 set the same',
  ],
  [
    'a target given twice',
    ['plan', ok, '-t', '2k', '--set', 'target=off'],
    '--target and --set target=off set the same',
  ],
  ['help for no command', ['help', 'nope'], "epitome: unknown command 'nope'\n"],
  ['help for nearly a command', ['help', 'compakt'], "unknown command 'compakt'\n(Did you mean compact?)"],
  ['help for no command on settings', ['config', 'help', 'nope'], "unknown command 'nope'\n"],
  ['help for no command of the store', ['store', 'help', 'lits'], "unknown command 'lits'\n(Did you mean list?)"],
  ['a missing file', ['compact', path('none.json')], 'There is no file'],
  ['a missing system file', ['compact', ok, '--system', path('none.txt')], 'There is no file'],
  ['a directory', ['compact', '/tmp'], '/tmp is a directory'],
  ['a report without folder', ['compact', ok, '--report', path('no/where.json')], 'there is no such directory'],
  ['an output that is a folder', ['compact', ok, '-o', '/tmp'], '/tmp is a directory'],
  ['an unknown preset to list', ['presets', 'magic'], 'There is no preset "magic"'],
  ['no command', [], 'Usage: epitome'],
];

test.each(misuse)('%s ends with 2, a sentence and no output', async (_name, args, message) => {
  const { code, stdout, stderr } = await run(args);
  expect(stderr).toContain(message);
  expect(stderr).not.toMatch(/\n\s+at /);
  expect([code, stdout]).toEqual([2, '']);
});

const inputs: readonly (readonly [string, string | Buffer, string])[] = [
  ['an empty file', '', 'is empty'],
  ['a blank file', ' \n\n', 'is empty'],
  ['bad JSON', '[\n  {"role": "user",}\n]', ':2:19 is not JSON: found "}" where a key in double quotes should be'],
  ['cut off JSON', '[{"role":"user","content":"he', 'found the end of the text where the closing quote'],
  ['lines that are no session', '{"level":30}\n{"level":31}\n', 'no session of an agent that is known here'],
  ['a number', '42', 'holds a number'],
  ['an object without messages', '{"foo": 1}', 'without messages, input or contents (it has foo)'],
  ['no messages', '[{"foo": 1}]', 'no entry is a message'],
  ['UTF-16', Buffer.from('\ufeff[]', 'utf16le'), 'is UTF-16'],
  ['gzip', gzipSync('[]'), 'is compressed'],
  ['NUL bytes', Buffer.from([0x5b, 0, 0x5d]), 'is not text'],
  ['invalid UTF-8', Buffer.from([0x22, 0xff, 0xc0, 0x22]), 'is not text'],
];

test.each(inputs)('%s ends with 2, from a file and from stdin', async (name, content, message) => {
  const named = await run(['compact', file(`${name}.bin`, content)]);
  const piped = await run(['plan'], { input: content });
  for (const { code, stdout, stderr } of [named, piped]) {
    expect(stderr).toContain(message);
    expect([code, stdout]).toEqual([2, '']);
  }
});

test('a file that may not be read is said so', async (context) => {
  const secret = file('secret.json', '[]');
  chmodSync(secret, 0);
  try {
    readFileSync(secret);
    context.skip('this user may read everything');
  } catch {
    expect(await run(['compact', secret])).toMatchObject({ code: 2, stderr: expect.stringContaining('permission') });
  }
});

test('1 GB is refused at once, from a file and from a pipe', async () => {
  const huge = file('huge.json', '[');
  truncateSync(huge, 1_000_000_000);
  const { code, stderr, seconds } = await run(['compact', huge]);
  expect(stderr).toContain('has 1000 MB; the most that is read is 256 MB');
  expect(code).toBe(2);
  expect(seconds).toBeLessThan(3);
  const piped = await run(['compact', '/dev/zero']);
  expect(piped).toMatchObject({ code: 2, stderr: expect.stringContaining('more than 256 MB') });
});

test('a refusal writes no file', async () => {
  mkdirSync(path('out'), { recursive: true });
  const args = ['compact', '-o', path('out/o.json'), '--report', path('out/r.json')];
  expect((await run(args, { input: '{' })).code).toBe(2);
  expect([existsSync(path('out/o.json')), existsSync(path('out/r.json'))]).toEqual([false, false]);
});

test.each([
  ['--help'],
  ['compact', '--help'],
  ['help', 'plan'],
  ['worker', '--help'],
  ['doctor', '--help'],
  ['store', 'export', '--help'],
  ['help', 'inspect'],
  ['help', 'diff'],
  ['help', 'sessions'],
  ['help', 'import'],
  ['help', 'recall'],
  ['presets'],
  ['presets', 'forge'],
  ['--version'],
])('%s %s ends with 0 and fits 40 columns', async (...args) => {
  const { code, stdout, stderr } = await run(args, { env: { COLUMNS: '40' } });
  expect([code, stderr]).toEqual([0, '']);
  for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(44);
});

test.skipIf(!existsSync('/dev/full')).each([
  ['stdout', []],
  ['the output', ['-o', '/dev/full']],
  ['the report', ['--report', '/dev/full']],
])('a full disk under %s ends with 74', (_name, args) => {
  const stdout = openSync(args.length === 0 ? '/dev/full' : '/dev/null', 'w');
  const { status, stderr } = spawnSync(process.execPath, [binary, 'compact', ok, ...args], {
    stdio: ['ignore', stdout, 'pipe'],
    encoding: 'utf8',
  });
  closeSync(stdout);
  expect(stderr).toContain('cannot be written: the disk is full.');
  expect(status).toBe(74);
});
