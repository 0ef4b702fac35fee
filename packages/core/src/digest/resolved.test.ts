import { expect, test } from 'vitest';
import { estimateTokens } from '../count/heuristic.ts';
import type { Message, Part } from '../model/message.ts';
import { digest } from './digest.ts';

type Ran = readonly [name: string, input: object, result: string];

const message = (role: Message['role'], ...parts: Part[]): Message => ({ role, parts, native: undefined });
const session = (...calls: readonly Ran[]): readonly Message[] => [
  message('user', { kind: 'text', text: 'Fix the parser and order 12 more.' }),
  ...calls.flatMap(([name, input, text], at) => [
    message('assistant', { kind: 'tool-call', callId: `c${at}`, name, input: JSON.stringify(input) }),
    message('tool', { kind: 'tool-result', callId: `c${at}`, name, text, isError: false, media: [] }),
  ]),
];
const shell = (command: string, code: number, text = 'output of it'): Ran => [
  'Bash',
  { command },
  `${text}\nexit code ${code}`,
];
const unresolved = (messages: readonly Message[], prior = ''): string =>
  /^Unresolved: .*$/m.exec(digest(messages, { maxTokens: 900, count: estimateTokens, prior }).text)?.[0] ?? '';

test.each([
  ['npm test -- parser.test.ts', 'npm test'],
  ['npm run test', 'npm test'],
  ['npm test', 'CI=1 npm run test --silent'],
  ['go test ./cmd/app/... -v -count=1', 'go test ./...'],
  ['go test ./cmd/app/...', 'go test ./cmd/...'],
  ['pytest tests/net/test_a.py', 'python -m pytest tests/net/'],
  ['cargo test --package app --lib parser', 'cargo test --package app'],
  ['npx tsc --noEmit', 'npm run check'],
  ['npx eslint src', 'pnpm lint'],
  ['go build ./...', 'make test'],
  ['git -C /srv/app commit -m "one; two"', 'git commit -m "two"'],
  ['git merge topic', 'git add -A && git commit --no-edit'],
  ['npm test && npm run lint', 'npm run lint && npm test'],
])('%s that failed is settled by %s', (failed, later) => {
  expect(unresolved(session(shell(failed, 1)))).toContain('Unresolved: $ ');
  expect(unresolved(session(shell(failed, 1), shell(later, 0)))).toBe('');
  const { text } = digest(session(shell(failed, 1)), { maxTokens: 900, count: estimateTokens });
  expect(unresolved(session(shell(later, 0)), text), 'in a later round').toBe('');
});

test.each([
  ['npm test', 'npm test -- parser.test.ts'],
  ['npm test -- parser.test.ts', 'npm test -- router.test.ts'],
  ['npm run test:e2e', 'npm test'],
  ['npm run build', 'npm run lint'],
  ['npx tsc --noEmit', 'npm test'],
  ['go test ./cmd/app/...', 'go test ./cmd/other/...'],
  ['npm test && npm run lint', 'npm run lint'],
  ['npm test', 'npm test || true; echo done'],
  ['cp a.txt b.txt', 'cp c.txt d.txt'],
  ['git push', 'git commit -m x'],
])('%s that failed is not settled by %s', (failed, later) => {
  expect(unresolved(session(shell(failed, 1), shell(later, 0)))).toContain('Unresolved: $ ');
});

test('parts of a chain that pass one by one settle it', () => {
  const calls = [shell('npm test && npm run lint', 1), shell('npm run lint', 0), shell('npm test', 0)];
  expect(unresolved(session(...calls))).toBe('');
});

test('a command that does not exist is settled by one of its kind', () => {
  const calls = [
    shell('golangci-lint run ./...', 127, 'command not found'),
    shell('mise run lint:full', 1, 'no task lint:full found'),
  ];
  expect(unresolved(session(...calls))).toMatch(/lint:full.*golangci-lint/);
  expect(unresolved(session(...calls, shell('mise run lint', 0)))).toBe('');
});

test('what settled a failure is named, and read back', () => {
  const first = digest(session(shell('npx tsc --noEmit', 2), shell('npm run check', 0)), {
    maxTokens: 900,
    count: estimateTokens,
  });
  expect(first.text).toContain('$ npx tsc --noEmit (exit 2, later ok: $ npm run check)');
  const second = digest(session(shell('ls', 0)), { maxTokens: 900, count: estimateTokens, prior: first.text });
  expect(second.text).toContain('$ npx tsc --noEmit (exit 2, later ok: $ npm run check)');
});

test('an update that went well in the end settles the same one that did not', () => {
  const failed: Ran = ['update_order', { id: 'W1204', method: 'card_1' }, 'Error: payment method not found'];
  const other: Ran = ['update_order', { id: 'W1300', method: 'card_2' }, 'status: changed'];
  const same: Ran = ['update_order', { id: 'W1204', method: 'card_2' }, 'status: changed'];
  expect(unresolved(session(failed, other))).toContain('update_order W1204');
  expect(unresolved(session(failed, same))).toBe('');
});

test('a question without an answer leaves nothing unresolved', () => {
  expect(unresolved(session(['get_order_details', { id: 'W9' }, 'Error: order not found']))).toBe('');
});
