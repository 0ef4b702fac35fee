import type { Counter } from '../model/count.ts';
import type { Ledger } from '../model/facts.ts';
import type { Item } from './acts.ts';
import { squeezed } from './clean.ts';
import type { Group } from './drafts.ts';
import {
  CORRECTED,
  LAST_CHANGE,
  LAST_CHECK,
  LAST_SAID,
  LAST_STEP,
  LATEST,
  REJECTED,
  RULE,
  SAID_BEFORE,
  UNRESOLVED,
} from './labels.ts';
import { withoutAuthority } from './orders.ts';
import type { Prior } from './prior.ts';
import { quoteOf, type Room, requestWithin, startWithin } from './quote.ts';
import { questionTo, stillSaid } from './replies.ts';
import { carriedGoal, headedRequest, isCorrection, isGoOn } from './request.ts';
import { type Rule, rulesOf } from './rules.ts';
import { speakersIn, speakersLine } from './speakers.ts';
import { lastAnswer, NEXT, standingOf } from './standing.ts';
import { sentencesOf, shortened, type Unit, unitOf } from './units.ts';

/** What every digest says, whatever else fits: the goal, the user's rules, the plan, and where things stand. */
export type Frame = {
  readonly goal: readonly string[];
  readonly rules: readonly string[];
  readonly plan: readonly string[];
  /** Directory the paths are relative to. */
  readonly root: string;
  /** Sentences used here, not to be quoted again. */
  readonly said: readonly Unit[];
  /** An earlier digest had no room for all files that were changed. */
  readonly leftFiles: boolean;
};

/** What the frame is made from. */
export type FrameSource = {
  readonly items: readonly Item[];
  readonly groups: readonly Group[];
  readonly prior: Prior;
  readonly ledger: Ledger;
  readonly root: string;
  /** The prompt that is being answered, where it is known. */
  readonly request: string;
};

/** One part in so many of the budget. */
type Share = (share: number) => Room;

/** Builds the frame within half of the budget at most; in a few lines as much of the goal as leaves room for what was changed and what is broken. */
export function frameOf(source: FrameSource, maxTokens: number, count: Counter): Frame {
  const least = maxTokens < SMALL ? { goal: 7, said: 12 } : { goal: 12, said: 12 };
  for (const shares of maxTokens < ROOM_FOR_ALL ? AMPLE : []) {
    const frame = frameWithin(source, { maxTokens, count, shares });
    const lines = [...frame.goal, ...frame.rules, ...frame.plan];
    if (count(lines.join('\n')) <= maxTokens * FRAMED) return frame;
  }
  return frameWithin(source, { maxTokens, count, shares: least });
}

/** `isShort`: an old correction would take the place of what was asked since. */
type GoalRoom = Room & { readonly isShort: boolean };
const ROOMY = 2400;

/** One part in so many of the budget, for each of the two requests and for what was said last. */
type Shares = { readonly goal: number; readonly said: number };
type Budget = { readonly maxTokens: number; readonly count: Counter; readonly shares: Shares };

// In more there is room for whole sentences anyway.
const ROOM_FOR_ALL = 1200;
const AMPLE: readonly Shares[] = [
  { goal: 4, said: 6 },
  { goal: 5, said: 8 },
  { goal: 6, said: 10 },
];
const FRAMED = 0.5;

function frameWithin(source: FrameSource, { maxTokens, count, shares }: Budget): Frame {
  const room: Share = (share) => ({ tokens: Math.floor(Math.min(maxTokens, PAGE) / share), count });
  const { items, prior, ledger, root, groups } = source;
  const rules = rulesOf(items, prior.rules, {
    tokens: Math.min(maxTokens / 3.5, Math.max(RULES, room(8).tokens)),
    count,
  });
  const { goal, said } = goalOf(source, rules, { ...room(shares.goal), isShort: maxTokens < ROOMY });
  const before = labelled(prior.plan, LAST_SAID) || labelled(prior.plan, SAID_BEFORE);
  const { units: answer, isBefore, replies, overtaken } = lastAnswer(items, room(shares.said));
  const lastSaid = answer.length > 0 ? quoteOf(answer) : stillSaid(before, replies, room(shares.said));
  const standing = standingOf({ items, groups, root, lastSaid });
  return {
    goal,
    rules: [
      ...speakersLine(speakersIn(items, prior.speakers)),
      ...rules.filter(({ whole }) => !goal.some((line) => line.includes(whole))).map(({ text }) => `- ${RULE}${text}`),
    ],
    plan: [
      ...newestTodos(ledger, prior.plan, room(10)),
      ...standingWithin(standing.length > 0 ? standing : prior.plan.filter(isStanding), room),
      ...(lastSaid === '' ? [] : [`${isBefore ? SAID_BEFORE : LAST_SAID}${lastSaid}`]),
    ],
    root,
    said: [
      ...said,
      ...answer,
      ...overtaken,
      ...rules.flatMap(({ text, whole }) => [unitOf(text, 0), unitOf(whole, 0)]),
    ],
    leftFiles: prior.leftFiles,
  };
}

// In a few lines the goal and the rules matter most.
const SMALL = 500;
const RULES = 200;
// On more than a page or two the frame grows no further.
const PAGE = 5000;

const isStanding = (line: string): boolean =>
  [LAST_CHANGE, LAST_CHECK, LAST_STEP, REJECTED, UNRESOLVED].some((label) => line.startsWith(label));

/** The lines of where things stand that fit, and for certain what is broken, if need be the start of it alone. */
function standingWithin(lines: readonly string[], share: Share): readonly string[] {
  const room = share(16);
  const others = within(
    lines.filter((line) => !line.startsWith(UNRESOLVED)),
    { ...room, tokens: Math.max(room.tokens, Math.min(share(5).tokens, FEW_LINES)) },
  );
  const broken = lines.find((line) => line.startsWith(UNRESOLVED));
  return [...others, ...(broken === undefined ? [] : [brokenWithin(broken, share(6))])];
}

// The last change with a whole path, and how the last check ended.
const FEW_LINES = 60;

/** As many of the failures as fit, the newest first. */
function brokenWithin(line: string, room: Room): string {
  const names = line.split(NEXT_FAILURE);
  while (names.length > 1 && room.count(names.join(NEXT)) >= room.tokens) names.pop();
  return quoteOf(startWithin([unitOf(names.join(NEXT), 0)], [], room));
}

// A command may hold the same mark; what failed ends with a note of how, or is cut.
const NEXT_FAILURE = /(?<=[)…]); /;

function goalOf(
  { items, prior, request }: FrameSource,
  rules: readonly Rule[],
  room: GoalRoom,
): { goal: readonly string[]; said: readonly Unit[] } {
  const asked = items.flatMap((item) => (item.kind === 'asked' ? [item.text] : []));
  const real = asked.filter((text) => !isGoOn(text));
  const carried = carriedBefore(items);
  // They stand in lines of their own.
  const told = new Set(rules.map(({ whole }) => whole));
  const [known = ''] = prior.goal;
  const stated = carried === '' ? '' : carriedGoal(carried);
  const first = stated || (real[0] ?? asked[0] ?? (request || carried));
  const goal =
    known === '' ? [...commandBefore(items), ...requestWithin(headedRequest(first), room, told)] : [unitOf(known, 0)];
  const later = known === '' && stated === '' ? real.slice(1) : real;
  const newest = later.at(-1);
  const latest = newest === undefined ? [] : requestWithin(headedRequest(newest), room, told);
  const before = labelled(prior.goal, LATEST);
  const { corrections, shown } = correctionsOf({ later, prior: prior.goal, isWhole: later !== real }, told, room);
  const lines = [
    quoteOf(goal) || 'not stated',
    ...corrections,
    ...(latest.length > 0
      ? [`${LATEST}${quoteOf(latest)}${questionTo(newest ?? '', items)}`]
      : before === ''
        ? []
        : [`${LATEST}${before}`]),
  ];
  return { goal: lines, said: [...goal, ...shown, ...latest] };
}

/** Requests behind the goal, and the lines of an earlier digest; `isWhole`: the first of them came right behind the goal. */
type Later = { readonly later: readonly string[]; readonly prior: readonly string[]; readonly isWhole: boolean };

function correctionsOf(
  { later, prior, isWhole }: Later,
  told: ReadonlySet<string>,
  { isShort, ...room }: GoalRoom,
): { readonly corrections: readonly string[]; readonly shown: readonly Unit[] } {
  // An old one was dealt with long ago; without the one behind the goal, that would be false.
  const isNear = (at: number): boolean => !isShort || at >= later.length - RECENT || (at === 0 && isWhole);
  const corrected = later
    .slice(0, -1)
    .filter((text, at) => isNear(at) && isCorrection(text) && !isTold(text, told))
    .map((text) => requestWithin(text, { ...room, tokens: room.tokens / 3 }, told));
  const older = prior
    .filter((line) => line.startsWith(CORRECTED))
    .slice(0, isShort && later.length >= RECENT ? 1 : undefined);
  const corrections = newestWithin([...older, ...corrected.map(correctionLine)].slice(-CORRECTIONS), {
    ...room,
    tokens: room.tokens / 2,
  });
  return { corrections, shown: corrected.filter((units) => corrections.includes(correctionLine(units))).flat() };
}

const CORRECTIONS = 2;
// Requests.
const RECENT = 6;

const correctionLine = (units: readonly Unit[]): string => `${CORRECTED}${quoteOf(units)}`;

function isTold(text: string, told: ReadonlySet<string>): boolean {
  return sentencesOf(text, 0).every((unit) => told.has(unit.text));
}

/** A command of the harness in front of the first prompt: what follows is about it. */
function commandBefore(items: readonly Item[]): readonly Unit[] {
  const first = items.find(({ kind }) => kind === 'command' || kind === 'asked' || kind === 'earlier');
  if (first?.kind !== 'command' || (!first.isPrompt && items.some(({ kind }) => kind === 'asked'))) return [];
  return [unitOf(first.text, -2)];
}

/** A summary of another hand in front of the first prompt: what it says of the goal is older than that. */
function carriedBefore(items: readonly Item[]): string {
  const first = items.find(({ kind }) => kind === 'earlier' || kind === 'asked');
  return first?.kind === 'earlier' ? first.text : '';
}

function labelled(lines: readonly string[], label: string): string {
  return lines.find((line) => line.startsWith(label))?.slice(label.length) ?? '';
}

/** The lines that fit, those in front first. */
function within(lines: readonly string[], { tokens, count }: Room): readonly string[] {
  let left = tokens;
  return lines.filter((line) => {
    const cost = count(line) + 1;
    if (cost > left) return false;
    left -= cost;
    return true;
  });
}

function newestWithin(lines: readonly string[], room: Room): readonly string[] {
  return within([...lines].reverse(), room).toReversed();
}

/** The newest list of todos, unfinished ones first in line; the earlier digest's where there is none since. */
function newestTodos({ entries }: Ledger, plan: readonly string[], room: Room): readonly string[] {
  const todos = Object.values(entries).filter(({ kind, status }) => kind === 'todo' && status !== 'cancelled');
  const newest = todos.reduce((latest, { last }) => Math.max(latest, last), -1);
  const shown = todos.filter(({ last, call = '' }) => last === newest || call.startsWith('task '));
  const open = shown.filter(({ status }) => status !== 'done');
  const done = shown.filter(({ status }) => status === 'done').slice(-DONE);
  const mark = (list: readonly { readonly value: string; readonly status?: string }[]): readonly string[] =>
    list
      .filter(({ value }) => withoutAuthority(value) !== '')
      .map(({ value, status = 'todo' }) => `[${status.toUpperCase()}] ${squeezed(value)}`);
  // What is being done comes first.
  const isNow = ({ status }: { readonly status?: string }): boolean => status === 'in progress';
  const known = plan.filter((line) => line.startsWith('['));
  const isDone = (line: string): boolean => line.startsWith(DONE_MARK);
  return shown.length > 0
    ? todosWithin(mark([...open.filter(isNow), ...open.filter((todo) => !isNow(todo))]), mark(done), room)
    : todosWithin(
        known.filter((line) => !isDone(line)),
        known.filter(isDone),
        room,
      );
}

/** All that is open, if need be shortened; where that is too much, the first of it and how many more there are. Of a list that is done nothing is left to do. */
function todosWithin(open: readonly string[], done: readonly string[], room: Room): readonly string[] {
  const [first] = open;
  if (first === undefined) return [];
  const cost = (lines: readonly string[]): number => lines.reduce((sum, line) => sum + room.count(line) + 1, 0);
  for (const length of LENGTHS) {
    const lines = open.map((line) => shortened(line, length));
    if (cost(lines) <= room.tokens) return [...lines, ...within(done, { ...room, tokens: room.tokens - cost(lines) })];
  }
  const start = shortened(first, SHORTEST);
  const earlier = open.filter((line) => MORE.test(line));
  const rest = open.slice(1).filter((line) => !MORE.test(line));
  const shown = [
    start,
    ...within(
      rest.map((line) => shortened(line, SHORTEST)),
      { ...room, tokens: room.tokens - cost([start, moreOf(open.length)]) },
    ),
  ];
  const left = open.length - shown.length - earlier.length + earlier.reduce((sum, line) => sum + moreIn(line), 0);
  return left > 0 ? [...shown, moreOf(left)] : shown;
}

const LENGTHS = [400, 120, 96, 72];
const SHORTEST = 72;
const moreOf = (many: number): string => `[TODO] … ${many} more`;
const MORE = /^\[TODO\] … (\d+) more$/;
const moreIn = (line: string): number => Number(MORE.exec(line)?.[1] ?? 0);

// What is done is told elsewhere; the last few show how far the list is.
const DONE = 4;
const DONE_MARK = '[DONE]';
