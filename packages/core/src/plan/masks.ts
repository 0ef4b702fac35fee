import type { PartAt } from '../model/atoms.ts';
import type { ToolCallPart, ToolResultPart } from '../model/message.ts';
import type { Plan } from '../model/plan.ts';
import type { MaskRule } from '../model/policy.ts';
import { isPrompt } from '../model/view.ts';
import type { Sized } from './cuts.ts';

/** The plan that shows old tool results as placeholders; `undefined` where none can be, or bound reasoning forbids it. */
export function planMask(sized: Sized, rule: MaskRule, excess: number): Plan | undefined {
  const masks = planMasks(sized, rule, excess);
  const anchor = masks[0]?.entry;
  const { entries, sizes, atoms } = sized;
  if (anchor === undefined || atoms.boundLoop !== undefined) return undefined;
  return {
    split: 'mask',
    head: [],
    tail: entries.map((_, index) => index),
    anchor,
    firstKept: 0,
    dropsReasoning: boundFrom(sized, anchor),
    dropsOrphans: [],
    masks,
    tokens: { head: 0, tail: sizes.history, fixed: sizes.fixed },
  };
}

/** Entries from here on whose bound reasoning must go, because something in front of them changes (A12). */
function boundFrom({ entries }: Sized, anchor: number): readonly number[] {
  return entries.flatMap(({ message }, index) =>
    index >= anchor && message.parts.some((part) => part.kind === 'reasoning' && part.bound) ? [index] : [],
  );
}

/**
 * Old tool results to show as placeholders: first those a later result of the same call supersedes, then the oldest, until
 * `excess` tokens are shed. The newest are protected by a token budget, some tools by name; nothing is masked twice.
 */
export function planMasks(sized: Sized, rule: MaskRule, excess: number): readonly PartAt[] {
  const results = resultsOf(sized);
  const subjects = subjectsOf(sized);
  const seen = new Set<string>();
  const stale: Result[] = [];
  const old: Result[] = [];
  let protectedTokens = rule.protectTokens;
  for (const result of results.reverse()) {
    const subject = subjects.get(result.part.callId);
    const isSuperseded = subject !== undefined && seen.has(subject);
    if (subject !== undefined) seen.add(subject);
    protectedTokens -= result.tokens;
    if (!isMaskable(sized, rule, result)) continue;
    if (isSuperseded) stale.unshift(result);
    else if (protectedTokens < 0) old.unshift(result);
  }
  return firstOf([...stale, ...old], excess);
}

type Result = { readonly at: PartAt; readonly part: ToolResultPart; readonly tokens: number };

function resultsOf({ entries, sizes, start }: Sized): Result[] {
  const results: Result[] = [];
  for (let entry = start; entry < entries.length; entry += 1) {
    const parts = entries[entry]?.message.parts ?? [];
    const shared = parts.filter(({ kind }) => kind === 'tool-result').length;
    parts.forEach((part, index) => {
      if (part.kind !== 'tool-result') return;
      results.push({ at: { entry, part: index }, part, tokens: (sizes.messages[entry] ?? 0) / shared });
    });
  }
  return results;
}

/** What each call looks at, by call id: of two calls of one tool on the same thing the later one knows better. */
function subjectsOf({ entries }: Sized): ReadonlyMap<string, string> {
  const subjects = new Map<string, string>();
  for (const { message } of entries) {
    for (const part of message.parts) if (part.kind === 'tool-call') subjects.set(part.callId, subjectOf(part));
  }
  return subjects;
}

// A file read again with another range shows it as it is now; a range of its own is no other file.
const PLACE = /"(?:file_?path|path|file_?name|file|uri|url)"\s{0,3}:\s{0,3}("[^"]{1,400}")/i;

function subjectOf({ name, input }: ToolCallPart): string {
  return `${name} ${PLACE.exec(input.slice(0, 4000))?.[1] ?? input}`;
}

// A placeholder takes about half of this.
const LEAST_RESULT = 80;

function isMaskable({ entries, atoms }: Sized, rule: MaskRule, { at, part, tokens }: Result): boolean {
  const entry = entries[at.entry];
  const isPending = atoms.list[atoms.atomOf[at.entry] ?? -1]?.pending === true;
  if (entry === undefined || isPending || tokens < LEAST_RESULT || rule.protectTools.includes(part.name)) return false;
  // Results of the provider's own tools have schemas without room for a placeholder.
  const isServers = entry.message.role === 'assistant';
  // An entry that was edited before is masked already; one with words of the user stays as they sent it.
  return !isServers && entry.recordId === undefined && !isPrompt(entry);
}

function firstOf(results: readonly Result[], excess: number): readonly PartAt[] {
  const masks: PartAt[] = [];
  let shed = 0;
  for (const { at, tokens } of results) {
    if (shed >= excess) break;
    shed += tokens;
    masks.push(at);
  }
  return masks.sort((a, b) => a.entry - b.entry || a.part - b.part);
}
