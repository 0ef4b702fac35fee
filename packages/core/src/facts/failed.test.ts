import { expect, test } from 'vitest';
import { endOf, failureOf } from './outcome.ts';

test.each([
  'bash: /opt/x/bin/ponyc: No such file or directory',
  '/bin/sh: 1: foo: not found',
  'zsh: command not found: foo',
  './run.sh: line 3: 812 Segmentation fault (core dumped)',
  'Segmentation fault (core dumped)',
  'Killed',
  'Linking…\nKilled',
  'ssh: connect to host github.com port 22: Operation timed out\r\nfatal: Could not read from remote repository.\n\nPlease make sure you have the correct access rights\nand the repository exists.\n',
  '[main 345f574] Audit\n 2 files changed\nfatal: Authentication failed for https://example.org/x\nhint: see help',
  'curl: (7) Failed to connect to localhost port 8080: Connection refused',
  'psql: error: connection to server failed: FATAL: password authentication failed for user "x"',
  'docker: Error response from daemon: pull access denied',
  'timeout: the command took longer than 120s and was killed',
  'Command timed out after 120000ms',
  'panicked at src/main.rs:3:5',
  "thread 'main' panicked at src/main.rs:3:5:\nindex out of bounds\nnote: run with `RUST_BACKTRACE=1`",
  'loading\nTraceback (most recent call last):\n  File "a.py", line 3\nKeyError: \'x\'',
  "/srv/a.js:3\n  throw new Error('x')\n    at a.js:3:9\n\nNode.js v20.20.2",
  'npm error workspace a@1.0.0\nnpm error command failed',
  'rm: cannot remove a: Permission denied',
  'Permission to use Bash has been denied.',
  '{"error":"not found","status":404}',
  'HTTP/1.1 302 Found\nlocation: /b\n\nHTTP/1.1 500 Internal Server Error',
])('what evidently failed is not told as a success: %j', (text) => {
  expect(failureOf({ text }, 'command')).toBe('failed');
  expect(endOf({ text }).status).toBe('failed');
});

test.each([
  ['Pushing…\nError: push failed: no auth\nhint: sign in first\n        : exit status 1\n', 'exit 1'],
  ['Pushing…\nError: push failed: no auth\nHint: sign in first\nTip: or ask\n', 'failed'],
  [
    `Loading…\nError: unknown flag: --fast\nUsage:\n  tool push [flags]\n\nFlags:\n${'  -x  what x is\n'.repeat(60)}`,
    'failed',
  ],
  ["working\nerror: unexpected argument '-q'\n\n  tip: to pass it, use '-- -q'\n\nUsage: tool <A>\n", 'failed'],
])('hints, how it is used and an exit status of its own line hide no error: %j', (text, failure) => {
  expect(failureOf({ text }, 'command')).toBe(failure);
});

test.each([
  'Usage: tool push [flags]\n\nFlags:\n  -x  what x is\n',
  'pushed 3 branches\nhint: set an upstream\n',
  'The worker ends with: exit status 1 where nothing is left\nall good',
])('advice and an explanation alone are no error: %j', (text) => {
  expect(failureOf({ text }, 'command')).toBe('');
});

test.each([
  '{"error":"REFUND_LIMIT","message":"needs approval"}',
  '{"success":false,"message":"declined"}',
  '{"ok":false}',
  '{"status":"failed","reason":"no funds"}',
  '{"errors":[{"message":"no such field"}]}',
  'HTTP/1.1 500 Internal Server Error',
  'Permission to use create_refund has been denied.',
])('an answer of no from a tool that does something is a failure: %j', (text) => {
  expect(failureOf({ text }, 'tool')).toBe('failed');
  expect(failureOf({ text }, 'viewer')).toBe('');
});

test.each([
  ['3 passed, 0 failed\nerror: retried once', 'command'],
  ['{"error":null,"errors":[],"id":7}', 'command'],
  ['{"error":"deprecated","data":{"id":7}}', 'tool'],
  ['{"status":200,"error":""}', 'tool'],
  ['{"error":"not found"', 'tool'],
  ['Output: done\nError: (none)', 'command'],
  ['bash: /opt/x: No such file or directory', 'reader'],
  ['12:00:01 FATAL pool exhausted\n12:00:02 started', 'command'],
  ['killed 3 workers\ncommand not found is what it printed\nall good', 'command'],
  ['HTTP/1.1 200 OK', 'tool'],
  ['# Troubleshooting\n`bash: foo: command not found` means it is not installed.', 'viewer'],
] as const)('what only mentions an error is no failure: %j (%s)', (text, caller) => {
  expect(failureOf({ text }, caller)).toBe('');
});

test.each(['\n', 'error: ', 'a: ', 'sh: ', 'Traceback (most recent call last):\n', '{"a":', 'HTTP/1.1 200\n'])(
  'a megabyte of %j is judged in good time',
  (piece) => {
    const start = performance.now();
    failureOf({ text: piece.repeat(1_000_000 / piece.length) }, 'command');
    expect(performance.now() - start).toBeLessThan(1000);
  },
);
