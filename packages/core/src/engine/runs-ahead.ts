import { decide, type Situation } from '../decide/decide.ts';
import type { Plan } from '../model/plan.ts';
import { planRuns } from '../plan/plan.ts';
import { findRuns, MOST_RUNS, type Run } from '../plan/runs.ts';
import { mostAllowed } from './limits.ts';
import type { Due, Plans } from './plans.ts';

// What a summary is expected to say of a message, short or long, and what stands around it: about as much as a
// mechanical one takes.
const OF_SHORT = 0.6;
const OF_MESSAGE = 54;
const OF_FRAME = 42;

/** A call that is due, what it is decided by, and what it resorts to. */
type Ahead = Due & { readonly situation: Situation; readonly whole: Plans['whole'] };

/**
 * A plan of one run with those behind it that the same call is expected to take, while the request is too large or the
 * policy's thresholds are to be cleared; all that can go, where the runs would not do. Any other plan as it is. How long
 * summaries will be is a guess.
 */
export function runsAhead(plan: Plan, { request, state, situation, whole }: Ahead): Plan {
  const { policy, format } = request;
  const { split, summaryMaxTokens } = policy;
  if (plan.split !== 'earliest-run' || split.kind !== 'earliest-run') return plan;
  const { assistantsMustAlternate } = format;
  const sized = { ...state, entries: state.view.entries, assistantsMustAlternate };
  const most = mostAllowed(request, state.sizes.request);
  const runs: Run[] = [];
  let { tokens, messages } = situation;
  const isWanted = (): boolean =>
    split.runs !== 'one' && decide({ ...situation, tokens, messages }, policy, 'automatic').compact;
  for (const run of findRuns(sized, split.retain).slice(0, MOST_RUNS)) {
    if (runs.length > 0 && tokens.request <= most && !isWanted()) break;
    const shed = shedBy(sized.sizes.messages.slice(run.first, run.last + 1), summaryMaxTokens);
    tokens = { ...tokens, request: tokens.request - shed, history: tokens.history - shed };
    messages -= run.last - run.first;
    runs.push(run);
  }
  return tokens.request > most ? (whole() ?? plan) : planRuns(sized, split, runs);
}

function shedBy(sizes: readonly number[], most: number): number {
  let taken = 0;
  let summary = 0;
  for (const size of sizes) {
    taken += size;
    summary += Math.min(size * OF_SHORT, OF_MESSAGE);
  }
  return Math.max(taken - Math.min(summary, most) - OF_FRAME, 0);
}
