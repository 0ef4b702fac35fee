import { findAtoms } from '../atoms/atoms.ts';
import { atLeastReal, lastBarrier, measure } from '../count/measure.ts';
import type { Situation } from '../decide/decide.ts';
import type { Atoms } from '../model/atoms.ts';
import type { Sizes } from '../model/count.ts';
import { isPrompt, type View, type ViewEntry } from '../model/view.ts';
import { pastOf } from '../record/past.ts';
import { project } from '../record/project.ts';
import type { Request } from './request.ts';

/** A view with everything the stages ask of it. */
export type State = {
  readonly view: View;
  readonly sizes: Sizes;
  readonly atoms: Atoms;
  /** First entry a plan may touch. */
  readonly start: number;
};

/** Projects, measures and groups. Throws `CountFailure` where the counter fails. */
export function stateOf(request: Request, records: Request['records']): State {
  const view = project(request, records, request.policy.reuse);
  const sizes = measure(view.entries, request);
  const atoms = findAtoms(view.entries);
  const barrier = lastBarrier(view.entries);
  // The item stays with its atom: what it called and what answered belong to it.
  const start = barrier < 0 ? 0 : (atoms.list[atoms.atomOf[barrier] ?? -1]?.last ?? barrier) + 1;
  return { view, sizes, atoms, start };
}

/** The state a request is in now. */
export function currentState(request: Request): State {
  const state = stateOf(request, request.records);
  return { ...state, sizes: { ...state.sizes, request: atLeastReal(state.sizes.request, request.calibration) } };
}

/** What a decision needs to know, from scratch. */
export function situationOf(state: State, request: Request, now: number): Situation {
  const { entries } = state.view;
  const past = pastOf(request.records);
  return {
    tokens: state.sizes,
    messages: entries.length,
    turns: entries.filter(isPrompt).length,
    messagesSince: countExchanged(entriesSince(entries, request.ids, past.lastTips)),
    ...(past.lastAt === undefined ? {} : { secondsSince: Math.max(now - past.lastAt, 0) / 1000 }),
    hasPendingCall: state.atoms.list.some(({ pending }) => pending),
    isRunning: false,
    ...(past.latchedAt === undefined ? {} : { latchedAt: past.latchedAt }),
    ...(past.settled === undefined ? {} : { settled: past.settled }),
  };
}

/** Entries of messages that came after one of the tips; all of them where there is none. */
export function entriesSince(
  entries: readonly ViewEntry[],
  ids: readonly string[],
  tips: readonly string[],
): readonly ViewEntry[] {
  if (tips.length === 0) return entries;
  const tip = ids.findLastIndex((id) => tips.includes(id));
  return entries.filter(({ source }) => source !== undefined && source > tip);
}

/** Prompts and replies: an answer given in several messages counts once, tool results not at all. */
export function countExchanged(entries: readonly ViewEntry[]): number {
  let count = 0;
  let wasAssistant = false;
  for (const entry of entries) {
    const isAssistant = isAnswering(entry);
    if (isPrompt(entry) || (isAssistant && !wasAssistant)) count += 1;
    wasAssistant = isAssistant;
  }
  return count;
}

/** The assistant's own words or calls, not a summary in its place. */
export function isAnswering(entry: ViewEntry): boolean {
  return entry.message.role === 'assistant' && entry.summary === undefined && !entry.filler;
}
