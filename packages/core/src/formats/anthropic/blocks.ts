import type { Violation } from '../../model/format.ts';
import { jsonOf } from '../../model/text.ts';
import { isObject, type Native } from '../native.ts';
import { errorAt, holdsLoneSurrogate, portabilityAt } from '../violations.ts';
import { type Block, blocksOf, type Entry, isBlank, isThinking } from './turns.ts';

const MAX_CACHE_MARKS = 4;
const IMAGE_TYPES: readonly unknown[] = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'];

/** Rules A8, A9 and A20: what one block may hold, by itself or inside a tool result. */
export function* checkBlocks(entries: readonly Entry[]): Generator<Violation> {
  const blocks = entries.flatMap((entry) => entry.blocks);
  for (const block of blocks) {
    yield* checkBlock(block);
    for (const inner of innerBlocks(block)) yield* checkInner(inner, block.native);
  }
  for (const entry of entries) yield* checkEntry(entry);
  // Marks on the system prompt and tools count too, but are not seen here.
  const marked = blocks.flatMap((block) => [block, ...innerBlocks(block)]).filter(isMarked);
  const excess = marked[MAX_CACHE_MARKS];
  if (excess !== undefined) yield errorAt(excess.at, 'A9', `${marked.length} blocks with cache_control`);
}

/** Rule A21: no lone surrogate in any string; one violation per message. */
export function* checkSurrogates(natives: readonly unknown[]): Generator<Violation> {
  for (const [at, native] of natives.entries()) {
    if (holdsLoneSurrogate(native)) yield errorAt(at, 'A21', 'lone surrogate');
  }
}

function* checkBlock(block: Block): Generator<Violation> {
  const { type, native, at } = block;
  if (isMarked(block) && (isBlankText(block) || isThinking(native))) {
    yield errorAt(at, 'A9', `${type} block with cache_control`);
  }
  if (type === 'image') yield* checkImage(native, at);
}

function* checkInner({ type, native, at }: Block, result: Native): Generator<Violation> {
  if (type === 'text' && native['text'] === '') yield errorAt(at, 'A8', 'blank text');
  if (type === 'image') yield* checkImage(native, at);
  if (type !== 'text' && result['is_error'] === true) yield errorAt(at, 'A20', `${type} in a failed tool result`);
}

function* checkEntry({ role, blocks, at }: Entry): Generator<Violation> {
  const hasWords = blocks.some((block) => block.type === 'text' && !isBlankText(block));
  for (const block of blocks) {
    if (role === 'assistant' && block.type === 'image') yield errorAt(at, 'A20', 'image outside a user message');
    if (!isBlankText(block)) continue;
    // White space beside words is taken (LibreChat-AI/agents#124), but not by Bedrock; empty text nowhere.
    yield (hasWords && block.native['text'] !== '' ? portabilityAt : errorAt)(at, 'A8', 'blank text');
  }
}

function* checkImage({ source }: Native, at: number): Generator<Violation> {
  if (!isObject(source) || source['type'] !== 'base64' || IMAGE_TYPES.includes(source['media_type'])) return;
  yield errorAt(at, 'A20', `image of type ${jsonOf(source['media_type'])}`);
}

function isBlankText({ type, native }: Block): boolean {
  return type === 'text' && isBlank(native['text']);
}

function isMarked({ native }: Block): boolean {
  return isObject(native['cache_control']);
}

function innerBlocks({ type, native, at }: Block): readonly Block[] {
  return type === 'tool_result' && Array.isArray(native['content']) ? blocksOf(native['content'], at) : [];
}
