import type { Counter } from '../model/count.ts';
import { codePointBoundary } from '../model/text.ts';

/** A rendered message with its size in tokens. */
export type Block = { readonly text: string; readonly tokens: number };

/** Groups blocks in order so that each group fits the budget; a block larger than that is cut into pieces that do. */
export function chunkBlocks(blocks: readonly Block[], budget: number, count: Counter): readonly string[] {
  const chunks: string[] = [];
  let current: string[] = [];
  let used = 0;
  for (const block of blocks.flatMap((whole) => cutBlock(whole, budget, count))) {
    if (used + block.tokens > budget && current.length > 0) {
      chunks.push(current.join('\n\n'));
      current = [];
      used = 0;
    }
    current.push(block.text);
    used += block.tokens;
  }
  if (current.length > 0) chunks.push(current.join('\n\n'));
  return chunks;
}

/** Pieces by the average size of a character; one that is denser than that is cut again. */
function cutBlock(block: Block, budget: number, count: Counter): readonly Block[] {
  if (block.tokens <= budget || block.text.length <= 1) return [block];
  const parts = Math.max(Math.ceil(block.tokens / budget), 2);
  const step = Math.max(Math.floor(block.text.length / parts), 1);
  const pieces: Block[] = [];
  for (let from = 0; from < block.text.length; ) {
    const end = Math.max(codePointBoundary(block.text, Math.min(from + step, block.text.length)), from + 1);
    const text = block.text.slice(from, end);
    pieces.push(...cutBlock({ text, tokens: count(text) }, budget, count));
    from = end;
  }
  return pieces;
}
