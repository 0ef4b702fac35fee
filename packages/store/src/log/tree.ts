import type { TreeMessage } from '../model/port.ts';
import type { MessageHead, Place, Rows } from '../model/rows.ts';
import { BEFORE_ALL } from './path.ts';
import { findConversation, unknown } from './reading.ts';

/** Part of a conversation's tree. */
export type TreePage = { readonly conversation: string; readonly after: string | undefined; readonly limit: number };

/** Messages of a conversation without their texts, each behind its parent. */
export async function readTree(rows: Rows, { conversation, after, limit }: TreePage): Promise<readonly TreeMessage[]> {
  const { key } = await findConversation(rows, conversation);
  const [start] = after === undefined ? [BEFORE_ALL] : await rows.heads(key, [after]);
  if (start === undefined) throw unknown('message', after ?? '');
  const heads = await rows.scanHeads(key, start, limit);
  const parents = await parentsOf(rows, key, heads);
  return heads.map(({ id, role, seq, depth }, index) => {
    const parentId = parents[index];
    return { id, role, seq, depth, ...(parentId === undefined ? {} : { parentId }) };
  });
}

async function parentsOf(
  rows: Rows,
  key: number,
  heads: readonly MessageHead[],
): Promise<readonly (string | undefined)[]> {
  const segments = new Map((await rows.segments(key)).map((row) => [row.segment, row]));
  const inFront = (head: MessageHead, index: number): Place | undefined => {
    if (head.depth === 0) return undefined;
    const before = heads[index - 1];
    if (before?.segment === head.segment) return before;
    const own = segments.get(head.segment);
    const isFirst = own?.base === head.depth - 1;
    return { segment: (isFirst ? own.parent : undefined) ?? head.segment, depth: head.depth - 1 };
  };
  const places = heads.map(inFront);
  const asked = places.flatMap((place, index) => (place === undefined || place === heads[index - 1] ? [] : [place]));
  const ranges = asked.map(({ segment, depth }) => ({ segment, from: depth, to: depth }));
  const known = [...heads, ...(ranges.length === 0 ? [] : await rows.headsIn(key, ranges))];
  const byPlace = new Map(known.map((head) => [nameOf(head), head.id]));
  return places.map((place) => (place === undefined ? undefined : byPlace.get(nameOf(place))));
}

function nameOf({ segment, depth }: Place): string {
  return `${segment}:${depth}`;
}
