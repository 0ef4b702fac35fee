import { expect, test } from 'vitest';
import { barOf } from './status.ts';

test.each([
  [0, 10, '[----------------]'],
  [5, 10, '[========--------]'],
  [10, 10, '[================]'],
  [12, 10, '[================]'],
  [0, 0, '[----------------]'],
])('%i of %i is %s', (done, all, bar) => {
  expect(barOf(done, all)).toBe(bar);
});
