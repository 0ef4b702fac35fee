import { keysOf } from '../facts/diff.ts';
import type { Extracted } from '../facts/fact.ts';
import type { Ledger } from '../model/facts.ts';
import type { Message } from '../model/message.ts';
import { once } from '../model/once.ts';
import { type Speakers, spokenParts } from './instructions.ts';
import { occurringIn } from './occurrences.ts';
import { type Outcomes, readOutcomes } from './outcomes.ts';
import { type Exchange, readPrompts, type Said } from './prompts.ts';
import { stemsOf } from './words.ts';

/** What a summary stands for: messages with their place in the conversation, and the summary before them. */
export type KeptSource = {
  readonly head: readonly Placed[];
  /** Messages behind them that the summarizer was shown. */
  readonly recent?: readonly Placed[];
  readonly prior: string;
  /** Facts of what `prior` stands for, where they are known. */
  readonly ledger?: Ledger;
  /** What the user says they are working on. */
  readonly goal?: string;
  /** The prompt that is being worked on and stays as it is. */
  readonly livePrompt?: string;
  /** Ids of the messages, by place. */
  readonly ids?: readonly string[];
};

type Placed = { readonly message: Message; readonly index: number };

/** What a summary was made from, as far as its claims go; each part is read when a claim first needs it. */
export type Grounds = {
  /** Whether an identifier is known by its key. */
  readonly isKnown: (key: string) => boolean;
  /** Which values stand somewhere in the source as whole words. */
  readonly occurring: (values: readonly string[]) => ReadonlySet<string>;
  readonly said: () => Said;
  readonly outcomes: () => Outcomes;
  /** Facts of all of the source. */
  readonly ledger: Ledger;
  readonly speakers: () => Speakers;
  readonly idAt: (index: number) => string | undefined;
};

/** Commands of a source's messages with news of them, and the ledger of all of it. */
export type Known = { readonly runs: readonly Extracted[]; readonly ledger: Ledger };

/** Makes the grounds of a source. `isTagged` tells lines that earlier rounds doubted. */
export function groundsOf(source: KeptSource, known: Known, isTagged: (line: string) => boolean): Grounds {
  const { runs, ledger } = known;
  const { head, recent = [], prior, goal = '', ids = [] } = source;
  const placed = [...head, ...recent];
  const priorLines = once(() => prior.split('\n').filter((line) => line.trim() !== '' && !isTagged(line)));
  const keys = once(() => new Set([...Object.keys(ledger.entries), ...keysOf(prior), ...keysOf(goal)]));
  const texts = once(() => [goal, prior, ...placed.flatMap(({ message }) => textsOf(message))]);
  const names = once(() => [...keys()].join('\n'));
  const exchanges = once(() => exchangesOf(placed));
  const prompts = once(() => [goal, ...exchanges().map(({ prompt }) => prompt)]);
  return {
    isKnown: (key) => keys().has(key),
    occurring: (values) => occurringIn(values, { texts: texts(), names: names() }),
    said: once(() => readPrompts(exchanges(), [goal, ...demandsOf(source.ledger), ...priorLines()])),
    outcomes: once(() => readOutcomes({ placed, runs, ledger: source.ledger, told: [...prompts(), ...priorLines()] })),
    speakers: once(() => ({
      user: spokenParts([...prompts(), ...demandsOf(source.ledger), ...priorLines()]),
      assistant: ownTexts(placed).map(stemsOf),
    })),
    ledger,
    idAt: (index) => ids[index],
  };
}

/** The user's own words, and the answer each of them follows. */
export function exchangesOf(placed: readonly Placed[]): readonly Exchange[] {
  const exchanges: Exchange[] = [];
  let answer = '';
  for (const { message } of placed) {
    const texts = message.parts.flatMap((part) => (part.kind === 'text' ? [part.text] : []));
    if (message.role === 'assistant' && texts.length > 0) answer = texts.join('\n');
    if (message.role === 'user' && texts.length > 0) exchanges.push({ prompt: texts.join('\n'), answer });
  }
  return exchanges;
}

function demandsOf(ledger: Ledger | undefined): readonly string[] {
  return Object.values(ledger?.entries ?? {})
    .filter(({ kind }) => kind === 'demand')
    .map(({ value }) => value);
}

function ownTexts(placed: readonly Placed[]): readonly string[] {
  return placed
    .filter(({ message }) => message.role === 'assistant')
    .flatMap(({ message }) => textsOf(message).map((text) => text.slice(0, LONGEST_OWN)));
}

// A file that was written whole says little about what the assistant means to do.
const LONGEST_OWN = 20_000;

function textsOf({ parts }: Message): readonly string[] {
  return parts.flatMap((part) => {
    if (part.kind === 'tool-call') return [part.name, part.input];
    return part.kind === 'text' || part.kind === 'tool-result' ? [part.text] : [];
  });
}
