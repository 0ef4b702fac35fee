import type { PartAt } from '../model/atoms.ts';
import { withoutState } from '../model/frame.ts';
import type { Plan, PlanResult } from '../model/plan.ts';
import type { Split } from '../model/policy.ts';
import { isBound, isFixed, isPrompt, type ViewEntry } from '../model/view.ts';
import { cutAtNewestPrompt, cutByRecentRatio, cutByRecentTokens, cutByShare, type Sized } from './cuts.ts';
import { findRuns, type Run } from './runs.ts';

/** Plans one compaction by a split. Pure; the plan is data that can be looked at before anything runs. */
export function planSplit(sized: Sized, split: Split): PlanResult {
  switch (split.kind) {
    case 'share':
      return planBefore(sized, split, cutByShare(sized, split.keep));
    case 'since-last-prompt':
      return planSinceLastPrompt(sized, split);
    case 'recent-ratio':
      return planBefore(sized, split, cutByRecentRatio(sized, split.ratio));
    case 'recent-tokens':
      return planBefore(sized, split, cutByRecentTokens(sized, split.tokens));
    case 'everything':
      return planBefore(sized, split, sized.entries.length);
    case 'earliest-run':
      return planRun(sized, split);
    default:
      return split satisfies never;
  }
}

function planSinceLastPrompt(sized: Sized, split: Extract<Split, { kind: 'since-last-prompt' }>): PlanResult {
  const result = planBefore(sized, split, cutAtNewestPrompt(sized));
  const isEnough = result.kind === 'plan' && result.plan.head.length >= split.minMessages;
  return isEnough ? result : planSplit(sized, { kind: 'share', keep: split.keep });
}

function planBefore(sized: Sized, split: Split, cut: number | undefined): PlanResult {
  if (cut === undefined) return { kind: 'none', reason: 'no-prompt' };
  return finish(sized, split, { first: sized.start, last: cut - 1 });
}

function planRun(sized: Sized, split: Extract<Split, { kind: 'earliest-run' }>): PlanResult {
  const run = findRuns(sized, split.retain)[0];
  return run === undefined ? { kind: 'none', reason: 'nothing-to-cut' } : finish(sized, split, run);
}

/** The plan that takes several runs, as one call takes them one behind the other. */
export function planRuns(sized: Sized, split: Split, runs: readonly Run[]): Plan {
  const isTaken = (index: number): boolean => runs.some(({ first, last }) => index >= first && index <= last);
  const indexes = [...sized.entries.keys()];
  const [head, tail] = [indexes.filter(isTaken), indexes.filter((index) => !isTaken(index))];
  return describe(sized, split, { first: head[0] ?? 0, head, tail });
}

function finish(sized: Sized, split: Split, wanted: Run): PlanResult {
  const region = withBoundLoop(sized, split, wanted);
  if (region === undefined) return { kind: 'none', reason: 'bound-reasoning' };
  const { entries } = sized;
  const { head, tail } = parted(sized, region);
  const { boundLoop } = sized.atoms;
  if (boundLoop !== undefined && head.length > 0 && !head.includes(boundLoop)) {
    return { kind: 'none', reason: 'bound-reasoning' };
  }
  const isNew = head.some((index) => entries[index]?.summary === undefined && !entries[index]?.filler);
  if (!isNew) return { kind: 'none', reason: 'nothing-to-cut' };
  return { kind: 'plan', plan: describe(sized, split, { first: region.first, head, tail }) };
}

/** An unfinished turn of bound reasoning cannot stay behind a change: it is compacted whole, or nothing is. */
function withBoundLoop({ entries, atoms }: Sized, split: Split, region: Run): Run | undefined {
  const { boundLoop } = atoms;
  if (boundLoop === undefined || region.last < region.first) return region;
  const isPending = atoms.list[atoms.atomOf[boundLoop] ?? -1]?.pending === true;
  if (isPending || (split.kind === 'earliest-run' && boundLoop > region.last)) return undefined;
  return { first: region.first, last: entries.length - 1 };
}

/**
 * Kept whatever a split says: system messages, the live prompt, the newest words beside results and pending calls, with
 * their whole atoms; of a turn of bound reasoning that goes, those words alone.
 */
function parted({ entries, atoms }: Sized, region: Run): Pick<Parts, 'head' | 'tail'> {
  const head: number[] = [];
  const tail: number[] = [];
  const { livePrompt = -1, aside = -1, boundLoop = -1 } = atoms;
  for (const atom of atoms.list) {
    const holds = (index: number): boolean => index >= atom.first && index <= atom.last;
    const isOutside = atom.first < region.first || atom.last > region.last;
    const isLive = holds(livePrompt) || (holds(aside) && !holds(boundLoop));
    const isKept = isOutside || isLive || atom.unread || atom.pending;
    for (let index = atom.first; index <= atom.last; index += 1) {
      const entry = entries[index];
      if (isKept || entry === undefined || isFixed(entry) || index === aside) tail.push(index);
      else head.push(index);
    }
  }
  return { head, tail };
}

type Parts = { readonly first: number; readonly head: readonly number[]; readonly tail: readonly number[] };

function describe(sized: Sized, split: Split, { first, head, tail }: Parts): Plan {
  const { entries, sizes, atoms } = sized;
  const headTokens = head.reduce((sum, index) => sum + (sizes.messages[index] ?? 0), 0);
  const opening = entries.findIndex((entry, index) => index >= first && !isFixed(entry));
  const anchor = opening < 0 ? first : opening;
  const lastCovered = head.at(-1) ?? 0;
  const kept = new Set(atoms.orphans.length === 0 ? [] : tail);
  const parted = partedResults(sized, head);
  const changed = tail.find((index) => index >= anchor || tellsState(entries[index])) ?? anchor;
  const dropsReasoning = tail.filter((index) => index >= changed && isBound(entries[index]));
  return {
    split: split.kind,
    head,
    tail,
    anchor,
    firstKept: tail.find((index) => index > lastCovered) ?? entries.length,
    dropsReasoning,
    dropsOrphans: [
      ...atoms.orphans.filter(({ entry }) => entry >= anchor && kept.has(entry) && isCertain(sized, entry)),
      ...parted.results,
    ],
    masks: [],
    tokens: { head: headTokens, tail: sizes.history - headTokens - parted.tokens, fixed: sizes.fixed },
  };
}

/** Results beside kept words whose calls go, and about the tokens they take along. */
function partedResults({ entries, atoms, sizes }: Sized, head: readonly number[]): PartedResults {
  const { aside = -1 } = atoms;
  const call = atoms.list[atoms.atomOf[aside] ?? -1]?.first;
  if (call === undefined || call === aside || !head.includes(call)) return { results: [], tokens: 0 };
  const parts = entries[aside]?.message.parts ?? [];
  const results = parts.flatMap(({ kind }, part) => (kind === 'tool-result' ? [{ entry: aside, part }] : []));
  const lengths = parts.map((part) => ('text' in part ? part.text.length : 0) + 1);
  const all = lengths.reduce((sum, length) => sum + length, 0);
  const going = results.reduce((sum, { part }) => sum + (lengths[part] ?? 0), 0);
  return { results, tokens: ((sizes.messages[aside] ?? 0) * going) / all };
}

type PartedResults = { readonly results: readonly PartAt[]; readonly tokens: number };

/** An earlier summary that stays loses the state behind it, so what follows stands behind a change too. */
function tellsState(entry: ViewEntry | undefined): boolean {
  const part = entry?.summary === undefined ? undefined : entry.message.parts[0];
  return part?.kind === 'text' && withoutState(part.text) !== part.text;
}

/**
 * Leaving an orphan out is a certain repair where others of its message or atom stay. One that stands by itself must have
 * something behind it, and not be what keeps a call from following an answer (G2), now or when one comes.
 */
function isCertain({ entries, atoms, assistantsMustAlternate }: Sized, index: number): boolean {
  const [before, entry, behind] = [entries[index - 1], entries[index], entries[index + 1]];
  const atom = atoms.list[atoms.atomOf[index] ?? -1];
  if (atom?.first !== atom?.last || (entry !== undefined && isPrompt(entry))) return true;
  if (behind === undefined || !assistantsMustAlternate) return behind !== undefined;
  return [before, behind].some((beside) => beside?.message.role === 'user');
}
