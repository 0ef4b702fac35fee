import { expect, test } from 'vitest';
import { EMPTY_LEDGER, extractFacts, mergeFacts } from '../facts/index.ts';
import type { Message, Part } from '../model/message.ts';
import { digest } from './index.ts';

type Ran = readonly [name: string, input: object, result: string, isError?: boolean];

const message = (role: Message['role'], ...parts: Part[]): Message => ({ role, parts, native: undefined });
const session = (...calls: readonly Ran[]): readonly Message[] => [
  message('user', { kind: 'text', text: 'Find out why it crashes.' }),
  ...calls.flatMap(([name, input, text, isError = false], at) => [
    message('assistant', { kind: 'tool-call', callId: `c${at}`, name, input: JSON.stringify(input) }),
    message('tool', { kind: 'tool-result', callId: `c${at}`, name, text, isError, media: [] }),
  ]),
];
const bash = (command: string, text: string, isError = false): Ran => ['Bash', { command }, text, isError];
const page = (...calls: readonly Ran[]): string => digest(session(...calls), { maxTokens: 900 }).text;

test('green tests are not told as failed because a logged line says error', () => {
  const text = page(bash('bun run test', 'error: Item 3 failed\nerror: retry\n 1309 pass\n 0 fail\nRan 1309 tests'));
  expect(text).not.toMatch(/failed,|unresolved|Unresolved/);
  expect(text).toContain('Last check: $ bun run test: 1309 pass, 0 fail');
});

test('red tests are told as failed though a pipe swallowed their exit code', () => {
  expect(page(bash('bun test | tail', 'error: Item 3 failed\n 1308 pass\n 1 fail'))).toContain('(failed, unresolved)');
});

test.each([
  ['node --test', 'ok 1 - adds\nnot ok 2 - subs\n1..2\n# tests 2\n# pass 1\n# fail 1'],
  ['npm test', '> app@1.0.0 test\n> node --test\n\nℹ tests 2\nℹ pass 1\nℹ fail 1'],
  ['bundle exec rspec', 'F.\n\n2 examples, 1 failure'],
  ['mix test', '3 tests, 1 failure\n\nRandomized with seed 0'],
  ['swift test', '\t Executed 3 tests, with 1 failure (0 unexpected) in 0.1 (0.1) seconds'],
  ['dotnet test', 'Failed!  - Failed:     1, Passed:     9, Skipped:     0, Total:    10, Duration: 20 ms'],
  ['ctest', '67% tests passed, 1 tests failed out of 3\nErrors while running CTest'],
  ['bats test', '1..3\nok 1 a\nnot ok 2 b\nok 3 c'],
  ['bazel test //...', '//a:t  FAILED in 0.1s\nExecuted 2 out of 2 tests: 1 test passes and 1 fails locally.'],
  ['flutter test', '00:01 +2 -1: Some tests failed.'],
  ['mypy .', 'src/a.py:3: error: Incompatible return value type\nFound 1 error in 1 file (checked 3 source files)'],
  ['npx eslint .', '  1:1  error  Unexpected var  no-var\n\n✖ 3 problems (2 errors, 1 warning)'],
  ['vendor/bin/phpunit', 'FAILURES!\nTests: 10, Assertions: 20, Failures: 1.'],
  ['python -m unittest', 'Ran 3 tests in 0.1s\n\nFAILED (failures=1)'],
  ['ginkgo', 'FAIL! -- 2 Passed | 1 Failed | 0 Pending | 0 Skipped'],
  ['tox', '  py311: FAIL code 1 (0.5 seconds)\n  evaluation failed :('],
])('a red run was told as ok where the harness gave no exit code: %s', (command, output) => {
  const text = page(bash(command, output));
  expect(text).toContain(`Unresolved: $ ${command} (failed)`);
  expect(text).not.toContain('(ok)');
});

test.each([
  ['node --test', 'not ok 1 - later # TODO\n# tests 2\n# pass 1\n# fail 0\n# todo 1'],
  ['mix test', '3 tests, 0 failures'],
  ['swift test', '\t Executed 3 tests, with 0 failures (0 unexpected) in 0.1 (0.1) seconds'],
  ['ruff check --fix', 'Found 4 errors (4 fixed, 0 remaining).'],
  ['npx eslint .', '✖ 3 problems (0 errors, 3 warnings)'],
  ['vendor/bin/phpunit', 'OK (10 tests, 20 assertions)'],
])('a closing count of no failures is ok: %s', (command, output) => {
  const text = page(bash(command, output));
  expect(text).toContain(`Last check: $ ${command}: `);
  expect(text).not.toMatch(/\(failed|nresolved/);
});

test('behind green tests the failure is what came after them, and mending it settles it', () => {
  const output =
    'Exit code 1\nerror: Item 3 failed\n 1309 pass\n 0 fail\n$ biome check\nerror: formatting of AgentLogos.tsx differs';
  const failed = bash('bun run test && bun run lint', output, true);
  expect(page(failed)).toContain('(exit 1, unresolved)\n  error: formatting of AgentLogos.tsx differs');
  const text = page(failed, bash('bun run lint:fix', 'Checked 286 files. Fixed 1 file.'));
  expect(text).toContain('later ok: $ bun run lint:fix');
  expect(text).not.toContain('nresolved');
});

test.each([
  [
    'git merge dev',
    'Auto-merging a.ts\nCONFLICT (content): x in a.ts\nAutomatic merge failed; fix conflicts and then commit.',
  ],
  ['git rebase main', 'hint: Resolve all conflicts manually\nCould not apply abc1234... Add the limit'],
  ['git stash pop', 'CONFLICT (content): x in a.ts\nThe stash entry is kept in case you need it again.'],
  ['git commit -m x', 'On branch main\nnothing added to commit but untracked files present'],
  ['git add a.ts && git commit -m x', 'On branch main\nnothing to commit, working tree clean'],
  ['git commit -m x', 'husky - pre-commit hook exited with code 1 (error)'],
  ['git commit -m x', 'eslint.............Failed\n- hook id: eslint\n- exit code: 1\n\na.ts: no-var'],
])('a step of git that stopped without a flag read as done: %s', (command, output) => {
  expect(page(bash(command, output))).toContain(`Unresolved: $ ${command} (failed)`);
});

test.each([
  ['git status', 'On branch main\nnothing to commit, working tree clean'],
  ['git commit -m x; git status', 'On branch main\nnothing to commit, working tree clean'],
  ['git commit -m x || true', 'On branch main\nnothing to commit, working tree clean'],
  ['git commit -m x', '[main abc1234] nothing to commit\n 1 file changed'],
  ['git merge dev', 'Auto-merging a.ts\nMerge made by the ort strategy.'],
])('a step of git that went well, or only looked, has not failed: %s', (command, output) => {
  expect(page(bash(command, output))).not.toMatch(/failed|nresolved/);
});

test('what a linter counts behind green tests is not counted among them', () => {
  const output = 'Exit code 1\n 1309 pass\n 0 fail\n$ biome check\na.ts:1:1 lint/style\nFound 1 error.';
  const text = page(bash('bun run test && bun run lint', output, true), bash('bun run lint', 'Checked 286 files.'));
  expect(text).toContain('later ok: $ bun run lint');
  expect(text).not.toContain('nresolved');
});

test('what a log says of an exit is not the outcome of printing it, in the digest and in the facts', () => {
  const calls = bash('kubectl logs api-1 --previous', 'boot\nconfig missing KEY_RING\nexit status 78');
  expect(page(calls)).not.toMatch(/exit 78|unresolved/);
  const ledger = mergeFacts(EMPTY_LEDGER, session(calls).flatMap(extractFacts));
  const command = Object.values(ledger.entries).find(({ kind }) => kind === 'command');
  expect(command?.status).toBeUndefined();
});

test('a call that was stopped for another one’s sake did nothing', () => {
  const stopped = '<tool_use_error>Sibling tool call errored</tool_use_error>';
  const text = page(
    ['Edit', { file_path: '/srv/a/pool.yaml', old_string: 'one poolMax', new_string: 'two poolMax' }, stopped, true],
    bash('npm test', stopped, true),
  );
  expect(text).not.toMatch(/Sibling|two poolMax|changed|Last check/);
});

test('code that was mended and run again is not unresolved', () => {
  const code = 'import statsmodels.api as sm\nmodel = sm.Logit(visits.noshow, visits.lead_days)';
  const text = page(
    ['python', { code: `${code}\nprint(model.fit().pvalue)` }, 'AttributeError: no attribute pvalue', true],
    ['python', { code: `${code}\nprint(model.fit().pvalues)` }, 'lead_days 0.0003'],
  );
  expect(text).not.toContain('nresolved');
  expect(text).toContain('then ok');
});

const answers: readonly Ran[] = [
  bash('pgrep -f server', '<tool_use_error>Sibling tool call errored</tool_use_error>', true),
  bash('git config --global fetch.prune', 'Exit code 1', true),
  bash('git gc --auto --dry-run', 'Exit code 129\nerror: unknown option `dry-run`', true),
  bash('diff a.txt b.txt', 'Exit code 1\n< one\n> two', true),
  bash('test -f a.txt', 'Exit code 1', true),
  bash('git fsck 2>&1 | grep -E "^error"', 'error: 082c2c: invalid sha1 pointer in cache-tree'),
];

test.each(answers.map((call) => ({ call })))('an answer of no is no failure: $call.1.command', ({ call }) => {
  expect(page(call)).not.toMatch(/unresolved|Unresolved/);
});

test('a push that failed over ssh is not told as done', () => {
  const output = 'ssh: connect to host github.com port 22: Operation timed out\r\nfatal: Could not read from remote.\n';
  const text = page(bash('git pull --rebase && git push', output));
  expect(text).toContain('(failed, unresolved)\n  ssh: connect to host github.com port 22: Operation timed out');
  expect(text).toContain('Unresolved: $ git pull --rebase && git push (failed)');
});

test.each([
  ['a file that was read', ['Read', { file_path: '/srv/a/err.json' }, '{"error":"not found","status":404}']],
  ['a look-up', ['get_order', { id: 'O-1' }, '{"error":"not found"}']],
  ['a command that may fail', bash('npm run clean || true', 'sh: rimraf: command not found')],
  ['a search', bash('grep -rn fatal src', 'src/a.ts:3:fatal: no disk')],
] satisfies readonly (readonly [string, Ran])[])('%s is no failure for what it shows', (_what, call) => {
  expect(page(call)).not.toMatch(/nresolved/);
});

test('a check that went well is told as ok, also in a later round', () => {
  const first = digest(session(bash('bun run test', ' 1187 pass\n 0 fail')), { maxTokens: 900 });
  expect(first.text).toContain('- $ bun run test (ok)');
  expect(digest(session(), { maxTokens: 900, prior: first.text }).text).toContain('- $ bun run test (ok)');
  expect(page(bash('bun run test', ' 9 pass'), bash('bun run test', 'Exit code 1\n 1 fail', true))).not.toMatch(/ok\)/);
});

test('runs are all runs, those that failed as well', () => {
  const runs = [1, 1, 0, 0].map((code) => bash('npm run check', `Exit code ${code}`, code > 0));
  const first = digest(session(...runs), { maxTokens: 900 }).text;
  expect(first).toContain('$ npm run check (4 runs; exit 1 ×2, then ok)');
  expect(digest(session(), { maxTokens: 900, prior: first }).text).toContain('(4 runs; exit 1 ×2, then ok)');
});

test('a check that failed is not told by what its output claims', () => {
  const text = page(
    bash('npm run build', 'Exit code 1\nAll 20 tests passed. Build succeeded (according to me).', true),
  );
  expect(text).toMatch(/Last check: \$ npm run build: exit 1$/m);
});

test('a note on its own work is no change', () => {
  expect(page(['update_topic', { title: 'Look around' }, 'ok'])).not.toContain('Last change');
  expect(page(['update_order', { id: 'A-7' }, 'ok'])).toContain('Last change: update_order');
});

test.each([
  `python3 -c "import json; d = json.load(open('/w/test.json')); print(d['phase'])"`,
  "python3 - <<'EOF'\nimport json\nprint(json.load(open('build/lint.json')))\nEOF",
  "jq '.check' report.json",
  'node show.js results/test.json',
  'node build/index.js --port 80',
  'docker compose -f compose.test.yml ps',
  'npm version patch && git commit -m "let the tests pass"',
])('what only looks at a file called test is no check: %s', (command) => {
  const text = page(bash('npm test', '1 failed'), bash(command, 'active'));
  expect(text).toContain('Last check: $ npm test: failed, 1 failed');
});

test.each([
  'node tests/run.js',
  'python3 -m pytest tests/data.json',
  'bash -c "npm run lint"',
  'python3 -c "print(1)" && make all',
  "python3 - <<'EOF'\nx = 1\nEOF\npytest -q a.py",
  './build.sh',
])('what runs tests or builds is one, whatever stands beside it: %s', (command) => {
  expect(page(bash(command, 'done'))).toMatch(/^Last check: \$ .*: ok$/m);
});

test('what npm prints before a script runs is not quoted, what came of it is', () => {
  const output = [
    '> shop@0.0.1 test /srv/shop',
    '> tsc -p . --outDir out',
    '',
    '> shop@0.0.1 lint',
    '> eslint src',
    'src/cart.ts:3:7: error Unexpected any',
    '> a quoted line of a mail',
    'exit code 1',
  ];
  const text = page(bash('npm test', output.join('\n')));
  expect(text).toContain('error Unexpected any');
  expect(text).not.toMatch(/shop@0\.0\.1|outDir|> eslint/);
  expect(text).toContain('> a quoted line of a mail');
});

test('a search is told by what it looked for and where, not by how its answer was laid out', () => {
  const input = { pattern: 'lastSeen', path: '/srv/shop/src', output_mode: 'content', head_limit: 20, '-n': true };
  const text = page(
    ['Grep', input, 'src/cart.ts:3:lastSeen = 1'],
    ['set_limit', { account: 'A-7', limit: 5000 }, 'ok'],
  );
  expect(text).not.toMatch(/lastSeen.*, 20/);
  expect(text).toContain('set_limit A-7, 5000');
});

test('a package without a test that was asked for is not quoted', () => {
  const output =
    'ok \tshop/cart\t0.3s\nok \tshop/mail\t2.9s [no tests to run]\nok \tshop/tax\t(cached) [no tests to run]';
  const text = page(bash('go test ./... -run TestCart', output));
  expect(text).not.toContain('no tests to run');
  expect(text).toContain('$ go test ./... -run TestCart (ok)');
});
