import type { Segment } from '../facts/segments.ts';
import type { Counter } from '../model/count.ts';
import type { Ledger } from '../model/facts.ts';
import { LAST_SAID, LATEST, type Prior } from './prior.ts';
import { cutAtWord, sentencesOf } from './units.ts';

/** What every digest says, whatever else fits: the goal, the plan, and where things stand. */
export type Frame = {
  readonly goal: readonly string[];
  readonly plan: readonly string[];
  /** Directory the paths are relative to. */
  readonly root: string;
  /** Sentences used here, not to be quoted again. */
  readonly said: readonly string[];
};

/** What the frame is made from. */
export type FrameSource = {
  readonly segments: readonly Segment[];
  readonly prior: Prior;
  readonly ledger: Ledger;
  readonly root: string;
};

/** Builds the frame within a third of the budget. */
export function frameOf({ segments, prior, ledger, root }: FrameSource, maxTokens: number, count: Counter): Frame {
  const share = Math.floor(maxTokens / 12);
  const fit = (text: string): readonly string[] => fitted(text, share, count);
  const prompts = segments.filter(({ origin }) => origin === 'prompt');
  const written = prompts.filter(({ text }) => !MACHINE.test(text));
  const asked = (written.length > 0 ? written : prompts).map(({ text }) => text);
  const answer = segments.findLast(({ origin }) => origin === 'answer')?.text;
  const isFirst = prior.goal[0] === undefined;
  const first = fit(prior.goal[0] ?? asked[0] ?? '');
  const latest = fit(asked.length > (isFirst ? 1 : 0) ? (asked.at(-1) ?? '') : labelled(prior.goal, LATEST));
  const standing = fit(answer ?? labelled(prior.plan, LAST_SAID));
  return {
    goal: [first.join(' ') || 'not stated', ...(latest.length === 0 ? [] : [`${LATEST}${latest.join(' ')}`])],
    plan: [
      ...newestTodos(ledger, prior.plan, { tokens: share, count }),
      ...(standing.length === 0 ? [] : [`${LAST_SAID}${standing.join(' ')}`]),
    ],
    root,
    said: [...first, ...latest, ...standing],
  };
}

// Prompts that programs write: tagged notices, console dumps.
const MACHINE = /^\s*(?:<|\[|# AGENTS)/;

function labelled(lines: readonly string[], label: string): string {
  return lines.find((line) => line.startsWith(label))?.slice(label.length) ?? '';
}

/** The first sentences of a text within a budget, or the start of the first one. */
function fitted(text: string, tokens: number, count: Counter): readonly string[] {
  const sentences = sentencesOf(cutAtWord(text, tokens * 12), 0).map((unit) => unit.text);
  const kept = within(sentences, { tokens, count });
  let [start = ''] = sentences;
  if (kept.length > 0 || start === '') return kept;
  while (start !== '' && count(start) > tokens) start = cutAtWord(start, Math.floor(start.length * 0.8));
  return start === '' ? [] : [start];
}

type Room = { readonly tokens: number; readonly count: Counter };

/** The first of the lines that fit. */
function within(lines: readonly string[], { tokens, count }: Room): readonly string[] {
  let left = tokens;
  const end = lines.findIndex((line) => {
    left -= count(line) + 1;
    return left < 0;
  });
  return end < 0 ? lines : lines.slice(0, end);
}

/** The newest list of todos, unfinished ones first in line; the earlier digest's where there is none since. */
function newestTodos({ entries }: Ledger, plan: readonly string[], room: Room): readonly string[] {
  const todos = Object.values(entries).filter(({ kind }) => kind === 'todo');
  const newest = todos.reduce((latest, { last }) => Math.max(latest, last), -1);
  const lines = todos
    .filter(({ last }) => last === newest)
    .sort((left, right) => Number(left.status === 'done') - Number(right.status === 'done'))
    .map(({ value, status = 'todo' }) => `[${status.toUpperCase()}] ${value.replace(/\s+/g, ' ')}`);
  return within(lines.length > 0 ? lines : plan.filter((line) => line.startsWith('[')), room);
}
