import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cutOut, gaps, holds, joinSpans, pathOf, spansOf } from './path.ts';

const depths = fc.uniqueArray(fc.nat({ max: 60 }), { maxLength: 40 });
const inside = (spans: readonly (readonly [number, number])[], depth: number): boolean =>
  spans.some(([from, to]) => from <= depth && depth <= to);

test('spans hold the depths they were made of, and gaps the others', () => {
  fc.assert(
    fc.property(depths, fc.nat({ max: 70 }), (chosen, last) => {
      const spans = spansOf(chosen);
      const left = gaps(joinSpans(spans), last);
      for (let depth = 0; depth <= last; depth += 1) {
        expect(inside(spans, depth)).toBe(chosen.includes(depth));
        expect(inside(left, depth)).toBe(!chosen.includes(depth));
      }
      expect(inside(left, last + 1)).toBe(false);
    }),
  );
});

test('a path takes of each segment what leads to its end', () => {
  const segments = [
    { segment: 7, parent: 3, base: 9 },
    { segment: 3, parent: 0, base: 4 },
    { segment: 0, parent: null, base: -1 },
  ];
  const path = pathOf(segments, { segment: 7, depth: 12 });
  expect(path).toEqual([
    { segment: 0, from: 0, to: 4 },
    { segment: 3, from: 5, to: 9 },
    { segment: 7, from: 10, to: 12 },
  ]);
  expect(holds(path, { segment: 3, depth: 9 })).toBe(true);
  expect(holds(path, { segment: 3, depth: 10 })).toBe(false);
  expect(cutOut(path, [[4, 5]])).toEqual([
    { segment: 0, from: 4, to: 4 },
    { segment: 3, from: 5, to: 5 },
  ]);
  expect(pathOf(segments.slice(2), { segment: 0, depth: -1 })).toEqual([]);
});
