import { findAtoms } from '../atoms/atoms.ts';
import { lastBarrier, measure } from '../count/measure.ts';
import type { Situation } from '../decide/decide.ts';
import type { Atoms } from '../model/atoms.ts';
import type { Sizes } from '../model/count.ts';
import type { CompactionRecord } from '../model/record.ts';
import { beginsTurn, countMessages, type View, type ViewEntry } from '../model/view.ts';
import { type Past, pastOf } from '../record/past.ts';
import { project } from '../record/project.ts';
import type { Request } from './request.ts';

/** A view and what it weighs. */
export type MeasuredView = { readonly view: View; readonly sizes: Sizes };

/** A view with everything the stages ask of it. */
export type State = MeasuredView & {
  readonly atoms: Atoms;
  /** First entry a plan may touch. */
  readonly start: number;
};

/** Projects and measures. Throws `CountFailure` where the counter fails. */
export function measuredView(request: Request, records: Request['records']): MeasuredView {
  const view = project(request, records, request.policy.reuse);
  return { view, sizes: measure(view.entries, request) };
}

/** Projects, measures and groups. Throws `CountFailure` where the counter fails. */
export function stateOf(request: Request, records: Request['records']): State {
  const { view, sizes } = measuredView(request, records);
  const atoms = findAtoms(view.entries);
  const barrier = lastBarrier(view.entries);
  // The item stays with its atom: what it called and what answered belong to it.
  const start = barrier < 0 ? 0 : (atoms.list[atoms.atomOf[barrier] ?? -1]?.last ?? barrier) + 1;
  return { view, sizes, atoms, start };
}

/** The state a request is in now. */
export function currentState(request: Request): State {
  return stateOf(request, request.records);
}

/** What a decision needs to know, from scratch. */
export function situationOf(state: State, request: Request, now: number): Situation {
  const { entries } = state.view;
  const past = pastOf(request.records);
  return {
    tokens: state.sizes,
    messages: countMessages(entries),
    turns: entries.filter(beginsTurn).length,
    messagesSince: countExchanged(past.last === undefined ? entries : entriesSince(entries, request.ids, past.last)),
    hasPendingCall: state.atoms.list.some(({ pending }) => pending),
    isRunning: false,
    ...figuresOf(past, now),
  };
}

/** What earlier attempts add to a situation. */
export function figuresOf(
  { last, latchedAt, settled }: Past,
  now: number,
): Pick<Situation, 'secondsSince' | 'latchedAt' | 'settled'> {
  // Nearly always there is none: an appended message is decided on in microseconds.
  if (last === undefined) return {};
  return {
    secondsSince: Math.max(now - last.at, 0) / 1000,
    ...(latchedAt === undefined ? {} : { latchedAt }),
    ...(settled === undefined ? {} : { settled }),
  };
}

/** Entries of messages that came after an attempt; all of them where there was none. */
export function entriesSince(
  entries: readonly ViewEntry[],
  ids: readonly string[],
  last: CompactionRecord | undefined,
): readonly ViewEntry[] {
  if (last === undefined) return entries;
  const tip = last.tipId === undefined ? -1 : ids.lastIndexOf(last.tipId);
  // Where the view it made became the history, its ids are gone but its summary is known again.
  const isReplaced = tip < 0 && last.text !== '' && entries.some(({ summary }) => summary === last.text);
  const newest = isReplaced ? last.counts.after - 1 : tip;
  return entries.filter(({ source }) => source !== undefined && source > newest);
}

/** Prompts and replies: an answer given in several messages counts once, tool results not at all. */
export function countExchanged(entries: readonly ViewEntry[]): number {
  let count = 0;
  let wasAssistant = false;
  for (const entry of entries) {
    const isAssistant = isAnswering(entry);
    if (beginsTurn(entry) || (isAssistant && !wasAssistant)) count += 1;
    wasAssistant = isAssistant;
  }
  return count;
}

/** The assistant's own words or calls, not a summary in its place. */
export function isAnswering(entry: ViewEntry): boolean {
  return entry.message.role === 'assistant' && entry.summary === undefined && !entry.filler;
}
