import fc from 'fast-check';
import { expect, test } from 'vitest';
import { stretchesOf } from './stretches.ts';

const anyText = fc
  .array(fc.constantFrom('parser', 'src/a.ts', 'é', ' ', '  ', '\n', 'of', '.', 'tokens'), { maxLength: 40 })
  .map((parts) => parts.join(''));
const inOrder = (text: string): string => text.replace(/\s+/g, ' ');

test('a text is never said to lack what it holds, however its whitespace stood', () => {
  fc.assert(
    fc.property(anyText, fc.nat(40), fc.nat(40), (text, from, length) => {
      expect(stretchesOf(inOrder(text))(text.slice(from, from + length))).toBe(true);
    }),
  );
});

test('nearly all values that a text lacks are told by their ends', () => {
  const mayHold = stretchesOf('read src/parser.ts and report the errors at the right place '.repeat(50));
  const others = Array.from({ length: 500 }, (_, at) => `packages/core/file-${at}.ts`);
  expect(others.filter(mayHold).length).toBeLessThan(10);
});
