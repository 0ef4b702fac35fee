import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fitColumns, fitEnd, plain, widthOf, wrapLines } from './text.ts';

test.each([
  ['\u001b[31mred\u001b[0m text', 'red text'],
  ['title\u001b]0;owned\u0007 kept', 'title kept'],
  ['a\r\n\tb\u0000c', 'a b c'],
  ['right\u202eto left', 'right to left'],
])('%j is shown as %j', (text, shown) => {
  expect(plain(text)).toBe(shown);
});

test('no control character reaches the terminal', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(plain(text)).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    }),
  );
});

test('a cut text fits its columns, never ends in half a character, and is whole where it fits', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 0, max: 40 }), (text, columns) => {
      const cut = fitColumns(text, columns);
      expect(widthOf(cut)).toBeLessThanOrEqual(columns);
      expect(cut.isWellFormed()).toBe(text.isWellFormed());
      if (columns > 0 && widthOf(text) <= columns) expect(cut).toBe(text);
    }),
  );
});

test('wide characters take two columns', () => {
  expect(widthOf('日本')).toBe(4);
  expect(fitColumns('日本語です', 6)).toBe('日本…');
});

test('wrapping keeps every word and every line inside the width', () => {
  fc.assert(
    fc.property(fc.array(fc.stringMatching(/^[a-z]{1,15}$/), { minLength: 1 }), (words) => {
      const wrapped = wrapLines(`  ${words.join(' ')}`, 24);
      expect(wrapped.split(/\s+/).filter(Boolean)).toEqual(words);
      for (const line of wrapped.split('\n')) expect(line.length).toBeLessThanOrEqual(24);
    }),
  );
});

test('the end of a text fits its columns and is whole where it fits', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 40 }), (text, columns) => {
      const cut = fitEnd(text, columns);
      expect(widthOf(cut)).toBeLessThanOrEqual(columns);
      expect(text.endsWith(cut.replace(/^…/u, ''))).toBe(true);
      expect(cut === text).toBe(widthOf(text) <= columns);
    }),
  );
});
