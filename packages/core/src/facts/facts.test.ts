import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Message, Part } from '../model/message.ts';
import {
  diffFacts,
  EMPTY_LEDGER,
  extractFacts,
  type FactKind,
  mergeFacts,
  mergeLedgers,
  rankFacts,
  renderFacts,
} from './index.ts';

const message = (role: Message['role'], ...parts: Part[]): Message => ({ role, parts, native: undefined });
const text = (value: string): Part => ({ kind: 'text', text: value });
const user = (value: string): Message => message('user', text(value));
const assistant = (value: string): Message => message('assistant', text(value));
const call = (name: string, input: unknown, callId = 'c1'): Message =>
  message('assistant', { kind: 'tool-call', callId, name, input: JSON.stringify(input) });
const result = (value: string, callId = 'c1', isError = false): Message =>
  message('tool', { kind: 'tool-result', callId, name: '', text: value, isError, media: [] });
const ledgerOf = (...messages: Message[]) => mergeFacts(EMPTY_LEDGER, messages.flatMap(extractFacts));
const found = (given: Message): string[] => extractFacts(given, 0).map(({ kind, value }) => `${kind} ${value}`);

test.each<[FactKind, string, string]>([
  ['path', 'src/engine/compact.ts', 'Look at src/engine/compact.ts, line 12.'],
  ['path', 'package.json', 'It stands in `package.json`.'],
  ['path', '/etc/nginx/nginx.conf', 'cat /etc/nginx/nginx.conf'],
  ['path', 'C:\\Users\\ann\\notes.txt', 'open C:\\Users\\ann\\notes.txt now'],
  ['url', 'https://example.org/a?b=1&c=2#d', 'see https://example.org/a?b=1&c=2#d.'],
  ['id', '123e4567-e89b-12d3-a456-426614174000', 'id 123e4567-e89b-12d3-a456-426614174000'],
  ['id', 'e53647ba1f', 'commit e53647ba1f is gone'],
  ['id', 'ORD-20417', 'order ORD-20417 is late'],
  ['id', 'mia_li_3668', 'my user id is mia_li_3668.'],
  ['symbol', 'estimateTokens', 'call estimateTokens(text)'],
  ['symbol', 'tool_use_id', 'the tool_use_id field'],
  ['symbol', 'lastActivityAt', 'session.lastActivityAt is wrong'],
  ['constant', 'MAX_RETRY_COUNT', 'raise MAX_RETRY_COUNT'],
  ['constant', 'OPENAI_BASE_URL', 'OPENAI_BASE_URL=http'],
  ['flag', '--no-verify', 'never pass --no-verify'],
  ['version', '20.19.1', 'node 20.19.1'],
  ['version', 'v2.1', 'since v2.1'],
  ['number', '1,234', 'it cost 1,234 tokens'],
  ['number', '250ms', 'it took 250ms'],
  ['number', '87%', 'coverage is 87%'],
  ['date', '2024-05-20', 'on 2024-05-20T10:00'],
  ['error', 'ENOENT', 'failed with ENOENT: no such'],
  ['error', 'TS2345', 'error TS2345: no'],
  ['error', 'TypeError', 'a TypeError was thrown'],
  ['name', 'Caroline', 'yesterday Caroline went out'],
  ['path', 'docs/übersicht.md', 'Siehe docs/übersicht.md bitte'],
])('%s: %s is found', (kind, value, source) => {
  expect(found(user(source))).toContain(`${kind} ${value}`);
});

test('plain prose has no identifiers', () => {
  const kinds = extractFacts(user('I went there, and/or not. It was nice - really nice! Why?'), 0).map(
    ({ kind }) => kind,
  );
  expect(kinds.filter((kind) => kind !== 'path')).toEqual([]);
});

test('a demand, a decision and an error line are quoted whole', () => {
  expect(found(user('Hello. You must never touch the vendored code. Thanks.'))).toContain(
    'demand You must never touch the vendored code.',
  );
  expect(found(assistant('I looked. The root cause is a stale cache. Next.'))).toContain(
    'decision The root cause is a stale cache.',
  );
  expect(found(result('ok\nfatal: unable to read the object\nbye'))).toContain(
    'error fatal: unable to read the object',
  );
});

test('calls tell files, commands and todos, and results their exit code', () => {
  const ledger = ledgerOf(
    call('Read', { file_path: '/w/src/a.ts' }),
    call('Edit', { file_path: '/w/src/a.ts', old_string: 'x', new_string: 'y' }, 'c2'),
    call('Read', { file_path: '/w/src/a.ts' }, 'c3'),
    call('Bash', { command: 'npm test' }, 'c4'),
    result('Exit code: 1\nboom', 'c4'),
    call('TodoWrite', { todos: [{ content: 'ship it', status: 'in_progress' }] }, 'c5'),
    call('apply_patch', { input: '*** Begin Patch\n*** Update File: lib/b.ts\n' }, 'c6'),
  );
  const status = Object.fromEntries(Object.entries(ledger.entries).map(([key, entry]) => [key, entry.status]));
  expect(status).toMatchObject({
    'file:src/a.ts': 'changed',
    'file:lib/b.ts': 'changed',
    'command:npm test': 'exit 1',
    'todo:ship it': 'in progress',
  });
});

test('a path is one fact under all its spellings', () => {
  const ledger = ledgerOf(user('see src/engine/ladder.ts'), assistant('read /home/me/src/engine/ladder.ts'));
  expect(ledger.entries[':engine/ladder.ts']).toMatchObject({ messages: 2, own: 1, first: 0, last: 1 });
});

const line = fc.constantFrom(
  'use parseInput in src/a/b.ts',
  'never drop ORD-20417',
  '- [ ] write docs for renderAll',
  'Error: ENOENT at 0xdeadbeef1',
  'plain words only',
  '__proto__ constructor toString.call',
);
const history = fc.array(
  fc.oneof(
    line.map(user),
    line.map(assistant),
    line.map((value) => result(value)),
  ),
  { maxLength: 8 },
);

test('merging message by message, or two halves, gives the ledger of the whole', () => {
  fc.assert(
    fc.property(history, fc.nat(8), (messages, at) => {
      const facts = messages.map((given, index) => extractFacts(given, index));
      const whole = mergeFacts(EMPTY_LEDGER, facts.flat());
      expect(facts.reduce(mergeFacts, EMPTY_LEDGER)).toEqual(whole);
      const halves = [facts.slice(0, at), facts.slice(at)].map((half) => mergeFacts(EMPTY_LEDGER, half.flat()));
      expect(mergeLedgers(halves[0] ?? EMPTY_LEDGER, halves[1] ?? EMPTY_LEDGER)).toEqual(whole);
    }),
  );
});

test('a ledger survives JSON, and every value it holds stands in its source', () => {
  fc.assert(
    fc.property(history, (messages) => {
      const ledger = ledgerOf(...messages);
      expect(JSON.parse(JSON.stringify(ledger))).toEqual(ledger);
      const source = JSON.stringify(messages);
      for (const { value } of Object.values(ledger.entries)) expect(source).toContain(value);
    }),
  );
});

test('recent, frequent and own facts rank above a listing', () => {
  const listing = Array.from({ length: 300 }, (_, index) => `itemNumber${index}`).join('\n');
  const ledger = ledgerOf(result(listing), assistant('fix parseHeader'), user('and parseHeader again'));
  expect(rankFacts(ledger).find(({ entry }) => entry.kind === 'symbol')?.entry.value).toBe('parseHeader');
});

test('a block keeps its budget, names what it left, and keeps words around each fact', () => {
  fc.assert(
    fc.property(history, fc.integer({ min: 10, max: 200 }), (messages, maxTokens) => {
      const count = (value: string): number => Math.ceil(value.length / 4);
      const ledger = ledgerOf(...messages);
      const block = renderFacts(ledger, { maxTokens, count });
      expect(count(block.text)).toBeLessThanOrEqual(maxTokens);
      if (maxTokens === 200) expect(block.left.length).toBeLessThan(Object.keys(ledger.entries).length + 1);
    }),
  );
  const ledger = ledgerOf(user('the port of the proxy is 8421 now'));
  expect(renderFacts(ledger, { maxTokens: 50 }).text).toContain('port of the proxy is 8421');
  expect(renderFacts(ledger, { maxTokens: 5 })).toMatchObject({ text: '', left: [{ entry: { value: '8421' } }] });
});

test('a diff says per kind what survived', () => {
  const ledger = ledgerOf(user('parseHeader and parseBody in src/http/parse.ts, port 8421'));
  expect(diffFacts(ledger, 'parseHeader lives in http/parse.ts')).toMatchObject({
    symbol: { total: 2, kept: 1, lost: [{ value: 'parseBody' }] },
    path: { total: 1, kept: 1, lost: [] },
    number: { total: 1, kept: 0 },
  });
});

test.each([
  'a',
  'A',
  '/',
  '.',
  '-',
  ' ',
  '\n',
  '0',
  '_',
  '"',
  '\\',
  ':',
  '=',
  '@',
  'aB',
  'a.',
  '-[ ',
  '. ',
  'must ',
  '\ud800',
  'error\n',
  '://',
  'a/',
  '0a',
])('a megabyte of %j takes milliseconds', (piece) => {
  const hostile = piece.repeat(Math.ceil(1_000_000 / piece.length));
  const started = performance.now();
  for (const given of [user(hostile), assistant(hostile), result(hostile)]) extractFacts(given, 0);
  expect(performance.now() - started).toBeLessThan(1500);
});
