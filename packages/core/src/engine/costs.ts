import type { Situation } from '../decide/decide.ts';
import type { Payback } from '../model/cost.ts';
import type { Policy, Split } from '../model/policy.ts';
import type { Spent } from '../model/record.ts';
import type { Candidate } from './ladder.ts';
import type { World } from './ports.ts';
import type { State } from './state.ts';

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

/** What a compaction that was carried out costs and saves. */
export function paybackOf(
  state: State,
  { candidate, calls, usage }: { readonly candidate: Candidate } & Spent,
  { costs }: World,
): Payback | undefined {
  const { sizes } = state;
  const { plan } = candidate.rung;
  const before = sizes.request;
  const after = candidate.state.sizes.request;
  let unchanged = sizes.fixed;
  for (let index = 0; index < plan.anchor; index += 1) {
    if (state.view.entries[index]?.message.role !== 'system') unchanged += sizes.messages[index] ?? 0;
  }
  // Not every summarizer tells what it used.
  const summarizerInput = calls === 0 ? 0 : usage.inputTokens || plan.tokens.head;
  const summary = calls === 0 ? 0 : usage.outputTokens || Math.max(after - plan.tokens.fixed - plan.tokens.tail, 0);
  return costs?.({ before, after, unchanged: Math.min(unchanged, before, after), summarizerInput, summary });
}
