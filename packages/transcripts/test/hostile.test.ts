import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { isTranscriptError, messagesOf, readItems } from '../src/index.ts';
import { fixture, sessionOfLines, sessionsOf } from './support/read.ts';

const record = (uuid: string, parentUuid: string | null, content: unknown = uuid) => ({
  type: 'user',
  uuid,
  parentUuid,
  sessionId: 's',
  message: { role: 'user', content },
});

const refusal = async (bytes: Uint8Array): Promise<string> => {
  try {
    await sessionsOf(bytes);
    return 'read';
  } catch (error) {
    if (!isTranscriptError(error)) throw error;
    return `${error.code}: ${error.message}`;
  }
};

test('a broken line is reported with its number, and the rest is read', async () => {
  const session = await sessionOfLines([record('a', null), '{"type":"user","uuid":', '', record('b', 'a')]);
  expect(session.faults).toEqual([{ kind: 'fault', place: 'line 2', reason: 'not JSON: it ends too early' }]);
  expect(messagesOf(session)).toHaveLength(2);
});

test('a broken first line is no reason to give up', async () => {
  const session = await sessionOfLines(['{"type":"us', record('a', null), record('b', 'a')]);
  expect(session.faults.map(({ place }) => place)).toEqual(['line 1']);
  expect(messagesOf(session)).toHaveLength(2);
});

test('every cut of a file in lines reads, and tells of the line that was cut', async () => {
  const bytes = readFileSync(fixture('claude-code.jsonl'));
  for (let end = 700; end < bytes.length; end += 97) {
    const [session] = await sessionsOf(bytes.subarray(0, end));
    expect(session?.faultCount).toBeLessThanOrEqual(1);
  }
});

test('every cut of one JSON text keeps what came before', async () => {
  const bytes = readFileSync(fixture('opencode.json'));
  for (let end = 700; end < bytes.length - 2; end += 97) {
    const [session] = await sessionsOf(bytes.subarray(0, end));
    expect(session?.faults.map(({ reason }) => reason)).toEqual(['the file ends in the middle of a value']);
  }
});

test('a line of 10 MB is read like any other, wherever it stands', async () => {
  const long = 'x'.repeat(10_000_000);
  for (const lines of [
    [record('a', null, long), record('b', 'a')],
    [record('a', null), record('b', 'a', long)],
  ]) {
    const session = await sessionOfLines(lines);
    expect(messagesOf(session).map((native) => JSON.stringify(native).length > 9_000_000)).toContain(true);
    expect(session.faultCount).toBe(0);
  }
});

test('a line that is not UTF-8 is reported; a file that is not is refused with what to do', async () => {
  const lines = [record('a', null), record('b', 'a'), record('c', 'b')].map((line) => JSON.stringify(line));
  const bytes = Buffer.from(lines.join('\n'));
  bytes[bytes.indexOf('"b"') + 1] = 0xff;
  const [session] = await sessionsOf(bytes);
  expect(session?.faults).toEqual([{ kind: 'fault', place: 'line 2', reason: 'not UTF-8' }]);
  expect(session?.strays).toBe(1);
  expect(await refusal(Buffer.from('\ufeff{"a":1}', 'utf16le'))).toMatch(/^not-text: it is UTF-16/);
  expect(await refusal(Buffer.from([0x1f, 0x8b, 8, 0]))).toMatch(/^not-text: it is compressed/);
  expect(await refusal(Buffer.from([1, 2, 0, 3]))).toMatch(/^not-text: it is a binary file/);
});

test('a byte order mark in front is no fault', async () => {
  const mark = Buffer.from([0xef, 0xbb, 0xbf]);
  for (const name of ['claude-code.jsonl', 'gemini-cli.json']) {
    const [session] = await sessionsOf(Buffer.concat([mark, readFileSync(fixture(name))]));
    expect(session?.faultCount).toBe(0);
  }
});

test('parents in a circle, of themselves or missing make no circle', async () => {
  const session = await sessionOfLines([record('a', 'c'), record('b', 'b'), record('c', 'b'), record('d', 'nowhere')]);
  expect(session.entries.map(({ parent }) => parent)).toEqual([-1, 0, 1, 2]);
  expect(session.strays).toBe(3);
  expect(messagesOf(session)).toHaveLength(4);
});

test('an id twice: the same record is read once, another one is kept too', async () => {
  const session = await sessionOfLines([
    record('a', null),
    record('a', null),
    record('a', null, 'other'),
    record('b', 'a'),
  ]);
  expect(session.duplicates).toBe(2);
  expect(session.entries.map(({ natives }) => natives[0])).toEqual([
    { role: 'user', content: 'a' },
    { role: 'user', content: 'other' },
    { role: 'user', content: 'b' },
  ]);
});

test('a record nested 10,000 deep is told with its place, and all around what is too deep is kept', async () => {
  const deep = `${'['.repeat(10_000)}${']'.repeat(10_000)}`;
  const line = JSON.stringify(record('b', 'a', 0)).replace('"content":0', `"content":${deep}`);
  const session = await sessionOfLines([record('a', null), line, record('c', 'b')]);
  const reason = 'something nested more than 1000 deep';
  expect(session.faults).toEqual([{ kind: 'fault', place: 'line 2', reason }]);
  expect(session.entries.map(({ parent }) => parent)).toEqual([-1, 0, 1]);
  expect(JSON.stringify(session.entries[1]?.natives)).toContain('[nested too deep]');
  const doc = `{"messages":[{"role":"user","content":${deep}},{"role":"user","content":"b"}]}`;
  const [api] = await sessionsOf(Buffer.from(doc));
  expect(api?.entries).toHaveLength(2);
  expect(api?.faults).toEqual([{ kind: 'fault', place: 'messages[0]', reason }]);
});

test.each([
  ['nothing', '', /^empty/],
  ['blanks', ' \n \n', /^empty/],
  ['prose', 'Dear diary,\ntoday it rained.', /^unknown-format: .*Dear diary/],
  ['another object', '{"name":"x","version":"1.0.0"}', /^unknown-format: .*name: "x"/],
  ['other lines', '{"level":30,"msg":"up"}\n{"level":30,"msg":"down"}', /^unknown-format: .*level, msg/],
  ['numbers', '[1,2,3]', /^unknown-format/],
])('%s is refused with what was found', async (_name, text, expected) => {
  expect(await refusal(Buffer.from(text))).toMatch(expected);
});

test('garbage behind good records is reported, never fatal', async () => {
  const session = await sessionOfLines([record('a', null), '"text"', '17', 'null', '[]', '{}', '}{', record('b', 'a')]);
  expect(messagesOf(session)).toHaveLength(2);
  expect(session.faultCount).toBe(1);
  expect(Object.values(session.unknown).reduce((sum, count) => sum + count, 0)).toBe(5);
});

test('memory stays flat however long the file is', async () => {
  const line = Buffer.from(`${JSON.stringify(record('a', null, 'x'.repeat(1000)))}\n`);
  const chunk = Buffer.concat(Array.from({ length: 500 }, () => line));
  function* endless(): Generator<Uint8Array> {
    for (let count = 0; count < 200; count += 1) yield chunk;
  }
  let items = 0;
  let most = 0;
  for await (const _ of readItems(endless())) {
    items += 1;
    if (items % 20_000 === 0) most = Math.max(most, process.memoryUsage().heapUsed);
  }
  expect(items).toBeGreaterThan(200_000);
  // The file has 110 MB; what is alive at any time is a chunk of it and what the collector has not taken yet.
  expect(most).toBeLessThan(400_000_000);
});
