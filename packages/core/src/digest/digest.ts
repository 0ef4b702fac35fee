import { estimateTokens } from '../count/heuristic.ts';
import { entriesOf } from '../facts/entries.ts';
import { extractFacts } from '../facts/extract.ts';
import type { Extracted } from '../facts/fact.ts';
import { closenessTo } from '../facts/focus.ts';
import { EMPTY_LEDGER, mergeFacts, openLedger } from '../facts/ledger.ts';
import { expectedUse } from '../facts/rank.ts';
import { segmentsOf } from '../facts/segments.ts';
import type { Counter } from '../model/count.ts';
import type { Ledger } from '../model/facts.ts';
import type { Message } from '../model/message.ts';
import { type Item, itemsOf } from './acts.ts';
import { actsOf, deedsOf } from './deeds.ts';
import type { Group } from './drafts.ts';
import { type Frame, frameOf } from './frame.ts';
import { groupItems } from './groups.ts';
import { rootOf } from './places.ts';
import { readPrior } from './prior.ts';
import { withReasons } from './reasons.ts';
import { renderDigest } from './render.ts';
import { Selection, type Worth } from './select.ts';
import { withNames } from './speakers.ts';
import { taskOf } from './task.ts';
import { candidatesOf, carriedOf, changesOf, failuresOf } from './worth.ts';

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
  /** Ids of the messages, in their order. */
  readonly ids?: readonly (string | undefined)[];
  /** The prompt that is being answered, where it stands outside of `messages`: the goal where they state none. */
  readonly request?: string;
};

/** A summary made from structure alone, never above `maxTokens`, and the ledger it rests on. */
export type Digest = { readonly text: string; readonly ledger: Ledger };

/** Summarizes messages without a model, in the sections of a state snapshot. */
export function digest(messages: readonly Message[], options: DigestOptions): Digest {
  const { maxTokens, count = estimateTokens, prior = '', first = 0, request = '' } = options;
  const ledger = ledgerOf(messages, options);
  const segments = messages.flatMap((message, index) => segmentsOf(message, first + index));
  const before = readPrior(prior);
  const root = before.root || rootOf(segments);
  const items = withNames(itemsOf(segments));
  const groups = withReasons(groupItems(items, before.drafts, root), maxTokens);
  const frame = frameOf({ items, groups, prior: before, ledger, root, request }, maxTokens, count);
  const selection = new Selection(candidatesOf(groups, maxTokens), worthOf(ledger, groups, items), count);
  selection.say(frame.said);
  selection.take(changesOf(groups), Math.max(maxTokens / CERTAIN, Math.min(maxTokens / 3, LIST)));
  selection.take(failuresOf(groups, maxTokens), maxTokens / CERTAIN);
  selection.take([...deedsOf(groups), ...actsOf(groups)], maxTokens / CERTAIN);
  selection.take(taskOf(groups, items), Math.min(maxTokens, PAGE) / CERTAIN);
  selection.take(carriedOf(groups), maxTokens / CERTAIN);
  return { text: filled({ frame, groups }, selection, { maxTokens, count }), ledger };
}

function ledgerOf(messages: readonly Message[], options: DigestOptions): Ledger {
  const { prior = '', first = 0, ids = [] } = options;
  const open = openLedger(options.ledger ?? mergeFacts(EMPTY_LEDGER, factsOfPrior(prior, first)));
  for (const [at, message] of messages.entries()) open.add(extractFacts(message, { index: first + at, id: ids[at] }));
  return open.read();
}

// Share of the budget that what others see, failures, changed files, a document that is the task and an earlier summary's state
// have for certain.
const CERTAIN = 8;
// In a few lines the names of a dozen changed files come before any quote.
const LIST = 250;
// Where there is more room, a document that matters is quoted for its worth.
const PAGE = 2400;

/** The frame with as many quotes as fit; less than the frame where even that is too long. */
function filled(
  { frame, groups }: { readonly frame: Frame; readonly groups: readonly Group[] },
  selection: Selection,
  { maxTokens, count }: { maxTokens: number; count: Counter },
): string {
  let text = renderDigest(frame, selection.chosen, groups);
  for (let round = 0; round < ROUNDS && count(text) < maxTokens; round += 1) {
    if (round > 0) selection.stretch();
    selection.spend(maxTokens - count(text));
    text = renderDigest(frame, selection.chosen, groups);
  }
  // The sum of the parts may differ from the whole by the counter's rounding.
  for (let kept = selection.chosen.length; kept > 0 && count(text) > maxTokens; ) {
    kept -= 1;
    text = renderDigest(frame, selection.chosen.slice(0, kept), groups);
  }
  if (count(text) <= maxTokens) return text;
  const [goal = ''] = frame.goal;
  for (const less of [
    { ...frame, plan: [] },
    { ...frame, goal: [goal], plan: [] },
    { ...frame, goal: [goal], plan: [], rules: [] },
  ]) {
    text = renderDigest(less, [], groups);
    if (count(text) <= maxTokens) return text;
  }
  return '';
}

const ROUNDS = 6;

function worthOf(ledger: Ledger, groups: readonly Group[], items: readonly Item[]): Worth {
  const newestPrompt = items.findLast(({ kind }) => kind === 'asked')?.source;
  const at = newestPrompt === undefined ? { newest: ledger.newest } : { newest: ledger.newest, newestPrompt };
  const closeTo = closenessTo(atHand(items), ledger);
  const times = new Map<string, number>();
  for (const { section, units } of groups) {
    if (section !== 'key_knowledge') continue;
    for (const { words } of units) for (const word of words) times.set(word, (times.get(word) ?? 0) + 1);
  }
  return {
    keys: new Map(Array.from(entriesOf(ledger), ([key, entry]) => [key, expectedUse(entry, at, closeTo)])),
    words: new Map([...times].map(([word, seen]) => [word, WORD * Math.sqrt(Math.min(seen, 3))])),
  };
}

const WORD = 0.005;

/** What the assistant is at: the requests, its last words, its last steps. */
function atHand(items: readonly Item[]): readonly string[] {
  const asked = items.flatMap((item) => (item.kind === 'asked' ? [item.text.slice(0, 4000)] : []));
  const said = items.flatMap((item) => (item.kind === 'answer' ? [item.text.slice(0, 3000)] : []));
  const done = items.flatMap((item) => (item.kind === 'act' ? [item.act.call.text.slice(0, 400)] : []));
  const texts = [[...asked.slice(0, 1), ...asked.slice(-2)], said.slice(-3), done.slice(-6)];
  return texts.map((list) => list.join('\n'));
}

/** Where no ledger is given, what an earlier summary names was worth keeping once. */
function factsOfPrior(prior: string, first: number): readonly Extracted[] {
  const message: Message = { role: 'assistant', parts: [{ kind: 'text', text: prior }], native: undefined };
  return extractFacts(message, first - 1).map((fact) =>
    fact.kind === 'news' ? fact : { ...fact, among: Math.min(fact.among, 5) },
  );
}
