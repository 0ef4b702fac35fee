import { HOSTILE_TEXTS, textArbitrary } from 'epitome/testing';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeText, encodeText } from './bytes.ts';
import { joinPayloads, splitPayloads } from './payloads.ts';
import { holdsVerbatim, snippetOf } from './snippet.ts';
import { tokensOf } from './tokens.ts';

const anyText = fc.oneof(
  textArbitrary(),
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.string({ unit: fc.constantFrom('\ud800', '\udc00', '"', '\\', '\0', '\ufeff', 'é', '😀'), maxLength: 60 }),
);

describe('texts', () => {
  test('come back from bytes as they were, half pairs and NUL included', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const { bytes, wide } = encodeText(text);
        expect(decodeText(bytes, wide)).toBe(text);
      }),
    );
  });

  test('come back from their payloads as they were, whether they are JSON or not', () => {
    const long = fc.tuple(anyText, fc.integer({ min: 1, max: 400 })).map(([text, times]) => text.repeat(times));
    const json = fc.array(long, { maxLength: 4 }).map((texts) => JSON.stringify({ texts, key: texts.at(0) }));
    fc.assert(
      fc.property(fc.oneof(json, long), (text) => {
        const { rest, holes } = splitPayloads(text);
        expect(joinPayloads(rest, holes)).toBe(text);
        for (const hole of holes) expect(hole.text.length).toBeGreaterThan(2000);
      }),
      { numRuns: 60 },
    );
  });

  test('that are long literals leave a short rest', () => {
    const { rest, holes } = splitPayloads(JSON.stringify({ a: 'x\\"'.repeat(2000), b: 'short' }));
    expect(rest).toBe('{"a":"","b":"short"}');
    expect(holes).toHaveLength(1);
  });
});

describe('words', () => {
  test.each([
    ['Hello, World', ['hello', 'world']],
    ['src/a_b.ts:40', ['src', 'a', 'b', 'ts', '40']],
    ['Ärger über Straße', ['arger', 'uber', 'straße']],
    ['压缩率', ['压缩', '缩率']],
    ['率', ['率']],
    ['', []],
  ])('of %j are %j', (text, words) => {
    expect(tokensOf(text)).toEqual(words);
  });

  test('of a long text are all of them, each once', () => {
    const words = Array.from({ length: 100_000 }, (_, index) => `word${index}`);
    expect(tokensOf([...words, ...words].join(' '))).toEqual(words);
  });

  test('are letters and digits only, few, short, and found in linear time', () => {
    for (const text of [...HOSTILE_TEXTS, 'a'.repeat(1_000_000), 'ab '.repeat(300_000), '压'.repeat(100_000)]) {
      const tokens = tokensOf(text);
      expect(tokens.length).toBeLessThan(12_100);
      for (const token of tokens.slice(0, 500)) expect(token).toMatch(/^[\p{L}\p{N}]{1,48}$/u);
    }
  });
});

describe('snippets', () => {
  test('are short, well formed stretches of the text', () => {
    fc.assert(
      fc.property(textArbitrary(), fc.nat(), (text, at) => {
        const query = text.slice(at % text.length, (at % text.length) + 12);
        const snippet = snippetOf(text, query);
        expect(snippet.length).toBeLessThan(260);
        expect(snippet.isWellFormed()).toBe(true);
        expect(text.replace(/\s+/g, ' ')).toContain(
          snippet.replaceAll('…', '').trim().slice(0, 20).replaceAll('…', ''),
        );
      }),
    );
  });

  test('know a query that stands there as it is, but for case and accents', () => {
    expect(holdsVerbatim('The Café is open', 'cafe IS')).toBe(true);
    expect(holdsVerbatim('The café', 'tea')).toBe(false);
  });
});
