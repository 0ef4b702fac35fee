import type { PartAt } from '../model/atoms.ts';
import type { ToolResultPart } from '../model/message.ts';
import type { Mask, Plan } from '../model/plan.ts';
import type { MaskRule } from '../model/policy.ts';
import { isBound, isPrompt } from '../model/view.ts';
import type { Sized } from './cuts.ts';
import { supersededBy } from './superseded.ts';

/** The plan that shows old tool results as placeholders; `undefined` where there is none to show so. */
export function planMask(sized: Sized, rule: MaskRule, excess: number): Plan | undefined {
  const masks = planMasks(sized, rule, excess);
  const anchor = masks[0]?.entry;
  const { entries, sizes } = sized;
  if (anchor === undefined) return undefined;
  const shed = masks.reduce((sum, mask) => sum + mask.sheds, 0);
  return {
    split: 'mask',
    head: [],
    tail: entries.map((_, index) => index),
    anchor,
    firstKept: 0,
    dropsReasoning: boundFrom(sized, anchor),
    dropsOrphans: [],
    masks,
    tokens: { head: 0, tail: sizes.history - shed, fixed: sizes.fixed },
  };
}

/** Entries from here on whose bound reasoning must go, because something in front of them changes (A12). */
function boundFrom({ entries }: Sized, anchor: number): readonly number[] {
  return entries.flatMap((entry, index) => (index >= anchor && isBound(entry) ? [index] : []));
}

/**
 * Old tool results to show as placeholders: first those a later one makes needless, then the oldest, until
 * `excess` tokens are shed. The newest are protected by a token budget, some tools by name; nothing is masked twice. A
 * result nobody has read yet is never left out: where the others are not enough, one that is larger than its share of the
 * budget is shortened to it.
 */
export function planMasks(sized: Sized, rule: MaskRule, excess: number): readonly Mask[] {
  const results = resultsOf(sized);
  const isSuperseded = supersededBy(sized.entries);
  const unread = sized.entries.findLastIndex(({ message }) => message.role === 'assistant') + 1;
  const share = rule.protectTokens / Math.max(results.filter(({ at }) => at.entry >= unread).length, 1);
  const stale: Result[] = [];
  const old: Result[] = [];
  const large: Result[] = [];
  let protectedTokens = rule.protectTokens;
  for (const result of results.reverse()) {
    const isStale = isSuperseded(result.part);
    protectedTokens -= result.tokens;
    if (!isMaskable(sized, rule, result)) continue;
    if (result.at.entry >= unread) {
      const keeps = Math.max(share, LEAST_RESULT);
      if (result.tokens > keeps * 2) large.unshift({ ...result, keeps });
    } else if (protectedTokens < 0) (isStale ? stale : old).unshift(result);
  }
  return firstOf([...stale, ...old, ...large], excess);
}

/** A result, its tokens, and those of them a placeholder keeps. */
type Result = { readonly at: PartAt; readonly part: ToolResultPart; readonly tokens: number; readonly keeps: number };

function resultsOf({ entries, sizes, atoms, start }: Sized): Result[] {
  const results: Result[] = [];
  // The thinking of an unfinished turn must stay, and so must everything in front of it (A10, A12).
  const first = atoms.boundLoop === undefined ? start : entries.findLastIndex(isBound);
  for (let entry = first; entry < entries.length; entry += 1) {
    const parts = entries[entry]?.message.parts ?? [];
    const shared = parts.filter(({ kind }) => kind === 'tool-result').length;
    parts.forEach((part, index) => {
      if (part.kind !== 'tool-result') return;
      results.push({ at: { entry, part: index }, part, tokens: (sizes.messages[entry] ?? 0) / shared, keeps: 0 });
    });
  }
  return results;
}

// A placeholder takes about half of this.
const LEAST_RESULT = 80;
const PLACEHOLDER = 40;

function isMaskable({ entries, atoms }: Sized, rule: MaskRule, { at, part, tokens }: Result): boolean {
  const entry = entries[at.entry];
  const isPending = atoms.list[atoms.atomOf[at.entry] ?? -1]?.pending === true;
  if (entry === undefined || isPending || tokens < LEAST_RESULT || rule.protectTools.includes(part.name)) return false;
  // Results of the provider's own tools have schemas without room for a placeholder.
  const isServers = entry.message.role === 'assistant';
  // An entry that was edited before is masked already; one with words of the user stays as they sent it.
  return !isServers && entry.recordId === undefined && !isPrompt(entry);
}

function firstOf(results: readonly Result[], excess: number): readonly Mask[] {
  const masks: Mask[] = [];
  let shed = 0;
  for (const { at, part, tokens, keeps } of results) {
    if (shed >= excess) break;
    const sheds = tokens - keeps - PLACEHOLDER;
    shed += sheds;
    masks.push({ ...at, keepChars: Math.floor((part.text.length * keeps) / tokens), sheds });
  }
  return masks.sort((a, b) => a.entry - b.entry || a.part - b.part);
}
