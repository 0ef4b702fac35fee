import type { CompactionNews } from '../model/report.ts';
import type { Shown } from './branch.ts';
import type { Chain } from './chain.ts';

/** The texts of what is shown of a client's history. */
export function textsOf(shown: readonly Shown[], chain: Chain): readonly string[] {
  return shown.map((entry) => textOf(entry, chain));
}

/** The text of one entry. */
export function textOf(entry: Shown, { texts }: Chain): string {
  return entry.kind === 'original' ? (texts[entry.source] ?? '') : entry.text;
}

/** What a compaction made of the messages, in bytes, and how many at their start stayed for the provider's prompt cache. */
export function bytesOf(before: readonly string[], after: readonly string[]): NonNullable<CompactionNews['bytes']> {
  const common = before.findIndex((text, at) => text !== after[at]);
  return {
    before: sum(before),
    after: sum(after),
    prefixKept: sum(common < 0 ? before : before.slice(0, common)),
  };
}

function sum(texts: readonly string[]): number {
  return texts.reduce((bytes, text) => bytes + Buffer.byteLength(text), 0);
}
