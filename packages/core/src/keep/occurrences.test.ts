import fc from 'fast-check';
import { expect, test } from 'vitest';
import { occurringIn } from './occurrences.ts';

const piece = fc.constantFrom('a', 'b', '1', '45', '.', ',', '/', '-', '_', ' ', '"', 'é');
const written = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));
// More than a few values are looked for in one pass over the texts.
const OTHERS = Array.from({ length: 20 }, (_, at) => `other${at}x`);

test('a value is found among many where it is found by itself', () => {
  fc.assert(
    fc.property(fc.array(written, { maxLength: 5 }), fc.array(written, { maxLength: 6 }), (texts, values) => {
      const haystack = { texts: () => texts, names: () => '' };
      expect(occurringIn(values, haystack)).toEqual(occurringIn([...values, ...OTHERS], haystack));
    }),
    { numRuns: 2000 },
  );
});

test.each<[string, string, boolean]>([
  ['450', 'took 450 ms', true],
  ['450', 'took 45000 ms', false],
  ['450', 'took 1,450 ms', false],
  ['450', 'took 450.5 ms', false],
  ['src/a.ts', 'read src/a.ts:3', true],
  ['src/a.ts', 'read lib_src/a.ts', false],
  ['--dry', 'run --dry now', true],
  ['--dry', 'run --drying now', false],
])('%s in "%s": %s', (value, text, isThere) => {
  expect(occurringIn([value], { texts: () => ['other', text], names: () => '' }).has(value)).toBe(isThere);
});
