import { keysOf } from '../facts/diff.ts';
import { entriesOf } from '../facts/entries.ts';
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
  const entries = entriesOf(ledger);
  const { head, recent = [], prior, goal = '', ids = [] } = source;
  const placed = [...head, ...recent];
  const priorLines = once(() => toldLines(prior).filter((line) => !isTagged(line)));
  const told = once(() => new Set([...keysOf(prior), ...keysOf(goal)]));
  const texts = once(() => [goal, prior, ...textsOf(placed)]);
  const names = once(() => [...entries.keys(), ...told()].join('\n'));
  const exchanges = once(() => exchangesOf(placed));
  const prompts = once(() => [goal, ...exchanges().map(({ prompt }) => prompt)]);
  return {
    isKnown: (key) => entries.has(key) || told().has(key),
    occurring: (values) => occurringIn(values, { texts, names }),
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

/** Lines of an earlier summary that may tell what the user said: nothing that a digest quotes of tools and of the assistant. */
function toldLines(prior: string): readonly string[] {
  let isQuoting = false;
  return prior.split('\n').filter((line) => {
    const tag = /^<(\/?)(?:file_system_state|recent_actions)>$/.exec(line);
    if (tag !== null) isQuoting = tag[1] === '';
    return line.trim() !== '' && !(isQuoting && line.startsWith('  ')) && !OTHERS.test(line);
  });
}

const OTHERS = /^(?:- Assistant: |Last said: )/;

/** The user's own words, and the answer each of them follows. */
export function exchangesOf(placed: readonly Placed[]): readonly Exchange[] {
  const exchanges: Exchange[] = [];
  let answer = '';
  for (const { message } of placed) {
    if (message.role !== 'assistant' && message.role !== 'user') continue;
    const text = wordsOf(message);
    if (text === undefined) continue;
    if (message.role === 'assistant') answer = text;
    else exchanges.push({ prompt: text, answer });
  }
  return exchanges;
}

/** What a message says in words; `undefined` where it only calls or answers calls. */
function wordsOf({ parts }: Message): string | undefined {
  let words: string | undefined;
  for (const part of parts) {
    if (part.kind === 'text') words = words === undefined ? part.text : `${words}\n${part.text}`;
  }
  return words;
}

function demandsOf(ledger: Ledger | undefined): readonly string[] {
  return Object.values(ledger?.entries ?? {})
    .filter(({ kind }) => kind === 'demand')
    .map(({ value }) => value);
}

function ownTexts(placed: readonly Placed[]): readonly string[] {
  const own = placed.filter(({ message }) => message.role === 'assistant');
  return textsOf(own).map((text) => text.slice(0, LONGEST_OWN));
}

// A file that was written whole says little about what the assistant means to do.
const LONGEST_OWN = 20_000;

function textsOf(placed: readonly Placed[]): readonly string[] {
  const texts: string[] = [];
  for (const { message } of placed) {
    for (const part of message.parts) {
      if (part.kind === 'tool-call') texts.push(part.name, part.input);
      else if (part.kind === 'text' || part.kind === 'tool-result') texts.push(part.text);
    }
  }
  return texts;
}
