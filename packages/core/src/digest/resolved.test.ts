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
  ['npx vitest run src/a.test.ts', 'npx vitest run src/a.test.ts src/b.test.ts'],
  ['npx vitest run src/a.test.ts', 'npx vitest src/ --reporter=verbose'],
  ['pnpm test -- --grep "Parser|Lexer"', 'pnpm test -- --grep "Lexer|Parser|Router"'],
  ['pnpm test --grep="Parser"', 'pnpm test'],
  ['pytest tests/ -k "net or disk"', 'pytest tests/ -k "disk or net or clock" -q'],
  ['go test ./net -run "TestA|TestB"', 'go test ./net -run "TestA|TestB|TestC"'],
  ['jest parser --coverage', 'jest parser router'],
  ['cp /opt/lib/dark.json themes/custom.json', 'cp dist/dark.json themes/custom.json'],
  ['cd packages/a && npm test', 'cd /srv/app/packages/a && npm test'],
  ['npm test', 'cd /srv/app && npm test'],
  ['git push', 'git push -u origin topic'],
  ['git push origin main', 'git push --force-with-lease origin HEAD:main'],
  ['git push origin main', 'git push --all'],
  ['git pull', 'git pull --rebase'],
  ['git fetch origin main', 'git fetch'],
  ['git merge main', 'git merge --no-ff main'],
  ['git merge main', 'git merge --continue'],
  ['git rebase main', 'git add -A && GIT_EDITOR=true git rebase --continue'],
  ['git add src/a.txt', 'git add -f src/a.txt'],
  ['git add src/a.txt', 'git add src'],
  ['git add src/a.txt', 'git add -A'],
  ['git stash pop', 'git stash apply'],
  ['git cherry-pick abc1234', 'git cherry-pick -x abc1234'],
  ['cargo build --release', 'cargo build --release --verbose'],
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
  ['pytest tests/a.py tests/b.py', 'pytest tests/a.py'],
  ['npx vitest run src/a.test.ts', 'npx vitest run src/b.test.ts'],
  ['pnpm test -- --grep "Parser|Lexer"', 'pnpm test -- --grep "Parser"'],
  ['pnpm test', 'pnpm test -- --grep "Parser"'],
  ['pytest -k "net"', 'pytest -k "not net or clock"'],
  ['pytest -k "net"', 'pytest -k "net and clock"'],
  ['npm test', 'npx vitest run'],
  ['npm test', 'npm run test:unit'],
  ['cd packages/a && npm test', 'cd packages/b && npm test'],
  ['npm test', 'cd packages/a && npm test'],
  ['git push', 'git push --dry-run'],
  ['git push', 'git push --tags'],
  ['git push', 'git push backup main'],
  ['git push origin main', 'git push origin feature'],
  ['git push origin main', 'git push backup main'],
  ['git push origin main', 'git push'],
  ['git push origin main', 'git push origin --delete main'],
  ['git merge main', 'git merge --abort'],
  ['git merge main', 'git merge topic'],
  ['git rebase main', 'git rebase --abort'],
  ['git stash pop', 'git stash drop'],
  ['git stash pop', 'git stash'],
  ['git cherry-pick abc1234', 'git cherry-pick def5678'],
  ['git add a.txt', 'git add b.txt'],
  ['git add -A', 'git add b.txt'],
  ['git commit -m x', 'git commit --dry-run -m x'],
  ['git commit -m x', 'git commit --allow-empty -m y'],
  ['git apply a.diff', 'git apply --check a.diff'],
  ['cargo build --release', 'cargo build'],
  ['cargo clippy -- -D warnings', 'cargo clippy'],
  ['npx eslint src --max-warnings 0', 'npx eslint src'],
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

test('another wish for the same thing settled one that failed', () => {
  const told = 'Error: gift card balance is not enough';
  const asked = (cabin: string, payment: string, result: string): Ran => [
    'update_flights',
    { id: 'OB12', cabin, flights: [{ number: 'F1' }], payment },
    result,
  ];
  const [economy, business] = [asked('economy', 'gift_card_7480', told), asked('business', 'gift_card_6276', told)];
  const last = asked('business', 'credit_card_9876', 'status: changed');
  expect(unresolved(session(economy, business, last))).toMatch(/OB12, economy(?!.*business)/);
  const { text } = digest(session(economy, business, last), { maxTokens: 900, count: estimateTokens });
  expect(text).toContain('later ok: update_flights OB12, …, credit_card_9876)');
  const issue: Ran = ['update_issue', { id: 'ENT-2', description: 'Too slow.' }, 'Error: this was rejected'];
  const closed: Ran = ['update_issue', { id: 'ENT-2', state: 'Cancelled' }, 'status: changed'];
  expect(unresolved(session(issue, closed))).toContain('update_issue ENT-2, Too slow.');
  const { text: prior } = digest(session(issue), { maxTokens: 900, count: estimateTokens });
  expect(unresolved(session(closed), prior)).toContain('update_issue ENT-2, Too slow.');
});

test('a question without an answer leaves nothing unresolved', () => {
  expect(unresolved(session(['get_order_details', { id: 'W9' }, 'Error: order not found']))).toBe('');
});

const counted = (passed: number, failed: number): string =>
  ` Test Files  ${failed > 0 ? '1 failed | ' : ''}3 passed (4)\n      Tests  ${failed > 0 ? `${failed} failed | ` : ''}${passed} passed (${passed + failed})`;

test.each([
  ['npm test', 'npx vitest run', 24],
  ['npm test', 'npm run test:unit', 25],
])('tests that failed by %s are settled where %s counts as many and all passed', (failed, later, tests) => {
  const [red, green] = [shell(failed, 1, counted(23, 1)), shell(later, 0, counted(tests, 0))];
  expect(unresolved(session(red))).toContain('Unresolved: $ ');
  expect(unresolved(session(red, green))).toBe('');
});

test.each([
  ['npm test', 'npx vitest run', 20],
  ['npm test', 'npx vitest run', 60],
  ['npm test', 'npx vitest run src/net', 24],
  ['npm run test:e2e', 'npm test', 24],
  ['npm test', 'npm run lint', 24],
])('tests that failed by %s are not settled by %s of %i tests', (failed, later, tests) => {
  expect(unresolved(session(shell(failed, 1, counted(23, 1)), shell(later, 0, counted(tests, 0))))).toContain(
    'Unresolved: $ ',
  );
});

test.each([
  ['mocha --version', 254, 'Command "mocha" not found'],
  ['git cat-file -t e53647b', 128, 'fatal: git cat-file: could not get object info'],
  ['python3 -c "import yaml"', 1, "ModuleNotFoundError: No module named 'yaml'"],
  ['npm ls left-pad', 1, '└── (empty)'],
  ['docker inspect app-db', 1, 'Error: No such object: app-db'],
  ['ls src/old && grep -rn parse src/old', 2, 'ls: src/old: No such file or directory'],
])('a look at what is there leaves nothing unresolved: %s', (command, code, text) => {
  expect(unresolved(session(shell(command, code, text)))).toBe('');
});

test('what was tried in one package is settled there, in a later round as well', () => {
  const red = shell('cd packages/a && npm test', 1);
  const { text } = digest(session(red), { maxTokens: 900, count: estimateTokens });
  expect(unresolved(session(shell('cd packages/a && npm test', 0)), text)).toBe('');
  expect(unresolved(session(red, shell('cd packages/b && npm test', 0), shell('cd packages/a && npm test', 0)))).toBe(
    '',
  );
});

test('two packages were one where a command ran in each by its name alone', () => {
  const calls = [
    shell('cd packages/a && npm test', 1, '1 failed, 3 passed'),
    shell('cd packages/b && npm test', 0, '5 passed'),
  ];
  const { text } = digest(session(...calls), { maxTokens: 900, count: estimateTokens });
  expect(text).toContain('- $ cd packages/a && npm test (exit 1, unresolved)');
  expect(text).toContain('Last check: $ cd packages/b && npm test: 5 passed');
  expect(text).toContain('Unresolved: $ cd packages/a && npm test (exit 1)');
  const whole = [shell('cd /srv/app/a && npm test', 1), shell('cd /srv/app/b && npm test', 0)];
  expect(unresolved(session(...whole))).toMatch(/\$ cd \S+a && npm test/);
});

test('another package settled one that failed in an earlier round', () => {
  const { text } = digest(session(shell('cd packages/a && npm test', 1)), { maxTokens: 900, count: estimateTokens });
  expect(unresolved(session(shell('cd packages/b && npm test', 0)), text)).toContain('cd packages/a && npm test');
  expect(unresolved(session(shell('cd packages/a && npm test -- --silent', 0)), text)).toBe('');
});
