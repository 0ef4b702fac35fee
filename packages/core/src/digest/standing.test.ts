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
