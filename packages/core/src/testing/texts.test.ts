import fc from 'fast-check';
import { expect, test } from 'vitest';
import { textArbitrary } from './generators.ts';
import { HOSTILE_TEXTS, sampleText, TEXT_KINDS } from './texts.ts';

test('a sample text is well formed, not blank and of about its length', () => {
  fc.assert(
    fc.property(fc.constantFrom(...TEXT_KINDS), fc.nat({ max: 3000 }), fc.nat(), (kind, length, salt) => {
      const text = sampleText({ kind, length, salt });
      expect(text.isWellFormed()).toBe(true);
      expect(text.trim()).not.toBe('');
      expect(text.length).toBeLessThanOrEqual(Math.max(length, 300));
    }),
  );
});

test('texts come in all sizes up to 20 kB and hold every hostile one', () => {
  const texts = fc.sample(textArbitrary(), { numRuns: 3000, seed: 7 });
  expect(Math.min(...texts.map(({ length }) => length))).toBeLessThan(10);
  expect(Math.max(...texts.map(({ length }) => length))).toBeGreaterThan(15_000);
  for (const hostile of HOSTILE_TEXTS) expect(texts.some((text) => text.includes(hostile))).toBe(true);
});
