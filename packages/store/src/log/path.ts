import type { BranchRow, Place, Range, Rows, SegmentRow, Span } from '../model/rows.ts';

/** The way from a conversation's start to one message, as parts of segments, oldest first. */
export type Path = readonly Range[];

/** The path to a place. */
export async function pathTo(rows: Rows, key: number, place: Place): Promise<Path> {
  return pathOf(await rows.path(key, place.segment), place);
}

/** The path that ends at a place, by the segments that lead to it (nearest first). */
export function pathOf(segments: readonly SegmentRow[], place: Place): Path {
  const ranges: Range[] = [];
  let to = place.depth;
  for (const { segment, base } of segments) {
    if (to > base) ranges.push({ segment, from: base + 1, to });
    to = Math.min(to, base);
  }
  return ranges.reverse();
}

/** Whether a place lies on a path. */
export function holds(path: Path, place: Place): boolean {
  return path.some(({ segment, from, to }) => segment === place.segment && from <= place.depth && place.depth <= to);
}

/** The depth of the last message of a path; -1 for an empty one. */
export function depthOf(path: Path): number {
  return path.at(-1)?.to ?? -1;
}

/** The parts of a path at given depths. */
export function cutOut(path: Path, spans: readonly Span[]): readonly Range[] {
  return path.flatMap(({ segment, from, to }) =>
    spans.flatMap(([first, last]) => {
      const range = { segment, from: Math.max(from, first), to: Math.min(to, last) };
      return range.from <= range.to ? [range] : [];
    }),
  );
}

/** Depths as spans, in order. */
export function spansOf(depths: readonly number[]): readonly Span[] {
  return joinSpans(depths.map((depth) => [depth, depth]));
}

/** Spans of several lists as one, in order. */
export function joinSpans(spans: readonly Span[]): readonly Span[] {
  const joined: [number, number][] = [];
  for (const [from, to] of [...spans].sort((a, b) => a[0] - b[0])) {
    const last = joined.at(-1);
    if (last !== undefined && from <= last[1] + 1) last[1] = Math.max(last[1], to);
    else joined.push([from, to]);
  }
  return joined;
}

/** Whether a depth lies in one of the spans. */
export function isWithin(spans: readonly Span[], depth: number): boolean {
  return spans.some(([from, to]) => from <= depth && depth <= to);
}

/** What is left of the depths 0 to `last` without joined spans. */
export function gaps(spans: readonly Span[], last: number): readonly Span[] {
  const left: Span[] = [];
  let next = 0;
  for (const [from, to] of spans) {
    if (from > next) left.push([next, Math.min(from - 1, last)]);
    next = Math.max(next, to + 1);
  }
  if (next <= last) left.push([next, last]);
  return left;
}

/** The place a branch ends at. */
export function placeOf({ segment, depth }: BranchRow): Place {
  return { segment, depth };
}

/** A place and the message there; the id is '' at the start of a conversation. */
export type Point = { readonly place: Place; readonly id: string };

/** Number of the segment every conversation begins with. */
export const ROOT = 0;

/** The place in front of a conversation's first message. */
export const START: Place = { segment: ROOT, depth: -1 };

/** The place a scan of a whole conversation begins behind. */
export const BEFORE_ALL: Place = { segment: -1, depth: -1 };
