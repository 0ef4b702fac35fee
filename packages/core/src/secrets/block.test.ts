import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LONGEST_IN_BLOCK, utf8Block } from './block.ts';
import { redactSecrets } from './redact.ts';
import { suspectsIn, topicsIn } from './topics.ts';

const encoder = new TextEncoder();
const long = fc.integer({ min: LONGEST_IN_BLOCK - 2, max: LONGEST_IN_BLOCK + 2 }).map((length) => 'é'.repeat(length));
const text = fc.oneof(
  { weight: 9, arbitrary: fc.string({ unit: 'binary-ascii', maxLength: 300 }) },
  { weight: 3, arbitrary: fc.string({ unit: 'binary', maxLength: 300 }) },
  { weight: 1, arbitrary: long },
);

describe('a block of texts', () => {
  test('holds each text as it is encoded alone, at a multiple of four, with zeros behind', () => {
    fc.assert(
      fc.property(fc.array(text, { maxLength: 120 }), (texts) => {
        const seen: number[] = [];
        for (let from = 0; from < texts.length; ) {
          const block = utf8Block(texts, from);
          for (let at = 0; at < block.count; at += 1) {
            const [index = -1, start = -1, length = -1] = [block.indexes[at], block.starts[at], block.lengths[at]];
            seen.push(index);
            expect(start % 4).toBe(0);
            expect(block.bytes.slice(start, start + length)).toEqual(encoder.encode(texts[index]));
            expect(block.bytes.slice(start + length, start + length + 8)).toEqual(new Uint8Array(8));
          }
          from = block.next;
        }
        expect(seen).toEqual([...texts.keys()].filter((index) => (texts[index] ?? '').length <= LONGEST_IN_BLOCK));
      }),
    );
  });
});

describe('texts looked through together', () => {
  const secret = fc.constantFrom(
    `ghp_${'a1B2'.repeat(9)}`,
    'password = "hunter2-hunter3"',
    'https://me:hunter22@host.example/x',
    'ß Authorization: Bearer abcdef0123456789abcdef',
  );
  const texts = fc.array(
    fc.oneof(
      text,
      secret,
      fc.tuple(text, secret, text).map((parts) => parts.join(' ')),
    ),
    { maxLength: 60 },
  );

  test('are suspect where one alone would be', () => {
    fc.assert(
      fc.property(texts, (given) => {
        const suspects = suspectsIn(given);
        for (const [index, each] of given.entries()) {
          const isSuspect = each.length > LONGEST_IN_BLOCK || topicsIn(each).size > 0;
          expect(suspects.has(index)).toBe(isSuspect);
        }
      }),
    );
  });

  test('hide no secret', () => {
    fc.assert(
      fc.property(texts, (given) => {
        const suspects = suspectsIn(given);
        const secretive = [...given.keys()].filter((index) => redactSecrets(given[index] ?? '').found.length > 0);
        for (const index of secretive) expect(suspects.has(index)).toBe(true);
      }),
    );
  });
});
