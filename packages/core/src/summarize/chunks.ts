import type { Counter } from '../model/count.ts';
import { codePointBoundary } from '../model/text.ts';

/** A rendered message with its size in tokens. */
export type Block = { readonly text: string; readonly tokens: number };

/**
 * Groups blocks in order so that each group fits the budget; a block larger than that is cut into pieces that do. They are
 * filled from the newest: where only some can be read, those are full.
 */
export function chunkBlocks(blocks: readonly Block[], budget: number, count: Counter): readonly string[] {
  const chunks: string[][] = [];
  let used = Number.POSITIVE_INFINITY;
  const add = ({ text, tokens }: Block): void => {
    if (used + tokens > budget) chunks.push([]);
    used = used + tokens > budget ? tokens : used + tokens;
    chunks.at(-1)?.push(text);
  };
  for (const block of blocks.toReversed()) {
    if (block.tokens <= budget) add(block);
    else cutBlock(block, budget, count).toReversed().forEach(add);
  }
  return chunks.reverse().map((texts) => texts.reverse().join('\n\n'));
}

/** Pieces by the average size of a character; one that is denser than that is cut again. */
function cutBlock(block: Block, budget: number, count: Counter): readonly Block[] {
  if (block.tokens <= budget || block.text.length <= 1) return [block];
  const parts = Math.max(Math.ceil(block.tokens / budget), 2);
  const step = Math.max(Math.floor(block.text.length / parts), 1);
  const pieces: Block[] = [];
  for (let from = 0; from < block.text.length; ) {
    const end = Math.max(endOfPiece(block.text, from, step), from + 1);
    const text = block.text.slice(from, end);
    for (const piece of cutBlock({ text, tokens: count(text) }, budget, count)) pieces.push(piece);
    from = end;
  }
  return pieces;
}

/** Where a piece ends: behind a line or a word where one ends in its last three quarters, so that no placeholder is cut. */
function endOfPiece(text: string, from: number, length: number): number {
  const end = from + length;
  if (end >= text.length) return text.length;
  const least = from + length / 4;
  for (const separator of ['\n', ' ']) {
    const at = text.lastIndexOf(separator, end - 1) + 1;
    if (at > least) return at;
  }
  return codePointBoundary(text, end);
}
