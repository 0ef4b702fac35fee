import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createKeyReader, type Press } from './keys.ts';

const read = (...chunks: readonly string[]): readonly Press[] => {
  const reader = createKeyReader();
  return [...chunks.flatMap((chunk) => reader.read(chunk)), ...reader.flush()];
};
const key = (name: string) => ({ kind: 'key', key: name });

test.each([
  ['\r', 'enter'],
  ['\u001b\r', 'newline'],
  ['\u001b[13;2u', 'newline'],
  ['\u001b[27;2;13~', 'newline'],
  ['\n', 'newline'],
  ['\u001b[A', 'up'],
  ['\u001bOB', 'down'],
  ['\u001b[1;5D', 'word-left'],
  ['\u001b[3~', 'delete'],
  ['\u0003', 'interrupt'],
  ['\u001b[99;5u', 'interrupt'],
  ['\u001b[98;3u', 'word-left'],
  ['\u001b[27u', 'escape'],
  ['\u001b', 'escape'],
])('%j is %s', (sequence, name) => {
  expect(read(sequence)).toEqual([key(name)]);
});

test('what no key sends is passed over, and text around it stays', () => {
  expect(read('a\u001b[?62;4cb')).toEqual([
    { kind: 'text', text: 'a' },
    { kind: 'text', text: 'b' },
  ]);
});

test('it makes no difference where the pieces are cut, and a paste holds whatever it holds', () => {
  const typed = 'one\r\u001b[A\u001b[200~two\r\nthree \u001b[31m four\u001b[201~five\u001b[13;2u';
  const whole = read(typed);
  expect(whole).toContainEqual({ kind: 'paste', text: 'two\nthree \u001b[31m four' });
  const joined = (presses: readonly Press[]): string =>
    presses.map((press) => (press.kind === 'key' ? `<${press.key}>` : press.text)).join('');
  fc.assert(
    fc.property(fc.array(fc.nat({ max: typed.length }), { maxLength: 6 }), (cuts) => {
      const places = [0, ...cuts.sort((one, other) => one - other), typed.length];
      const pieces = places.slice(1).map((end, index) => typed.slice(places[index], end));
      expect(joined(read(...pieces))).toBe(joined(whole));
    }),
  );
});

test('a paste of a megabyte in small pieces comes out as one', () => {
  const reader = createKeyReader();
  const pieces = Array.from({ length: 4000 }, () => 'x'.repeat(256));
  const presses = ['\u001b[200~', ...pieces, '\u001b[201~'].flatMap((piece) => reader.read(piece));
  expect(presses).toEqual([{ kind: 'paste', text: pieces.join('') }]);
});
