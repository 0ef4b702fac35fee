import { expect, test } from 'vitest';
import { failureOf } from './outcome.ts';

test.each([
  'ERROR:\nNo replacement was performed, old_str `foo` did not appear verbatim in /w/src/a.ts.',
  'No replacement was performed. Multiple occurrences of old_str `the file has been updated` in lines [3, 9]. Please ensure it is unique.',
  'File has been modified since read, either by the user or by a linter. Read it again before attempting to write it.',
  'The edit could not be applied: the old string was not found.',
  'The LLM did not conform to the edit format.\n# 1 SEARCH/REPLACE block failed to match!\n\n## SearchReplaceNoExactMatch: This SEARCH block failed to exactly match lines in a.ts\n<<<<<<< SEARCH\nThe file was updated.\n',
  "EACCES: permission denied, open '/w/src/a.ts'",
  'EROFS: read-only file system',
  "[Errno 13] Permission denied: '/w/a.ts'",
  'oldString not found in content',
  'Operation blocked by hook: edits to src/ are not allowed',
  'Edit denied by policy.',
  'No changes made: the old_str was not found in the file.',
  'No changes were made, since the text is the same.',
  'Tool timed out after 30000ms',
  'No edits were made.',
  'Nothing was written to the file.',
  'The search text does not match anything in src/updated.ts.',
  'File already exists at: /w/a.ts. Cannot overwrite files using command `create`.',
  'Exit code: 1\nWall time: 0.1 seconds\nOutput:\nInvalid Context 0:\nfoo',
  '{"output":"Failed to find expected lines","metadata":{"exit_code":1,"duration_seconds":0}}',
])('an edit that was refused in plain words is no change: %j', (text) => {
  expect(failureOf({ text }, 'editor')).toBe('failed');
});

test.each([
  '',
  'ok',
  'The file /w/src/a.ts has been updated.',
  'The file /w/src/a.ts has been edited. Here is a snippet:\n 1 throw new Error("could not find it")\n 2 // No replacement was performed',
  'Edited /w/src/a.ts. New lint errors: error TS2322: the type does not match',
  'Successfully replaced text in src/failed.ts. 2 occurrences of it were found.',
  'File created successfully at: /w/cannot/permission-denied.md',
  '@@ -1 +1 @@\n-throw new Error("No changes were made")\n+return null',
  'diff --git a/a.ts b/a.ts\n-No edits were made.',
  '     1\tNo replacement was performed\n     2\told_str not found',
  'Text replaced. Please review the changes.\n(Open file: /w/a.py)\n1:No edits were made.',
  'Modified 1 file: 2 occurrences of `x` replaced',
  '1 SEARCH/REPLACE block failed to match!\nThe other 2 SEARCH/REPLACE blocks were applied successfully.',
  'File updated (12 lines total)\n3:raise ValueError("pattern not found")',
  '{"success":true,"error":null}',
  '{"output":"Success. Updated the following files:\\nM a.ts","metadata":{"exit_code":0}}',
  'Exit code: 0\nOutput:\nSuccess. Updated the following files:\nM a.ts',
  'Replaced 3 occurrences of foo.',
  'Wrote 120 bytes to no-changes-made.txt',
])('a change is one whatever words its path or its text holds: %j', (text) => {
  expect(failureOf({ text }, 'editor')).toBe('');
});

test.each(['No edits were made.', 'oldString not found in content', 'Tool timed out after 30000ms'])(
  'a file that holds such words was read all the same: %j',
  (text) => expect(failureOf({ text }, 'viewer')).toBe(''),
);

test.each(['`', '"', "'", 'no ', 'match ', 'has been ', 'the ', 'a/', 'No edits\n'])(
  'a megabyte of %j as an answer to an edit is judged in good time',
  (piece) => {
    const start = performance.now();
    failureOf({ text: piece.repeat(1_000_000 / piece.length) }, 'editor');
    expect(performance.now() - start).toBeLessThan(1000);
  },
);
