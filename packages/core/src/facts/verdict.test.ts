import { expect, test } from 'vitest';
import { endOf, failureOf, isReader } from './outcome.ts';
import { verdictOf } from './verdict.ts';

test.each([
  ['error: Item 3 failed\n 1309 pass\n 0 fail\n 4021 expect() calls', 'green'],
  [' 3 pass\n 2 fail', 'red'],
  ['# tests 2\n# pass 2\n# fail 0', 'green'],
  ['# pass 1\n# fail 1', 'red'],
  ['ℹ pass 2\nℹ fail 0', 'green'],
  ['Tests:       1 failed, 3 passed, 4 total', 'red'],
  ['Tests:       4 passed, 4 total', 'green'],
  [' Test Files  1 passed (1)\n      Tests  4 passed (4)', 'green'],
  [' Tests  1 failed | 3 passed (4)', 'red'],
  ['===== 3 passed, 1 warning in 0.12s =====', 'green'],
  ['=== 1 failed, 2 passed in 1s ===', 'red'],
  ['test result: ok. 5 passed; 0 failed; 0 ignored', 'green'],
  ['test result: FAILED. 4 passed; 1 failed;', 'red'],
  ['5 examples, 0 failures', 'green'],
  ['5 examples, 2 failures', 'red'],
  ['  3 passing (10ms)\n  1 failing', 'red'],
  ['Tests run: 5, Failures: 0, Errors: 0, Skipped: 0', 'green'],
  ['Tests run: 5, Failures: 1, Errors: 0', 'red'],
  ['Passed!  - Failed:     0, Passed:     3, Skipped: 0', 'green'],
  ['Failed!  - Failed:     1, Passed:     3', 'red'],
  ['not ok 1 - adds\nok 2 - subs\n1..2', 'red'],
  ['ok 1 - adds\nnot ok 2 - subs # TODO not yet', ''],
  ['not ok 1 - adds # TODO\n# pass 1\n# fail 0', 'green'],
  ['1 doctest, 3 tests, 1 failure', 'red'],
  ['1 doctest, 3 tests, 0 failures', 'green'],
  ['3 runs, 3 assertions, 0 failures, 1 errors, 0 skips', 'red'],
  ['12 specs, 0 failures', 'green'],
  ['10 tests completed, 1 failed', 'red'],
  ['\t Executed 3 tests, with 1 failure (0 unexpected) in 0.1 (0.1) seconds', 'red'],
  ['\t Executed 3 tests, with 0 failures (0 unexpected) in 0.1 (0.1) seconds', 'green'],
  ['67% tests passed, 1 tests failed out of 3', 'red'],
  ['100% tests passed, 0 tests failed out of 3', 'green'],
  ['Executed 2 out of 2 tests: 1 test passes and 1 fails locally.', 'red'],
  ['Executed 2 out of 2 tests: 2 tests pass.', 'green'],
  ['00:01 +2 -1: Some tests failed.', 'red'],
  ['00:01 +3: All tests passed!', ''],
  ['FAILURES!\nTests: 10, Assertions: 20, Failures: 1.', 'red'],
  ['Found 1 error in 1 file (checked 3 source files)', 'red'],
  ['Found 4 errors.', 'red'],
  ['Found 4 errors (4 fixed, 0 remaining).', ''],
  ['Found 4 errors (3 fixed, 1 remaining).', 'red'],
  ['✖ 3 problems (2 errors, 1 warning)', 'red'],
  ['✖ 3 problems (0 errors, 3 warnings)', ''],
  ['✖ 2 problems', 'red'],
  ['12 files inspected, no offenses detected', ''],
  ['  py311: FAIL code 1 (0.5 seconds)\n  evaluation failed :(', 'red'],
  ['12 passed in 1s\n  py311: OK\n  py312: FAIL code 1 (0.5 seconds)', 'red'],
  ['[INFO] BUILD FAILURE', 'red'],
  ['error: Item 3 failed', ''],
  ['retry 3 failed\nwe passed 3 things', ''],
  ['ok  pkg/a 0.1s', ''],
])('the closing count %j is %j', (text, verdict) => {
  expect(verdictOf(text)).toBe(verdict);
});

test.each([
  ['kubectl -n shop logs api-1 --previous', true],
  ['cd /srv && cat app.log | grep "a|b" | tail -3', true],
  ['journalctl -u api', true],
  ['cat in.txt | node run.js', false],
  ['npm test', false],
])('%j only prints what others wrote: %s', (command, expected) => {
  expect(isReader(command)).toBe(expected);
});

test('an exit status inside a log is not the end of the command that prints it', () => {
  const log = { text: 'boot\nconfig missing KEY_RING\nexit status 78' };
  expect(failureOf(log, 'reader')).toBe('');
  expect(failureOf(log, 'command')).toBe('exit 78');
  expect(endOf(log)).toEqual({ status: 'exit 78', isSaid: true });
  expect(failureOf({ text: 'Exit code 1\ntail: cannot open app.log' }, 'reader')).toBe('exit 1');
});

test('a call that a harness stopped for another one’s sake has not failed', () => {
  const text = '<tool_use_error>Sibling tool call errored</tool_use_error>';
  expect(failureOf({ text, isError: true }, 'command')).toBe('');
});
