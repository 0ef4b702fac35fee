import type { Atoms } from '../model/atoms.ts';
import type { Sizes } from '../model/count.ts';
import { isFixed, isPrompt, type ViewEntry } from '../model/view.ts';
import { jsonLength } from './json-length.ts';

/** A view with what planners look at. */
export type Sized = {
  readonly entries: readonly ViewEntry[];
  readonly atoms: Atoms;
  readonly sizes: Sizes;
  /** First entry a plan may touch: behind a provider's own compaction item and its atom. */
  readonly start: number;
  /** Whether the dialect lets no two assistant messages stand in a row. */
  readonly assistantsMustAlternate?: boolean;
};

/**
 * Where the newest `keep` share of the history begins (Gemini CLI's rule): the first prompt with at least the rest of the
 * native JSON in front of it; without one, everything if the conversation rests on an answer, else the last prompt.
 */
export function cutByShare({ entries, atoms, start }: Sized, keep: number): number | undefined {
  const lengths = entries.map((entry, index) =>
    index < start || isFixed(entry) ? 0 : jsonLength(entry.message.native),
  );
  const wanted = lengths.reduce((sum, length) => sum + length, 0) * (1 - keep);
  let before = 0;
  let newest: number | undefined;
  for (let index = start; index < entries.length; index += 1) {
    if (startsAtPrompt(entries, atoms, index)) {
      if (before >= wanted && index > start) return index;
      newest = index;
    }
    before += lengths[index] ?? 0;
  }
  return restsOnAnswer(entries, atoms) ? entries.length : newest;
}

/** Where the turn of the newest prompt begins. */
export function cutAtNewestPrompt({ atoms }: Sized): number | undefined {
  const { newestPrompt } = atoms;
  return newestPrompt === undefined ? undefined : atomStart(atoms, newestPrompt);
}

/**
 * Where the recent messages begin (Onyx's rule): walk back from the newest, which is always kept, within a share of the
 * history's tokens, then go to a prompt: the first one inside, else the last one there is.
 */
export function cutByRecentRatio({ entries, atoms, sizes, start }: Sized, ratio: number): number | undefined {
  const budget = sizes.history * ratio;
  let recentStart = entries.length - 1;
  let sum = sizes.messages[recentStart] ?? 0;
  while (recentStart > start && sum + (sizes.messages[recentStart - 1] ?? 0) <= budget) {
    recentStart -= 1;
    sum += sizes.messages[recentStart] ?? 0;
  }
  for (let index = recentStart; index < entries.length; index += 1) {
    if (startsAtPrompt(entries, atoms, index)) return index;
  }
  for (let index = recentStart - 1; index >= start; index -= 1) {
    if (startsAtPrompt(entries, atoms, index)) return index;
  }
  return undefined;
}

/** Where the newest atoms begin that fit a token budget; the newest one stays in any case. */
export function cutByRecentTokens({ atoms, sizes, start }: Sized, tokens: number): number {
  let cut = atoms.list.at(-1)?.first ?? start;
  let kept = 0;
  for (const { first, last } of [...atoms.list].reverse()) {
    for (let index = first; index <= last; index += 1) kept += sizes.messages[index] ?? 0;
    if (kept > tokens || first < start) break;
    cut = first;
  }
  return cut;
}

/** First index of the atom an entry belongs to. */
export function atomStart(atoms: Atoms, index: number): number {
  return atoms.list[atoms.atomOf[index] ?? -1]?.first ?? index;
}

function startsAtPrompt(entries: readonly ViewEntry[], atoms: Atoms, index: number): boolean {
  const entry = entries[index];
  return entry !== undefined && isPrompt(entry) && atomStart(atoms, index) === index;
}

function restsOnAnswer(entries: readonly ViewEntry[], atoms: Atoms): boolean {
  const last = entries.findLast((entry) => !isFixed(entry));
  if (last === undefined || last.message.role !== 'assistant') return false;
  return atoms.list.at(-1)?.pending !== true && !last.message.parts.some((part) => part.kind === 'tool-call');
}
