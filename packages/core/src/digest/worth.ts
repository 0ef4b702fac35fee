import type { Group } from './drafts.ts';
import { askOf, isGreeting } from './request.ts';
import type { Candidate } from './select.ts';
import { type Unit, unitOf } from './units.ts';

/** Everything that may be quoted, with what it is worth beside the identifiers in it. */
export function candidatesOf(groups: readonly Group[], maxTokens: number): readonly Candidate[] {
  const prompts = groups.filter(({ speaker }) => speaker === 'User').length;
  // Where many prompts share the budget, each is worth less.
  const share = Math.min(1, FEW / prompts);
  return groups.flatMap((group) => {
    const most = mostLines(group, maxTokens);
    const texts = new Set<string>();
    const quotes = group.units
      .filter(({ text }) => !texts.has(text) && texts.add(text))
      .map((unit, index) => ({ group, unit, most, bonus: share * bonusOf(group, unit, index) }))
      .filter(({ unit }) => group.speaker === undefined || isWorthSaying(unit.text));
    if (group.section === 'key_knowledge' || (group.isLookup && !group.isChange)) return quotes;
    return [{ group, unit: unitOf('', -1), most, bonus: group.isChange ? CHANGE : 0 }, ...quotes];
  });
}

const isWorthSaying = (sentence: string): boolean => askOf(sentence) >= 0 && !isGreeting(sentence);

const FEW = 12;
const CHANGE = 0.1;

/** A file that was only read takes a line or two of a page, one that was changed takes more. */
function mostLines({ section, isChange, isFamily }: Group, maxTokens: number): number {
  if (isFamily) return 2;
  if (section === 'key_knowledge') return Number.POSITIVE_INFINITY;
  return Math.max(isChange ? 4 : 2, Math.floor(maxTokens / (isChange ? 40 : 100)));
}

function bonusOf({ speaker, written }: Group, unit: Unit, index: number): number {
  if (speaker === undefined) return (written.has(unit) ? WRITTEN : 0) + (unit.words.length > 2 ? SPARE : 0);
  if (unit.words.length < 3) return 0;
  if (speaker === 'User') return askOf(unit.text) > 0 || index === 0 ? 0.1 : 0.02;
  return index === 0 ? 0.02 : 0;
}

const WRITTEN = 0.02;
// Plain lines fill what room is left.
const SPARE = 0.001;

/** The files that were changed, the newest first: each is worth a line. */
export function changesOf(groups: readonly Group[]): readonly Candidate[] {
  return groups
    .filter(({ isChange }) => isChange)
    .sort((left, right) => right.last - left.last)
    .map((group) => ({ group, unit: unitOf('', -1), most: 1, bonus: 0 }));
}

/** What failed, with the line that tells why: what is still broken first, then the newest. */
export function failuresOf(groups: readonly Group[]): readonly Candidate[] {
  return groups
    .filter(({ failure }) => failure !== undefined)
    .sort((left, right) => Number(right.failure === 'open') - Number(left.failure === 'open') || right.last - left.last)
    .map((group) => ({ group, unit: group.telling ?? unitOf('', -1), most: 1, bonus: 0 }));
}
