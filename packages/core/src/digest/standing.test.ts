import { expect, test } from 'vitest';
import type { Message, Part } from '../model/message.ts';
import { digest } from './digest.ts';

type Ran = readonly [name: string, input: object, result: string];

const message = (role: Message['role'], ...parts: Part[]): Message => ({ role, parts, native: undefined });
const user = (text: string): Message => message('user', { kind: 'text', text });
const assistant = (text: string): Message => message('assistant', { kind: 'text', text });
const ran = (...calls: readonly Ran[]): readonly Message[] =>
  calls.flatMap(([name, input, text], at) => [
    message('assistant', { kind: 'tool-call', callId: `c${at}`, name, input: JSON.stringify(input) }),
    message('tool', { kind: 'tool-result', callId: `c${at}`, name, text, isError: false, media: [] }),
  ]);
const shell = (command: string, text: string): Ran => ['Bash', { command }, text];
const lineOf = (text: string, label: string): string => new RegExp(`^${label}: .*$`, 'm').exec(text)?.[0] ?? '';

const broken: readonly Message[] = [
  user('Move the queue of the uploader into a package of its own and keep the old entry as an alias.'),
  ...ran(
    shell('npm test -- upload queue retry', 'Exit code: 1\nError: expected 3 attempts but the server saw 4'),
    [
      'Edit',
      { file_path: '/code/app/packages/queue/src/queue.ts', old_string: 'a of it', new_string: 'b of it' },
      'The file /code/app/packages/queue/src/queue.ts has been updated.',
    ],
    shell('npm run lint -- --max-warnings 0 packages/queue', 'Exit code: 0\n0 problems'),
  ),
  assistant('Type-check and lint are clean.'),
];

test.each([150, 200, 300, 1000])('a test that still fails is told beside a clean lint in %i tokens', (maxTokens) => {
  const { text } = digest(broken, { maxTokens });
  expect(lineOf(text, 'Unresolved')).toContain('npm test -- upload');
});

test('failures that do not fit are left out whole, the oldest first', () => {
  const names = ['first', 'second', 'third'].map(
    (name) => `make ${name}; make ${name}-of-all-parts-of-the-application`,
  );
  const failed = names.map((name) => shell(name, 'exit code 2'));
  const { text } = digest([user('Build all of it.'), ...ran(...failed)], { maxTokens: 200 });
  expect(lineOf(text, 'Unresolved')).toMatch(
    /^Unresolved: \$ make third; make third-[\w-]+ \(exit 2\)(?:; .* \(exit 2\))?$/,
  );
  expect(lineOf(text, 'Unresolved')).not.toContain('first');
});

const saved = (path: string): Ran => [
  'Edit',
  { file_path: `/code/app/${path}`, old_string: 'a of it', new_string: 'b of it' },
  `The file /code/app/${path} has been updated.`,
];
const tests = shell('npm test', '10 passed');
const checkLine = (...all: readonly Ran[]): string =>
  lineOf(digest([user('Fix the parser.'), ...ran(...all)], { maxTokens: 600 }).text, 'Last check');

test.each<[string, readonly Ran[], string]>([
  ['after all changes', [saved('a.ts'), tests], ''],
  ['in front of one', [saved('a.ts'), tests, saved('a.ts'), saved('a.ts')], ' (1 file changed since)'],
  ['in front of several', [tests, saved('a.ts'), saved('b.ts')], ' (2 files changed since)'],
  ['in front of a read', [saved('a.ts'), tests, shell('cat /code/app/a.ts', 'b of it')], ''],
  ['that changes files itself', [shell('sed -i s/a/b/ /code/app/a.ts && npm test', '10 passed')], ''],
])('a check %s tells whether it still holds', (_when, all, since) => {
  expect(checkLine(...all)).toMatch(/^Last check: \$ .*npm test/);
  expect(checkLine(...all).endsWith(`: 10 passed${since}`)).toBe(true);
});

test('a check with changes behind it is read back from an earlier digest', () => {
  const first = digest([user('Fix the parser.'), ...ran(tests, saved('a.ts'))], { maxTokens: 600 }).text;
  const { text } = digest([user('Go on.')], { maxTokens: 600, prior: first });
  expect(lineOf(text, 'Last check')).toBe('Last check: $ npm test: 10 passed (1 file changed since)');
});
