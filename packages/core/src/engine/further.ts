import type { Finding } from '../model/finding.ts';
import { findRuns, MOST_RUNS } from '../plan/runs.ts';
import { joined } from './joined.ts';
import { mostAllowed } from './limits.ts';
import type { Outcome } from './outcome.ts';
import type { Request } from './request.ts';
import { stateOf } from './state.ts';

/** How one more run is taken, and how many model calls all of them may make. */
export type Runs = {
  readonly maxCalls: number;
  readonly compactOnce: (request: Request, maxCalls: number) => Promise<Outcome>;
};

/**
 * Takes further runs: while a threshold is reached, if the policy says so, and while the request does not fit. What users
 * said is only touched where all the runs together would not do, or one of them did not shrink.
 */
export async function compactFurther(first: Outcome, request: Request, using: Runs): Promise<Outcome> {
  const { split } = request.policy;
  const most = mostAllowed(request, first.tokens.before);
  const isRefused = first.status === 'failed-empty-summary' || first.status === 'failed-token-count';
  let outcome = first;
  let isWhole = isRefused;
  for (let run = 1; run < MOST_RUNS && !isWhole; run += 1) {
    const isTooLarge = outcome.tokens.after > most;
    const isWanted = split.kind === 'earliest-run' && split.runs === 'until-below' && outcome.counts.compressed > 0;
    if (!isTooLarge && !isWanted) return outcome;
    const callsLeft = using.maxCalls - outcome.records.reduce((sum, { calls }) => sum + calls, 0);
    const records = [...request.records, ...outcome.records];
    const rest: Request = { ...request, records, cause: isTooLarge ? 'manual' : 'automatic' };
    const hasStalled = run > 1 ? outcome.records.at(-1)?.covers.length === 0 : first.counts.compressed === 0;
    isWhole = isTooLarge && (hasStalled || !runsSuffice(rest, most));
    const next = await using.compactOnce(isWhole ? wholly(rest) : rest, callsLeft);
    outcome = joined(outcome, next);
    if (!isTooLarge && next.counts.compressed === 0) return outcome;
  }
  if (isWhole) return outcome;
  const finding: Finding = { code: 'unshrinkable', detail: `a threshold is still reached after ${MOST_RUNS} runs` };
  return { ...outcome, findings: [...outcome.findings, finding] };
}

function runsSuffice(request: Request, most: number): boolean {
  const { split } = request.policy;
  const { view, atoms, sizes, start } = stateOf(request, request.records);
  const retain = split.kind === 'earliest-run' ? split.retain : 0;
  const runs = findRuns({ entries: view.entries, atoms, sizes, start }, retain).slice(0, MOST_RUNS);
  const shed = runs
    .flatMap(({ first, last }) => sizes.messages.slice(first, last + 1))
    .reduce((sum, size) => sum + size, 0);
  return sizes.request - shed <= most;
}

function wholly(request: Request): Request {
  const split = { kind: 'everything' } as const;
  return { ...request, policy: { ...request.policy, split, goalSplit: split } };
}
