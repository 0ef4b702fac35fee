import fc from 'fast-check';
import { expect, test } from 'vitest';
import { scanText } from './scan.ts';
import { giveBack, unitsOf } from './units.ts';

const anyText = fc
  .array(
    fc.constantFrom(
      'a',
      'Z',
      '\u00e9',
      '\u2192',
      '\u4e2d',
      '\ud83d\ude00',
      '\ud800',
      '\udc00',
      '\ufffd',
      '\uffff',
      '\0',
    ),
    {
      maxLength: 200,
    },
  )
  .map((parts) => parts.join(''));

test('units are those of the text, whatever its characters, with a zero behind them', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const units = unitsOf(text);
      const expected = Array.from({ length: text.length }, (_, index) => text.charCodeAt(index));
      expect([...units.subarray(0, text.length + 1)]).toEqual([...expected, 0]);
      giveBack(units);
    }),
  );
});

test('a scan inside of a scan does not disturb it', () => {
  const outer = 'parseHeader and then loadTable and then writeFooter of the page, in this order and no other';
  const found: string[] = [];
  scanText(outer, (_kind, start, end) => {
    found.push(outer.slice(start, end));
    scanText('x'.repeat(100), () => {});
  });
  expect(found).toEqual(['parseHeader', 'loadTable', 'writeFooter']);
});
