import { expect, test } from 'vitest';
import type { Message, Part } from '../model/message.ts';
import { digest } from './index.ts';

const user = (text: string): Message => ({ role: 'user', parts: [{ kind: 'text', text }], native: undefined });
const assistant = (text: string): Message => ({
  role: 'assistant',
  parts: [{ kind: 'text', text }],
  native: undefined,
});
let calls = 0;
const ran = (name: string, input: unknown, text = 'ok'): readonly Message[] => {
  calls += 1;
  const callId = `c${calls}`;
  const call: Part = { kind: 'tool-call', callId, name, input: JSON.stringify(input) };
  const result: Part = { kind: 'tool-result', callId, name, text, isError: false, media: [] };
  return [
    { role: 'assistant', parts: [call], native: undefined },
    { role: 'tool', parts: [result], native: undefined },
  ];
};
const read = (text: string): readonly Message[] => ran('Read', { file_path: '/srv/a/pool.yaml' }, text);
const page = (messages: readonly Message[], maxTokens = 800): string =>
  digest([user('Tune the pool.'), ...messages], { maxTokens }).text;

const BEFORE = 'the pool keeps dbPoolMax 20 open';
const AFTER = 'the pool keeps dbPoolMax 35 open';
const path = '/srv/a/pool.yaml';

test.each([
  ['old_string', ran('Edit', { file_path: path, old_string: BEFORE, new_string: AFTER })],
  ['old_str', ran('str_replace_editor', { command: 'str_replace', path, old_str: BEFORE, new_str: AFTER })],
  ['oldText', ran('edit', { path, oldText: BEFORE, newText: AFTER })],
  ['old', ran('edit_file', { path, old: BEFORE, new: AFTER })],
  ['search', ran('patch', { path, search: BEFORE, operation: 'replace', content: AFTER })],
  ['a part of the line', ran('Edit', { file_path: path, old_string: 'dbPoolMax 20', new_string: 'dbPoolMax 35' })],
  ['a list of edits', ran('MultiEdit', { file_path: path, edits: [{ old_string: BEFORE, new_string: AFTER }] })],
  ['a block', ran('edit', { path, diff: `<<<<<<< SEARCH\n${BEFORE}\n=======\n${AFTER}\n>>>>>>> REPLACE` })],
  ['a diff', ran('edit', { path, diff: `--- a/pool.yaml\n+++ b/a/pool.yaml\n@@ -1 +1 @@\n-${BEFORE}\n+${AFTER}` })],
  [
    'a patch',
    ran('apply_patch', {
      input: `*** Begin Patch\n*** Update File: ${path}\n@@\n-${BEFORE}\n+${AFTER}\n*** End Patch`,
    }),
  ],
  ['a new file', ran('Write', { file_path: path, content: `${AFTER}\nand it logs slowQueries of each day` })],
  [
    'a here-document',
    ran('Bash', { command: `cat > ${path} <<'EOF'\n${AFTER}\nand it logs slowQueries of each day\nEOF\nnpm test` }),
  ],
  [
    'a block of an answer',
    [assistant(`a/pool.yaml\n\`\`\`\n<<<<<<< SEARCH\n${BEFORE}\n=======\n${AFTER}\n>>>>>>> REPLACE\n\`\`\``)],
  ],
] as const)('text that %s replaced does not stand as the file’s state', (_name, edit) => {
  const text = page([...read(`${BEFORE}\nand it logs slowQueries of each day`), ...edit]);
  expect(text).not.toMatch(/dbPoolMax 20/);
  expect(text).toMatch(/dbPoolMax 35/);
  expect(text).toContain('slowQueries');
});

test('an edit that is taken back leaves the first text, not the second', () => {
  const text = page([
    ...read(BEFORE),
    ...ran('Edit', { file_path: path, old_string: BEFORE, new_string: AFTER }),
    ...ran('Edit', { file_path: path, old_string: AFTER, new_string: BEFORE }),
  ]);
  expect(text).toContain(BEFORE);
  expect(text).not.toContain(AFTER);
});

test('an old signature does not stand beside the new one', () => {
  const text = page([
    ...ran(
      'Read',
      { file_path: '/srv/a/e.go' },
      'type Engine struct {\n\tclock Clock\n}\n\nfunc NewEngine(clock Clock) *Engine {\n\treturn &Engine{clock: clock}\n}\n',
    ),
    ...ran('Edit', {
      file_path: '/srv/a/e.go',
      old_string: 'func NewEngine(clock Clock) *Engine {\n\treturn &Engine{clock: clock}',
      new_string: 'func NewEngine(repo Repo, clock Clock) *Engine {\n\treturn &Engine{repo: repo, clock: clock}',
    }),
  ]);
  expect(text).not.toContain('NewEngine(clock');
  expect(text).not.toContain('&Engine{clock');
  expect(text).toContain('func NewEngine(repo Repo, clock Clock) *Engine');
  expect(text).toContain('type Engine struct');
});

test.each([`git checkout -- ${path}`, `git restore ${path}`])('what %s takes back does not stand', (command) => {
  const text = page([
    ...read(`${BEFORE}\nand it logs slowQueries of each day`),
    ...ran('Edit', { file_path: path, old_string: BEFORE, new_string: AFTER }),
    ...ran('Bash', { command }, ''),
  ]);
  expect(text).not.toContain(AFTER);
  expect(text).toContain('slowQueries');
});

test('a file that holds a diff is written whole', () => {
  const content = `@@ -1 +1 @@\n-one oldLine of it\n+one newLine of it\n${AFTER}`;
  const text = page([...read(BEFORE), ...ran('Write', { file_path: path, content })]);
  expect(text).not.toContain(BEFORE);
  expect(text).toContain(AFTER);
});

test('a failed edit replaces nothing', () => {
  const edit = ran('Edit', { file_path: path, old_string: BEFORE, new_string: AFTER }, 'Error: old_string not found');
  const text = page([...read(BEFORE), ...edit]);
  expect(text).toContain(BEFORE);
  expect(text).not.toContain(AFTER);
});

test('what an earlier digest quotes of a file is replaced too', () => {
  const first = digest([user('Tune the pool.'), ...read(BEFORE)], { maxTokens: 500 });
  expect(first.text).toContain(BEFORE);
  const edit = ran('Edit', { file_path: path, old_string: BEFORE, new_string: AFTER });
  const { text } = digest(edit, { maxTokens: 500, prior: first.text, ledger: first.ledger, first: 3 });
  expect(text).not.toContain(BEFORE);
  expect(text).toContain(AFTER);
});

const CALL = 'openPool(\n  dbPoolMax: 20,\n  dbPoolOwner: nightShift,\n)';
const SHOWN = 'openPool(dbPoolMax: 20, dbPoolOwner: nightShift';

test('what a bracket or a comma leaves open goes on in its line', () => {
  expect(page(read(CALL))).toContain(`\n  ${SHOWN}\n`);
});

test.each([
  ['one of its lines', '  dbPoolMax: 20,', '  dbPoolMax: 35,'],
  ['all of its lines', CALL, CALL.replace('20', '35')],
  ['a part of it', 'dbPoolMax: 20', 'dbPoolMax: 35'],
  ['one of its lines and more', '  dbPoolMax: 20,\n  dbPoolOwner: nightShift,\n)\nclose()', '  dbPoolMax: 35,\n)'],
  ['its last lines', 'n: 1,\ndbPoolOwner: nightShift,\n)', 'n: 1,\ndbPoolOwner: dayShift,\n)'],
])('a line put together by an earlier digest is replaced with %s', (_name, old_string, new_string) => {
  const first = digest([user('Tune the pool.'), ...read(CALL)], { maxTokens: 500 });
  expect(first.text).toContain(SHOWN);
  const edit = ran('Edit', { file_path: path, old_string, new_string });
  const { text } = digest(edit, { maxTokens: 500, prior: first.text, ledger: first.ledger, first: 3 });
  expect(text).not.toContain(SHOWN);
});

test('a line put together by an earlier digest outlives a change beside it and a new look at the file', () => {
  const first = digest([user('Tune the pool.'), ...read(CALL)], { maxTokens: 500 });
  const more = `${CALL}\nand it logs slowQueries of each day`;
  const later = [
    ...ran('Edit', { file_path: path, old_string: 'closePool(late)', new_string: 'closePool(early, softly)' }),
    ...read(more),
  ];
  const { text } = digest(later, { maxTokens: 500, prior: first.text, ledger: first.ledger, first: 3 });
  expect(text).toContain(SHOWN);
});

test('a line that two parts of a file have in common is told once', () => {
  const text = page(
    read('func Start(pool Pool) {\n  pool.audit(startedAt)\n}\nfunc Start(pool Pool) {\n  pool.close(endedAt)\n}'),
  );
  expect(text.split('func Start(pool Pool)')).toHaveLength(2);
});

test('a file read again stands as it was read last', () => {
  const lines = 'and it logs slowQueries of each day\nand it names its poolOwner at night';
  const text = page([
    ...read(`${BEFORE}\n${lines}`),
    ...ran('Bash', { command: 'sed -i s/20/35/ /srv/a/pool.yaml' }),
    ...read(`${AFTER}\n${lines}`),
  ]);
  expect(text).not.toContain(BEFORE);
  expect(text).toContain(AFTER);
});

test('a note that a file has not changed takes nothing of it away', () => {
  const text = page([...read(BEFORE), ...read('File unchanged since last read.')]);
  expect(text).toContain(BEFORE);
});

test('what a search showed of one file is replaced with it', () => {
  const text = page([
    ...ran('Bash', { command: `grep -n dbPoolMax ${path}` }, `3:${BEFORE}`),
    ...ran('Edit', { file_path: path, old_string: BEFORE, new_string: AFTER }),
  ]);
  expect(text).not.toContain(BEFORE);
  expect(text).toContain(AFTER);
});

test('lines that never stood on one line are not glued together', () => {
  const text = page(
    read('type Engine struct {\n  audit AuditSink\n}\nfunc LoadRuleSet(name string) {\n  x.draft(acc)'),
  );
  expect(text).toMatch(/^ {2}type Engine struct$/m);
  expect(text).toMatch(/^ {2}audit AuditSink$/m);
  expect(text).not.toMatch(/AuditSink func/);
});

test('ten thousand edits of one file are followed in good time', () => {
  const lines = Array.from({ length: 10_000 }, (_, at) => `the pool keeps entry_${at} open for long`);
  const edits = lines.flatMap((line) =>
    ran('Edit', { file_path: path, old_string: line, new_string: `${line} and more` }),
  );
  const started = process.cpuUsage();
  page([...read(lines.join('\n')), ...edits]);
  const { user: own, system } = process.cpuUsage(started);
  expect((own + system) / 1000).toBeLessThan(8000);
});
