import { type Utf8, ZEROS } from '../model/utf8.ts';

/** Texts as UTF-8, one behind the other: each begins at a multiple of four, with eight zeros or more behind it. */
export type Utf8Block = Utf8 & {
  /** How many texts there are. */
  readonly count: number;
  /** Of each text: its index among all, where it begins, how many bytes it has. */
  readonly indexes: Int32Array;
  readonly starts: Int32Array;
  readonly lengths: Int32Array;
  /** Index of the first text behind the block. */
  readonly next: number;
};

/** Longer texts stand in no block. */
export const LONGEST_IN_BLOCK: number = 1 << 14;

// Small enough for the nearest caches.
const TEXTS = 1 << 10;
const encoder = /* @__PURE__ */ new TextEncoder();
const held = /* @__PURE__ */ new Int32Array(1 << 14);
const space = /* @__PURE__ */ new Uint8Array(held.buffer);
const indexes = /* @__PURE__ */ new Int32Array(TEXTS);
const starts = /* @__PURE__ */ new Int32Array(TEXTS);
const lengths = /* @__PURE__ */ new Int32Array(TEXTS);

/**
 * As many texts as a block holds, from one of them on; they stand until the next block is asked for. Thousands of short
 * texts cost little more than a long one so, where a call for each costs more than its bytes.
 */
export function utf8Block(texts: readonly string[], from: number): Utf8Block {
  let count = 0;
  let next = from;
  let joined = '';
  for (; next < texts.length && count < TEXTS; next += 1) {
    const text = texts[next] ?? '';
    if (text.length > LONGEST_IN_BLOCK) continue;
    if ((joined.length + text.length) * 3 + 2 * ZEROS > space.length) break;
    indexes[count] = next;
    starts[count] = joined.length;
    lengths[count] = text.length;
    count += 1;
    joined += text + (PADS[text.length & 3] ?? '');
  }
  const { written } = encoder.encodeInto(joined, space);
  const length = written === joined.length ? written : encodeEach(texts, count);
  return { bytes: space, words: held, length, count, indexes, starts, lengths, next };
}

const PADS = /* @__PURE__ */ [0, 3, 2, 1].map((more) => '\0'.repeat(ZEROS + more));

/** As many bytes as characters is ASCII; other texts begin where the one before has ended. */
function encodeEach(texts: readonly string[], count: number): number {
  let end = 0;
  for (let at = 0; at < count; at += 1) {
    const { written } = encoder.encodeInto(texts[indexes[at] ?? 0] ?? '', space.subarray(end));
    starts[at] = end;
    lengths[at] = written;
    const next = (end + written + ZEROS + 3) & ~3;
    space.fill(0, end + written, next);
    end = next;
  }
  return end;
}
