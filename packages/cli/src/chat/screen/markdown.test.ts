import fc from 'fast-check';
import { expect, test } from 'vitest';
import { widthOf } from '../../output/text.ts';
import { markdownLines, wholeBlocks } from './markdown.ts';
import { styleFor, unstyled } from './style.ts';
import { fold } from './wrap.ts';

const lines = (text: string, width: number): readonly string[] => markdownLines(text, { width, style: unstyled });

const ESCAPE = String.fromCharCode(27);

const TABLE = '| name | what it keeps | since |\n|---|:-:|---|\n| `next` parameter | the query, all of it | v2 |';

test.each([
  ['a heading', '## Title ##', 40, ['Title']],
  ['a list hangs', '- one two three four', 12, ['• one two', '  three four']],
  ['numbers and boxes', '1. one\n- [x] two', 40, ['1. one', '• ☑ two']],
  ['code is cut, not broken', '```ts\nconst answer = 42;\n```', 14, ['│ const answer', '│  = 42;']],
  ['emphasis is taken out', 'a **b** *c* `d`', 40, ['a b c d']],
  ['inside words marks are what they are', '2*3*4 __init__.py a**b', 40, ['2*3*4 __init__.py a**b']],
  ['a link shows where it leads', '[here](https://x.example)', 40, ['here (https://x.example)']],
  [
    'a table in columns',
    TABLE,
    60,
    [
      'name            what it keeps         since',
      '──────────────  ────────────────────  ─────',
      'next parameter  the query, all of it  v2',
    ],
  ],
  [
    'a table too wide, row by row',
    TABLE,
    40,
    ['next parameter', '  what it keeps: the query, all of it', '  since: v2'],
  ],
])('%s', (_, text, width, expected) => {
  expect(lines(text, width)).toEqual(expected);
});

test('no line is wider than the screen, and no escape of the text gets through', () => {
  const style = styleFor({ NO_COLOR: '1' });
  const piece = fc.constantFrom(
    '# ',
    '- ',
    '| a | b |\n|--|--|\n| c | d |\n',
    '```\n',
    '**bold** ',
    '\u001b[31m',
    '\u0007',
    'word ',
    '漢字 ',
    '\n',
    '> ',
    'x'.repeat(50),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), fc.integer({ min: 20, max: 90 }), (pieces, width) => {
      for (const line of lines(pieces.join(''), width)) expect(widthOf(line)).toBeLessThanOrEqual(width);
      for (const line of markdownLines(pieces.join(''), { width, style })) {
        const bare = line.replaceAll(new RegExp(`${ESCAPE}\\[\\d+m`, 'g'), '');
        expect([...bare].every((char) => char >= ' ')).toBe(true);
      }
    }),
  );
});

test('blocks that are whole are printed early, and together they are the whole text', () => {
  const text = 'One\n\nTwo\n```\ncode\n\nmore\n```\n\nThree';
  expect(wholeBlocks('One\n\nTwo\n```\ncode\n\nmo')).toEqual({ whole: 'One\n\n', rest: 'Two\n```\ncode\n\nmo' });
  fc.assert(
    fc.property(fc.nat({ max: text.length }), (at) => {
      const { whole, rest } = wholeBlocks(text.slice(0, at));
      expect(text.startsWith(whole + rest)).toBe(true);
      expect((whole.match(/```/g) ?? []).length % 2).toBe(0);
    }),
  );
});

test('what is being written is broken between words, and the rows are the very text', () => {
  expect(fold('Where should we keep it?', 10)).toEqual(['Where ', 'should we ', 'keep it?']);
  const text = fc.array(fc.constantFrom('word', ' ', '  ', '漢字', 'x'.repeat(30), '👍'), { maxLength: 30 });
  fc.assert(
    fc.property(text, fc.integer({ min: 8, max: 40 }), (pieces, width) => {
      const rows = fold(pieces.join(''), width);
      expect(rows.join('')).toBe(pieces.join(''));
      for (const row of rows) expect(widthOf(row)).toBeLessThanOrEqual(width + 1);
    }),
  );
});
