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
    else for (const piece of piecesFromEnd(block, budget, count)) add(piece);
  }
  return chunks.reverse().map((texts) => texts.reverse().join('\n\n'));
}

/** The start of a text as far as the budget goes, up to the end of a line or a word where one is near. */
export function startWithin(text: string, budget: number, count: Counter): string {
  let length = Math.min(text.length, Math.ceil(budget * LONGEST_TOKEN));
  for (;;) {
    const piece = text.slice(0, endOfPiece(text, length));
    const tokens = count(piece);
    if (tokens <= budget || piece.length <= 1) return piece;
    length = shrunk(piece.length, budget / tokens);
  }
}

// Characters, white space and rules of drawings aside. What is longer need not be counted to be cut.
const LONGEST_TOKEN = 16;

/** Pieces, newest first, each as long as the budget lets it be: by the average size of a character, then by that of the piece before. */
function* piecesFromEnd({ text, tokens: all }: Block, budget: number, count: Counter): Generator<Block> {
  let length = shrunk(text.length, budget / all);
  for (let end = text.length; end > 0; ) {
    let from = startOfPiece(text, end, length);
    let piece = text.slice(from, end);
    let tokens = count(piece);
    while (tokens > budget && piece.length > 1 && length > 1) {
      length = shrunk(Math.min(length, piece.length), budget / tokens);
      from = startOfPiece(text, end, length);
      piece = text.slice(from, end);
      tokens = count(piece);
    }
    yield { text: piece, tokens };
    end = from;
    length = Math.min(shrunk(piece.length, budget / Math.max(tokens, 1)), length * 2);
  }
}

// Pieces of one text differ a little in density: aimed at the budget itself, each second one would be cut again.
const AIM = 0.97;

function shrunk(length: number, share: number): number {
  return Math.max(Math.floor(length * share * AIM), 1);
}

/** Where a piece begins: behind a line or a word where one ends in its first three quarters, so that no placeholder is cut. */
function startOfPiece(text: string, end: number, length: number): number {
  const from = end - length;
  if (from <= 0) return 0;
  // A text without any separator would be gone through to its end for each piece.
  const near = text.slice(from - 1, end - Math.ceil(length / 4));
  for (const separator of ['\n', ' ']) {
    const at = near.indexOf(separator);
    if (at >= 0) return from + at;
  }
  return codePointBoundary(text, from);
}

/** Where the first piece ends: behind a line or a word where one ends in its last three quarters. */
function endOfPiece(text: string, length: number): number {
  if (length >= text.length) return text.length;
  const least = Math.ceil(length / 4);
  const near = text.slice(least, length);
  for (const separator of ['\n', ' ']) {
    const at = near.lastIndexOf(separator);
    if (at >= 0) return least + at + 1;
  }
  return codePointBoundary(text, length);
}
