import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findFault } from './fault.ts';

const cases: readonly (readonly [string, number, number, string, string])[] = [
  ['[1, 2', 1, 6, 'the end of the text', 'a comma or ]'],
  ['{"a": 1,}', 1, 9, '"}"', 'a key in double quotes'],
  ['{a: 1}', 1, 2, '"a"', 'a key in double quotes or }'],
  ['[1,]', 1, 4, '"]"', 'a value'],
  ["['a']", 1, 2, '"\'"', 'a value'],
  ['{"a" 1}', 1, 6, '"1"', 'a colon'],
  ['[\n  {"role": user}\n]', 2, 12, '"user"', 'a value'],
  ['["a\nb"]', 1, 4, '"\\n"', 'an escape such as \\n inside the string'],
  ['["\\x"]', 1, 3, '"\\\\"', 'a valid escape'],
  ['["abc', 1, 6, 'the end of the text', 'the closing quote of a string'],
  ['[01]', 1, 2, '"01"', 'a value'],
  ['NaN', 1, 1, '"NaN"', 'a value'],
  ['', 1, 1, 'the end of the text', 'a value'],
  ['[1 2]', 1, 4, '"2"', 'a comma or ]'],
];

test.each(cases)('%j stops being JSON at %i:%i with %s instead of %s', (text, line, column, found, expected) => {
  expect(findFault(text)).toEqual({ line, column, found, expected });
});

test('finds a fault exactly where JSON.parse does', () => {
  const broken = fc
    .tuple(fc.json(), fc.nat(), fc.constantFrom('', ',', '"', '}', ']', 'x', '\\', '\n', '0', '-', ':'))
    .map(([text, at, put]) => {
      const place = at % (text.length + 1);
      return text.slice(0, place) + put + text.slice(place + (put === '' ? 1 : 0));
    });
  fc.assert(
    fc.property(fc.oneof(fc.json(), broken), (text) => {
      let isJson = true;
      try {
        JSON.parse(text);
      } catch {
        isJson = false;
      }
      expect(findFault(text) === undefined).toBe(isJson);
    }),
    { numRuns: 2000 },
  );
});

test('takes no stack for deep nesting', () => {
  expect(findFault('['.repeat(100_000) + ']'.repeat(100_000))).toBeUndefined();
  expect(findFault('['.repeat(100_000))).toMatchObject({ column: 100_001 });
});
