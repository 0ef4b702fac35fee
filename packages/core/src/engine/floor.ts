import type { Plan } from '../model/plan.ts';
import type { State } from './state.ts';

/** Tokens of what always stays, and what makes them up. */
export type Floor = {
  readonly tokens: number;
  readonly fixed: number;
  readonly livePrompt: number;
  /** Summaries of ours that nothing new can go into. */
  readonly summaries: number;
};

/** What the plan that keeps least keeps; all where nothing may be cut. */
export function floorOf({ view: { entries }, sizes, atoms }: State, least: Plan | undefined): Floor {
  const kept = least?.tail ?? entries.keys();
  let summaries = 0;
  for (const index of kept) {
    const { summary, filler } = entries[index] ?? {};
    if (summary !== undefined || filler) summaries += sizes.messages[index] ?? 0;
  }
  return {
    tokens: sizes.fixed + (least?.tokens.tail ?? sizes.history),
    fixed: sizes.fixed,
    livePrompt: sizes.messages[atoms.livePrompt ?? -1] ?? 0,
    summaries,
  };
}
