import { expect, test } from 'vitest';
import { outputLines } from './clean.ts';

test.each([
  ['an arrow', '   9→let one = 1;\n  10→let two = 2;\n  11→let six = 6;'],
  ['an arrow on one line', '  41→let one = 1;'],
  ['a tab', '     1\tlet one = 1;\n     2\tlet two = 2;\n     3\tlet six = 6;'],
  ['a tab on one line', '     1\tlet one = 1;'],
  ['a bar', '00001| let one = 1;\n00002| let two = 2;\n00003| let six = 6;'],
  ['a colon', '7:let one = 1;\n8:let two = 2;\n9:let six = 6;'],
])('numbers of lines that run on are left off: %s', (_name, text) => {
  const [first, ...rest] = outputLines(text, 'file');
  expect([first, ...rest].map((line) => line?.slice(0, 3))).toEqual(text.split('\n').map(() => 'let'));
});

test.each([
  ['a table', '   88213 |     2\n   90417 |     2\n   91003 |     3'],
  ['a table with words', ' 31877 | idle in transaction\n 31902 | active\n 31955 | idle'],
  ['tabs', '4711\tHamburg\tdelivered\n4720\tBremen\tlost\n4733\tKiel\topen'],
  ['colons', '4711: Kiel\n4713: Emden\n4799: Husum'],
  ['dates', '2026-02-11T07:33:02Z ERROR one\n2026-02-11T07:33:03Z FATAL two\n2026-02-11T07:33:04Z INFO six'],
  ['months', '2026-01 12 visits\n2026-02 31 visits\n2026-03 14 visits\n2026-04 2 visits\n2026-05 1 visit'],
  ['two rows', '4711\tHamburg\n4712\tBremen'],
])('a column of numbers is no gutter: %s', (_name, text) => {
  expect(outputLines(text, 'result')).toEqual(text.split('\n'));
});

test('a search’s lines stand without their numbers', () => {
  expect(outputLines('12:let one = 1;\n97-let two = 2;', 'search')).toEqual(['let one = 1;', 'let two = 2;']);
});
