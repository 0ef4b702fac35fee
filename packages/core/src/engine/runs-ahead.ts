import { decide, type Situation } from '../decide/decide.ts';
import type { Plan } from '../model/plan.ts';
import { findRuns, type Run } from '../plan/runs.ts';
import type { Due } from './plans.ts';

// What a summary is expected to say of a message, and what stands around it: about as much as a mechanical one takes.
const OF_MESSAGE = 54;
const OF_FRAME = 48;

/**
 * A plan of one run with those behind it that the same call is expected to take, for a policy that goes on until no
 * threshold is reached; any other plan as it is. How long summaries will be is a guess.
 */
export function runsUntilBelow(plan: Plan, { request, state }: Due, situation: Situation): Plan {
  const { policy } = request;
  if (plan.split !== 'earliest-run' || policy.split.kind !== 'earliest-run' || policy.split.runs === 'one') return plan;
  const { view, sizes, atoms, start } = state;
  const runs = findRuns({ entries: view.entries, atoms, sizes, start }, policy.split.retain);
  let { tokens, messages } = situation;
  let count = 0;
  for (const run of runs) {
    const isDue = count === 0 || decide({ ...situation, tokens, messages }, policy, 'automatic').compact;
    if (!isDue) break;
    const shed = shedBy(run, sizes.messages, policy.summaryMaxTokens);
    tokens = { ...tokens, request: tokens.request - shed, history: tokens.history - shed };
    messages -= run.last - run.first;
    count += 1;
  }
  return withRuns(plan, runs.slice(0, count), sizes.messages);
}

function shedBy({ first, last }: Run, sizes: readonly number[], most: number): number {
  let summary = 0;
  let taken = 0;
  for (const size of sizes.slice(first, last + 1)) {
    taken += size;
    summary += Math.min(size, OF_MESSAGE);
  }
  return Math.max(taken - Math.min(summary, most) - OF_FRAME, 0);
}

function withRuns(plan: Plan, runs: readonly Run[], sizes: readonly number[]): Plan {
  const taken = new Set(plan.head);
  for (const { first, last } of runs) for (let index = first; index <= last; index += 1) taken.add(index);
  const head = [...taken].sort((a, b) => a - b);
  const tail = plan.tail.filter((index) => !taken.has(index));
  const added = head.reduce((sum, index) => sum + (sizes[index] ?? 0), 0) - plan.tokens.head;
  return {
    ...plan,
    head,
    tail,
    firstKept: tail.find((index) => index > (head.at(-1) ?? -1)) ?? sizes.length,
    dropsReasoning: plan.dropsReasoning.filter((index) => !taken.has(index)),
    dropsOrphans: plan.dropsOrphans.filter(({ entry }) => !taken.has(entry)),
    tokens: { ...plan.tokens, head: plan.tokens.head + added, tail: plan.tokens.tail - added },
  };
}
