import type { Situation } from '../decide/decide.ts';
import type { Policy, Split } from '../model/policy.ts';
import type { World } from './ports.ts';

/** A situation that also knows what a compaction is expected to cost and save, where there are prices. */
export function priced(situation: Situation, policy: Policy, { costs, summarizer }: World): Situation {
  if (costs === undefined) return situation;
  const { request, history, fixed } = situation.tokens;
  const writes = summarizer !== undefined;
  const summary = Math.min(policy.summaryMaxTokens, history);
  const after = Math.min(fixed + summary + keptBy(policy.split, history), request);
  const figures = { before: request, after, unchanged: Math.min(fixed, after) };
  const asked = { summarizerInput: writes ? history : 0, summary: writes ? summary : 0 };
  return { ...situation, payback: () => costs({ ...figures, ...asked }) };
}

/** Tokens of the history a split keeps. */
function keptBy(split: Split, history: number): number {
  switch (split.kind) {
    case 'share':
    case 'since-last-prompt':
      return split.keep * history;
    case 'recent-ratio':
      return split.ratio * history;
    case 'recent-tokens':
      return Math.min(split.tokens, history);
    // One run of several; how much of the history it is cannot be known here.
    case 'earliest-run':
      return history / 2;
    case 'everything':
      return 0;
    default:
      return split satisfies never;
  }
}
