import { estimateTokens } from '../count/heuristic.ts';
import { extractFacts } from '../facts/extract.ts';
import type { Fact } from '../facts/fact.ts';
import { EMPTY_LEDGER, mergeFacts } from '../facts/ledger.ts';
import { rankFacts } from '../facts/rank.ts';
import { type Segment, segmentsOf } from '../facts/segments.ts';
import type { Counter } from '../model/count.ts';
import type { Ledger } from '../model/facts.ts';
import type { Message } from '../model/message.ts';
import { type Frame, frameOf } from './frame.ts';
import { type Group, groupSegments } from './groups.ts';
import { rootOf } from './places.ts';
import { readPrior } from './prior.ts';
import { renderDigest } from './render.ts';
import { type Candidate, Selection, type Worth } from './select.ts';
import { unitOf } from './units.ts';

/** How long a digest may be, and what it continues. */
export type DigestOptions = {
  readonly maxTokens: number;
  readonly count?: Counter;
  /** The digest, or any summary, of everything before `messages`. */
  readonly prior?: string;
  /** The ledger of everything before `messages`. */
  readonly ledger?: Ledger;
  /** Index of the first message in the conversation. */
  readonly first?: number;
};

/** A summary made from structure alone, never above `maxTokens`, and the ledger it rests on. */
export type Digest = { readonly text: string; readonly ledger: Ledger };

/** Summarizes messages without a model, in the sections of a state snapshot. */
export function digest(messages: readonly Message[], options: DigestOptions): Digest {
  const { maxTokens, count = estimateTokens, prior = '', first = 0 } = options;
  const ledger = mergeFacts(
    options.ledger ?? mergeFacts(EMPTY_LEDGER, factsOfPrior(prior, first)),
    messages.flatMap((message, index) => extractFacts(message, first + index)),
  );
  const segments = messages.flatMap((message, index) => segmentsOf(message, first + index));
  const before = readPrior(prior);
  const root = before.root || rootOf(segments);
  const groups = groupSegments(segments, before.drafts, root);
  const frame = frameOf({ segments, prior: before, ledger, root }, maxTokens, count);
  const prompts = groups.filter(({ speaker }) => speaker === 'User').length;
  const candidates = groups.flatMap((group) => candidatesOf(group, prompts));
  const selection = new Selection(candidates, worthOf(ledger, groups, segments), count);
  selection.say(frame.said.map((text) => unitOf(text, 0)));
  return { text: filled(frame, selection, { maxTokens, count }), ledger };
}

/** The frame with as many quotes as fit; less than the frame where even that is too long. */
function filled(
  frame: Frame,
  selection: Selection,
  { maxTokens, count }: { maxTokens: number; count: Counter },
): string {
  let text = renderDigest(frame, []);
  for (let round = 0; round < ROUNDS && count(text) < maxTokens; round += 1) {
    selection.spend(maxTokens - count(text));
    text = renderDigest(frame, selection.chosen);
  }
  // The sum of the parts may differ from the whole by the counter's rounding.
  for (let kept = selection.chosen.length; kept > 0 && count(text) > maxTokens; ) {
    kept -= 1;
    text = renderDigest(frame, selection.chosen.slice(0, kept));
  }
  if (count(text) <= maxTokens) return text;
  const [goal = ''] = frame.goal;
  for (const less of [
    { ...frame, plan: [] },
    { ...frame, goal: [goal], plan: [] },
  ]) {
    text = renderDigest(less, []);
    if (count(text) <= maxTokens) return text;
  }
  return '';
}

const ROUNDS = 4;

function candidatesOf(group: Group, prompts: number): readonly Candidate[] {
  const header: Candidate = { group, unit: unitOf('', -1), bonus: group.isChange ? CHANGE : 0 };
  const share = Math.min(1, FEW / prompts);
  const quotes = group.units.map((unit, index) => ({ group, unit, bonus: share * bonusOf(group, index) }));
  return group.speaker === undefined ? [header, ...quotes] : quotes;
}

// What a changed file, and the first sentences of what someone said, are worth beside the identifiers in them; where
// many prompts share the budget, each is worth less.
const CHANGE = 0.1;
const FEW = 12;

function bonusOf({ speaker, units }: Group, index: number): number {
  if (speaker === undefined || (units[index]?.words.length ?? 0) < 3) return 0;
  if (speaker === 'User') return index < 3 ? 0.2 : 0.02;
  return index === 0 ? 0.02 : 0;
}

function worthOf(ledger: Ledger, groups: readonly Group[], segments: readonly Segment[]): Worth {
  const newestPrompt = segments.findLast(({ origin }) => origin === 'prompt')?.source;
  const ranked = rankFacts(ledger, newestPrompt === undefined ? {} : { newestPrompt });
  const times = new Map<string, number>();
  for (const { section, units } of groups) {
    if (section !== 'key_knowledge') continue;
    for (const { words } of units) for (const word of words) times.set(word, (times.get(word) ?? 0) + 1);
  }
  return {
    keys: new Map(ranked.map(({ key, use }) => [key, use])),
    words: new Map([...times].map(([word, count]) => [word, WORD * Math.sqrt(Math.min(count, 3))])),
  };
}

const WORD = 0.005;

/** Where no ledger is given, what an earlier summary names was worth keeping once. */
function factsOfPrior(prior: string, first: number): readonly Fact[] {
  const message: Message = { role: 'assistant', parts: [{ kind: 'text', text: prior }], native: undefined };
  return extractFacts(message, first - 1).map((fact) => ({ ...fact, among: Math.min(fact.among, 5) }));
}
