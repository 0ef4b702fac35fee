import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Message, Part } from '../model/message.ts';
import { closenessTo } from './focus.ts';
import {
  diffFacts,
  EMPTY_LEDGER,
  expectedUse,
  extractFacts,
  type Fact,
  type FactKind,
  mergeFacts,
  mergeLedgers,
  openLedger,
  rankFacts,
  renderFacts,
} from './index.ts';

// Not the clock: what else runs on the machine must not count.
const cpuMs = (started: NodeJS.CpuUsage): number => {
  const { user: own, system } = process.cpuUsage(started);
  return (own + system) / 1000;
};
const message = (role: Message['role'], ...parts: Part[]): Message => ({ role, parts, native: undefined });
const text = (value: string): Part => ({ kind: 'text', text: value });
const user = (value: string): Message => message('user', text(value));
const assistant = (value: string): Message => message('assistant', text(value));
const call = (name: string, input: unknown, callId = 'c1'): Message =>
  message('assistant', { kind: 'tool-call', callId, name, input: JSON.stringify(input) });
const result = (value: string, callId = 'c1', isError = false): Message =>
  message('tool', { kind: 'tool-result', callId, name: '', text: value, isError, media: [] });
const ledgerOf = (...messages: Message[]) => mergeFacts(EMPTY_LEDGER, messages.flatMap(extractFacts));
const factsOf = (given: Message): readonly Fact[] =>
  extractFacts(given, 0).flatMap((each) => (each.kind === 'news' ? [] : [each]));
const found = (given: Message): string[] => factsOf(given).map(({ kind, value }) => `${kind} ${value}`);

test.each<[FactKind, string, string]>([
  ['path', 'src/engine/compact.ts', 'Look at src/engine/compact.ts, line 12.'],
  ['path', 'package.json', 'It stands in `package.json`.'],
  ['path', '/etc/nginx/nginx.conf', 'cat /etc/nginx/nginx.conf'],
  ['path', 'C:\\Users\\ann\\notes.txt', 'open C:\\Users\\ann\\notes.txt now'],
  ['url', 'https://example.org/a?b=1&c=2#d', 'see https://example.org/a?b=1&c=2#d.'],
  ['id', '123e4567-e89b-12d3-a456-426614174000', 'id 123e4567-e89b-12d3-a456-426614174000'],
  ['id', 'e53647ba1f', 'commit e53647ba1f is gone'],
  ['id', 'ORD-20417', 'order ORD-20417 is late'],
  ['id', 'ann_bo_4412', 'my user id is ann_bo_4412.'],
  ['symbol', 'estimateTokens', 'call estimateTokens(text)'],
  ['symbol', 'tool_use_id', 'the tool_use_id field'],
  ['symbol', 'lastActivityAt', 'session.lastActivityAt is wrong'],
  ['constant', 'MAX_RETRY_COUNT', 'raise MAX_RETRY_COUNT'],
  ['constant', 'OPENAI_BASE_URL', 'OPENAI_BASE_URL=http'],
  ['flag', '--no-verify', 'never pass --no-verify'],
  ['version', '20.19.1', 'node 20.19.1'],
  ['version', 'v2.1', 'since v2.1'],
  ['number', '1,234 tokens', 'it cost 1,234 tokens'],
  ['number', '250ms', 'it took 250ms'],
  ['number', '87%', 'coverage is 87%'],
  ['date', '2024-05-20', 'on 2024-05-20T10:00'],
  ['error', 'ENOENT', 'failed with ENOENT: no such'],
  ['error', 'TS2345', 'error TS2345: no'],
  ['error', 'TypeError', 'a TypeError was thrown'],
  ['name', 'Henrietta', 'yesterday Henrietta went out'],
  ['path', 'docs/übersicht.md', 'Siehe docs/übersicht.md bitte'],
  ['path', 'src/库/书.ts', '请不要改 src/库/书.ts，端口必须是 8443。'],
  ['number', '8443', '端口必须是8443。'],
  ['id', 'ORD-2031-7', '订单号 ORD-2031-7。'],
  ['path', 'My Papers/last year.pdf', 'open "My Papers/last year.pdf" please'],
  ['path', 'C:\\Users\\Ann Lee\\x.txt', 'see `C:\\Users\\Ann Lee\\x.txt` there'],
  ['path', '.env.local', 'it is in .env.local now'],
  ['constant', 'RETRY_LIMIT', '  12→RETRY_LIMIT = 3'],
  ['symbol', 'parseInput', '│parseInput│'],
  ['flag', '-rf', 'run it with -rf and more'],
  ['flag', '-O2', 'cc -O2 a.c'],
  ['id', 'QX1136', 'flight QX1136 is late'],
  ['id', 'ann@example.org', 'mail ann@example.org about it'],
  ['version', 'node@20.11.1', 'pinned to node@20.11.1 today'],
  ['number', '95 ms', 'it took 95 ms'],
  ['number', '1.2 s', 'p99 is 1.2 s now'],
  ['number', '$12.50', 'it costs $12.50 a day'],
  ['number', '45%', 'about 45% of them'],
  ['date', '14/07/2025', 'le 14/07/2025 ici'],
  ['date', '30.11.2025', 'am 30.11.2025 dort'],
  ['date', 'Nov 30, 2025', 'due Nov 30, 2025 at noon'],
  ['date', '3. März 2025', 'bis zum 3. März 2025 fertig'],
  ['date', '10:45', 'at 10:45 sharp'],
  ['name', 'Ada Lovelace', 'Ada Lovelace wants it.'],
  ['name', 'Deutsche Bank', 'he is at Deutsche Bank today'],
])('%s: %s is found', (kind, value, source) => {
  expect(found(user(source))).toContain(`${kind} ${value}`);
});

test('numbers of lines are no facts', () => {
  expect(found(user('    41→const a\n  42\tconst b\n43│const c'))).toEqual([]);
});

test('plain prose has no identifiers', () => {
  const kinds = extractFacts(user('I went there, and/or not. It was nice - really nice! Why?'), 0).map(
    ({ kind }) => kind,
  );
  expect(kinds.filter((kind) => kind !== 'path')).toEqual([]);
});

test('a sentence’s first word and German nouns are no names', () => {
  const names = (given: string): string[] => found(user(given)).filter((fact) => fact.startsWith('name '));
  expect(names('Tell him. The London office knows.')).toEqual(['name London']);
  expect(names('Bitte die Datei nicht ändern, das Budget ist knapp.')).toEqual([]);
});

test.each([
  'No emojis in commit messages.',
  'Stop adding comments.',
  'Use tabs, not spaces.',
  'It has to be idempotent.',
  'I forbid eval().',
  'Bitte niemals die Daten löschen!',
  '绝对不要改数据库！',
])('%j is a demand', (given) => {
  expect(found(user(given))).toContain(`demand ${given}`);
});

test.each(['We will go with option B.', 'Let’s see.', "Let's not use yup."])('%j is told as it is meant', (given) => {
  expect(found(assistant(given)).includes(`decision ${given}`)).toBe(given !== 'Let’s see.');
});

test('the last line of a traceback tells, and so does each line of a package manager', () => {
  const trace = 'Traceback (most recent call last):\n  File "/a/b.py", line 4, in run\n    go()\nValueError: bad token';
  expect(found(result(trace))).toContain('error ValueError: bad token');
  expect(found(result(trace))).not.toContain('error Traceback (most recent call last):');
  expect(found(result('npm ERR! ERESOLVE unable to resolve tree'))).toContain(
    'error npm ERR! ERESOLVE unable to resolve tree',
  );
});

test('todos are found in every spelling, and a cancelled one is not done', () => {
  const todos = (given: Message): string[] =>
    factsOf(given).flatMap(({ kind, value, status }) => (kind === 'todo' ? [`${value}: ${status}`] : []));
  expect(todos(user('1. [ ] one\n* [x] two\nTODO: three\n// FIXME(ann): four'))).toEqual([
    'one: todo',
    'two: done',
    'three: todo',
    'four: todo',
  ]);
  const list = [{ content: 'five', status: 'cancelled' }];
  expect(todos(call('TodoWrite', { todos: list }))).toEqual(['five: cancelled']);
});

test('a task’s state follows its number', () => {
  const ledger = ledgerOf(
    call('TaskCreate', { subject: 'Write the log' }, 'a'),
    result('Task #7 created successfully', 'a'),
    call('TaskUpdate', { taskId: '7', status: 'completed' }, 'b'),
  );
  expect(ledger.entries['todo:Write the log']).toMatchObject({ status: 'done', call: 'task 7' });
});

test.each<[string, string, unknown, string]>([
  ['an added file', 'apply_patch', { input: '*** Begin Patch\n*** Add File: src/n.ts\n+x' }, 'src/n.ts created'],
  ['a deleted file', 'apply_patch', { input: '*** Begin Patch\n*** Delete File: src/n.ts' }, 'src/n.ts deleted'],
  ['a view', 'str_replace_editor', { command: 'view', path: '/w/x.py' }, '/w/x.py read'],
  ['a creation', 'str_replace_editor', { command: 'create', path: '/w/x.py' }, '/w/x.py created'],
  ['several reads', 'read_many', { paths: ['a/b.ts', 'c/d.ts'] }, 'a/b.ts read, c/d.ts read'],
  ['a move', 'move_file', { source: 'a/x.ts', destination: 'b/x.ts' }, 'a/x.ts deleted, b/x.ts created'],
  ['rm', 'Bash', { command: 'cd src && rm -rf old.ts "my file.ts"' }, 'old.ts deleted, my file.ts deleted'],
  ['git rm', 'Bash', { command: 'git rm old.ts' }, 'old.ts deleted'],
  ['mv', 'Bash', { command: 'mv a.txt b.txt' }, 'a.txt deleted, b.txt created'],
  ['cp', 'Bash', { command: 'cp a.txt b.txt' }, 'b.txt created'],
  ['touch', 'Bash', { command: 'touch a.txt' }, 'a.txt created'],
  ['a redirection', 'Bash', { command: 'make > out.log 2>&1' }, 'out.log created'],
  ['an appending', 'Bash', { command: 'echo hi >> out.log' }, 'out.log changed'],
  ['a here-document', 'Bash', { command: 'cat > n.md <<EOF\nrm x.ts\nEOF' }, 'n.md created'],
  ['a shell in a list', 'shell', { command: ['bash', '-lc', 'touch a.txt'] }, 'a.txt created'],
  ['sed in place', 'Bash', { command: "sed -i 's/a/b/' src/x.ts" }, 'src/x.ts changed'],
  ['sed to the screen', 'Bash', { command: "sed -n '1,40p' src/x.ts" }, 'src/x.ts read'],
])('%s shows what happens to files', (_name, tool, input, expected) => {
  const files = factsOf(call(tool, input)).filter(({ kind }) => kind === 'file');
  expect(files.map(({ value, status }) => `${value} ${status}`).join(', ')).toBe(expected);
});

test.each([
  ['x\n'.repeat(3000).concat('[The command completed with exit code 2.]'), 'exit 2'],
  ['[exit: 1]', 'exit 1'],
  ['{"output":"ok","metadata":{"exit_code":0}}', 'exit 0'],
  ['Process exited with code 1\nboom', 'exit 1'],
])('a command’s exit code is found at either end of its result', (given, status) => {
  const ledger = ledgerOf(call('Bash', { command: 'make all' }), result(given));
  expect(ledger.entries['command:make all']?.status).toBe(status);
});

test('a file whose text speaks of exit codes has none', () => {
  const ledger = ledgerOf(call('Read', { file_path: '/w/src/a.ts' }), result('exit code 2\nis for usage'));
  expect(ledger.entries['file:src/a.ts']?.status).toBe('read');
});

test('a source that was read and speaks of errors is no error', () => {
  expect(
    found(result('     1→throw new Error: failed to open\n     2→}')).filter((fact) => fact.startsWith('error ')),
  ).toEqual([]);
});

test('arguments nested beyond reason are read as far as they go', () => {
  const deep = `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`;
  const part: Part = { kind: 'tool-call', callId: 'c', name: 'x', input: deep };
  expect(() => extractFacts(message('assistant', part), 0)).not.toThrow();
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

test('the words around a fact are whole, unless there is no room for one', () => {
  const linesFor = (text: string): string => renderFacts(ledgerOf(result(text)), { maxTokens: 200 }).text;
  const shown = linesFor(
    `${'antidisestablishmentarianism '.repeat(3)}at port 8421 ${'floccinaucinihilipilification '.repeat(3)}`,
  );
  expect(shown).toContain('\n- antidisestablishmentarianism at port 8421 floccinaucinihilipilification');
  expect(linesFor(`${'x'.repeat(90)}=8421;${'y'.repeat(90)}`)).toContain('8421');
});

test('an open ledger gives what merging gives, and stays as it was read', () => {
  const facts = [user('see src/a/b.ts'), assistant('edit src/a/b.ts')].map((given, index) =>
    extractFacts(given, index),
  );
  const open = openLedger();
  open.add(facts[0] ?? []);
  const early = open.read();
  open.add(facts[1] ?? []);
  expect(early).toEqual(mergeFacts(EMPTY_LEDGER, facts[0] ?? []));
  expect(open.read()).toEqual(mergeFacts(EMPTY_LEDGER, facts.flat()));
});

test('parts of longer words, numbers and paths do not survive', () => {
  const ledger = ledgerOf(assistant('The limit is 12 on port 443, version 1.2.3 of pg_dump, see src/a.ts'));
  const survived = diffFacts(ledger, 'We saw 5128 on 24430 and 11.2.30, repg_dumped; src/a.tsx and 1.2.3.4');
  expect(Object.values(survived).map(({ kept }) => kept)).toEqual(Object.values(survived).map(() => 0));
});

test('a fact is shown or told as left, even if its digits stand in another', () => {
  const ledger = ledgerOf(assistant('The budget is 2045000 units.'), assistant('The limit is 45 per worker.'));
  for (const maxTokens of [22, 40]) {
    const { text: block, left } = renderFacts(ledger, { maxTokens });
    expect(/\b45\b/.test(block) || left.some(({ entry }) => entry.value === '45')).toBe(true);
  }
});

test('a diff says per kind what survived', () => {
  const ledger = ledgerOf(user('parseHeader and parseBody in src/http/parse.ts, port 8421'));
  expect(diffFacts(ledger, 'parseHeader lives in http/parse.ts')).toMatchObject({
    symbol: { total: 2, kept: 1, lost: [{ value: 'parseBody' }] },
    path: { total: 1, kept: 1, lost: [] },
    number: { total: 1, kept: 0 },
  });
});

test('a file survives where the end of its path does', () => {
  const ledger = ledgerOf(call('Write', { file_path: '/home/me/shop/src/http/parse.ts', content: 'x' }));
  expect(diffFacts(ledger, '- shop/src/http/parse.ts (created)').file).toMatchObject({ total: 1, kept: 1 });
  expect(diffFacts(ledger, '- shop/src/http/parse.tsx (created)').file).toMatchObject({ total: 1, kept: 0 });
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
  'Abc\n',
])('a megabyte of %j takes milliseconds', (piece) => {
  const hostile = piece.repeat(Math.ceil(1_000_000 / piece.length));
  const started = process.cpuUsage();
  for (const given of [user(hostile), assistant(hostile), result(hostile)]) extractFacts(given, 0);
  expect(cpuMs(started)).toBeLessThan(1500);
});

test('a fact keeps the ids of the first and last message that has it, over rounds', () => {
  const first = mergeFacts(EMPTY_LEDGER, extractFacts(user('see OPS-1 and OPS-2'), { index: 0, id: 'a' }));
  const added = mergeFacts(first, extractFacts(assistant('OPS-1 is fixed'), { index: 4, id: 'b' }));
  const later = mergeFacts(EMPTY_LEDGER, extractFacts(assistant('OPS-1 is fixed'), { index: 4, id: 'b' }));
  for (const { entries } of [added, mergeLedgers(first, later)]) {
    expect([entries[':OPS-1']?.firstId, entries[':OPS-1']?.lastId]).toEqual(['a', 'b']);
    expect([entries[':OPS-2']?.firstId, entries[':OPS-2']?.lastId]).toEqual(['a', 'a']);
  }
});

test('a ledger that was read does not change with what is added later', () => {
  const open = openLedger();
  open.add(extractFacts(user('see OPS-1'), 0));
  const before = open.read();
  const copy = structuredClone(before);
  open.add(extractFacts(assistant('OPS-1 again, and OPS-2'), 1));
  expect(before).toEqual(copy);
  expect(Object.keys(open.read().entries)).toContain(':OPS-2');
});

test('what was merely asked for does not crowd the other facts out', () => {
  const asked = Array.from({ length: 30 }, (_, index) => user(`Please go on with part ${index} of it.`));
  const ledger = ledgerOf(
    user('Never push to main.'),
    assistant('The limit is RATE_LIMIT_MS in src/net/limit.ts.'),
    ...asked,
  );
  const { text } = renderFacts(ledger, { maxTokens: 160 });
  for (const fact of ['Never push to main.', 'RATE_LIMIT_MS', 'src/net/limit.ts']) expect(text).toContain(fact);
});

test.each([
  'Ne pousse jamais sur main.',
  'No subas nunca a main.',
  'Bitte niemals auf main pushen.',
  'main にプッシュしないでください。',
])('%s is a demand', (demand) => {
  expect(found(user(demand))).toContain(`demand ${demand}`);
});

test('of two names that are otherwise alike, the one that what is at hand is about comes first', () => {
  const ledger = mergeFacts(EMPTY_LEDGER, extractFacts(assistant('See formatTotals and lastInteractionTime.'), 0));
  const likeliest = (about: string): string | undefined =>
    Object.values(ledger.entries)
      .filter(({ kind }) => kind === 'symbol')
      .map((entry) => ({ entry, use: expectedUse(entry, {}, closenessTo([about], ledger)) }))
      .sort((left, right) => right.use - left.use)[0]?.entry.value;
  expect(likeliest('Rename the interaction field')).toBe('lastInteractionTime');
  expect(likeliest('The totals are wrong')).toBe('formatTotals');
});

test('whatever stands around it, a fact between blanks is kept, and one within a longer word is lost', () => {
  const letters = fc.string({
    unit: fc.constantFrom('a', 'B', '1', '_', 'é', '字', '/', '.', '-', '(', ' '),
    maxLength: 12,
  });
  const value = letters.filter((text) => text.trim() !== '');
  const [entry] = Object.values(ledgerOf(user('parseHeader')).entries);
  if (entry === undefined) throw new Error('no fact');
  const isKept = (fact: string, text: string): boolean =>
    diffFacts({ ...EMPTY_LEDGER, entries: { own: { ...entry, value: fact } } }, text).symbol?.kept === 1;
  fc.assert(
    fc.property(value, letters, letters, (fact, before, behind) => {
      expect(isKept(fact, `${before} ${fact} ${behind}`)).toBe(true);
      const longer = `${before} xa${fact}ax ${behind}`;
      fc.pre(longer.split(`a${fact}a`).length === 2);
      expect(isKept(`a${fact}a`, longer)).toBe(false);
    }),
  );
});

test('a long demand is one fact in whole words, not the same words shifted by a letter', () => {
  const demand = `Please look at the module ${'and think about it '.repeat(40)}but never touch the schema of it.`;
  const demands = found(user(demand)).filter((each) => each.startsWith('demand '));
  const words = new Set(demand.split(/\s+/));
  for (const each of demands) for (const word of each.slice('demand '.length).split(' ')) expect(words).toContain(word);
  expect(demands.filter((each) => each.includes('look at the module'))).toHaveLength(1);
  expect(demands.some((each) => each.includes('never touch the schema'))).toBe(true);
});

test('of a long line the words next to what went wrong are kept', () => {
  const line = `${'some words of the log '.repeat(30)}fatal: no space left on device`;
  const result: Part = { kind: 'tool-result', callId: 'c', name: 'Bash', text: line, isError: true, media: [] };
  expect(found(message('tool', result)).join('\n')).toContain('fatal: no space left on device');
});

test('the names of a call’s arguments and the states of its todos are no symbols', () => {
  const edit = found(call('Edit', { file_path: '/srv/a/list.ts', new_string: 'let sort_by = 1;\nnewString(x)' }));
  expect(edit.filter((each) => /^symbol (?:file_path|new_string)$/.test(each))).toEqual([]);
  expect(edit).toContain('symbol sort_by');
  const todos = found(call('TodoWrite', { todos: [{ content: 'Fix parse_header', status: 'in_progress' }] }));
  expect(todos).not.toContain('symbol in_progress');
  expect(todos).toContain('symbol parse_header');
  expect(found(assistant('Set in_progress on the task.'))).toContain('symbol in_progress');
});

test.each(['#W1234567', '#BH2209417', '#AB-4711'])('an order’s number %s is an id', (value) => {
  expect(found(user(`Where is my order ${value} now?`))).toContain(`id ${value}`);
});

test.each(['#A12345', '#FFAA0011'])('a colour %s is no order', (value) => {
  expect(found(user(`Paint the wall ${value} now?`))).not.toContain(`id ${value}`);
});
