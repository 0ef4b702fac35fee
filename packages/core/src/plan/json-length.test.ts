import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonLength } from './json-length.ts';

const text = fc.string({ unit: fc.constantFrom('a', ' ', '\n', '\t', '\r', '"', '\\', '{', 'é', '😀') });
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    text,
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.constant(undefined),
    tie('list'),
    tie('object'),
  ),
  list: fc.array(tie('any'), { maxLength: 4 }),
  object: fc.dictionary(fc.stringMatching(/^[a-z_]{1,9}$/), tie('any'), { maxKeys: 4 }),
}));

test('the length of JSON is known without making it', () => {
  fc.assert(
    fc.property(fc.oneof(value.object, value.list), (plain) => {
      expect(jsonLength(plain)).toBe(JSON.stringify(plain).length);
    }),
  );
});

test('what JSON cannot hold has no length', () => {
  const cyclic: Record<string, unknown> = {};
  cyclic['self'] = cyclic;
  expect(jsonLength(undefined)).toBe(0);
  expect(jsonLength({ a: undefined })).toBe(2);
  expect(jsonLength(cyclic)).toBeGreaterThan(0);
});
