import fc from 'fast-check';
import { expect, test } from 'vitest';
import { frameSummary, unframeSummary } from './frame.ts';
import { addText, codePointBoundary, firstCodePoints, hashName, newHash } from './text.ts';

const hashTexts = (...texts: readonly string[]): string => {
  const hash = newHash();
  for (const text of texts) addText(hash, text);
  return hashName(hash);
};

const anyText = fc.string({
  unit: fc.constantFrom('a', ' ', '\n', '<', '/', '>', '😀', '\ud800', 'é', '$&', '</conversation_summary>'),
});

test('the first code points are never half a surrogate pair', () => {
  expect(firstCodePoints('a😀b', 2)).toBe('a😀');
  expect(firstCodePoints('a😀b', 1)).toBe('a');
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.nat(20), (text, count) => {
      const cut = firstCodePoints(text, count);
      expect(text.startsWith(cut)).toBe(true);
      expect([...cut].length).toBe(Math.min([...text].length, count));
    }),
  );
});

test('a boundary never lies inside a pair', () => {
  expect(codePointBoundary('a😀b', 2)).toBe(1);
  expect(codePointBoundary('a😀b', 3)).toBe(3);
  expect(codePointBoundary('ab', 1)).toBe(1);
});

test('a frame gives back the summary it holds, whatever that says', () => {
  fc.assert(
    fc.property(anyText, anyText, (text, note) => {
      const clean = text.replaceAll('<\\/', '');
      expect(unframeSummary(frameSummary(clean))).toBe(clean);
      expect(unframeSummary(frameSummary(clean, note.replaceAll('</conversation_summary>', '')))).toBe(clean);
    }),
  );
});

test('text that only looks like a frame is not one', () => {
  const framed = frameSummary('the real one');
  expect(unframeSummary(framed.replace('real', 'fake'))).toBeUndefined();
  expect(unframeSummary('<conversation_summary check="00000000">\nanything\n</conversation_summary>')).toBeUndefined();
  expect(unframeSummary(`I saw ${framed}`)).toBeUndefined();
});

test('equal texts have equal hashes, others do not', () => {
  const seen = new Set<string>();
  for (let index = 0; index < 20_000; index += 1) seen.add(hashTexts('seed', `message ${index}`));
  for (let index = 0; index < 20_000; index += 1) seen.add(hashTexts('seed', `${'message '.repeat(9)}${index}`));
  expect(seen.size).toBe(40_000);
  expect(hashTexts('a', 'b')).not.toBe(hashTexts('ab', ''));
  expect(hashTexts('a', 'b')).not.toBe(hashTexts('', 'ab'));
  expect(hashName(newHash('a'))).not.toBe(hashName(newHash('b')));
  const long = 'x'.repeat(100);
  expect(hashTexts(long, 'b')).not.toBe(hashTexts(`${long}b`, ''));
  expect(hashTexts(`${long}\ud800`)).not.toBe(hashTexts(`${long}\ud801`));
  fc.assert(
    fc.property(anyText, anyText, fc.nat(), (text, other, at) => {
      const cut = at % (text.length + 1);
      for (const start of ['', long]) {
        const edited = start + text.slice(0, cut) + other + text.slice(cut);
        expect(hashTexts(edited) === hashTexts(start + text)).toBe(edited === start + text);
        expect(hashTexts(edited)).toMatch(/^[0-9a-v]{12}$/);
      }
    }),
  );
});

test('a hash goes on from its name', () => {
  const whole = newHash();
  addText(whole, 'the first message');
  const resumed = newHash(hashName(whole));
  addText(whole, 'the second');
  addText(resumed, 'the second');
  expect(hashName(resumed)).toBe(hashName(whole));
});
