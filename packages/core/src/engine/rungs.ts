import type { Plan } from '../model/plan.ts';
import type { Request } from './request.ts';

/** One way to shrink. `marker` leaves the head out and says so in the view, `nobody` only in the record. */
export type Rung = {
  readonly name: 'own' | 'retry' | 'tighten' | 'mechanical' | 'truncate';
  readonly plan: Plan;
  readonly maxTokens: number;
  readonly writer: 'model' | 'mechanical' | 'marker' | 'nobody';
};

/** What a ladder is built from: the preset's own plan, and the one that keeps only what always stays. */
export type LadderPlans = {
  readonly own: Plan | undefined;
  readonly whole: Plan | undefined;
  readonly room: number;
  readonly isReachable: boolean;
};

// Less than this says nothing worth its frame.
const LEAST_SUMMARY = 48;

/** The rungs in order. All but the first are climbed only while the ceiling is not met. */
export function rungsOf(
  { policy }: Pick<Request, 'policy'>,
  { own, whole, room, isReachable }: LadderPlans,
): readonly Rung[] {
  const cap = policy.summaryMaxTokens;
  const rungs: Rung[] = [];
  if (own !== undefined) rungs.push({ name: 'own', plan: own, maxTokens: cap, writer: 'model' });
  for (let attempt = 1; own !== undefined && attempt <= policy.attempts; attempt += 1) {
    rungs.push({ name: 'retry', plan: own, maxTokens: Math.max(Math.floor(cap / 2 ** attempt), 16), writer: 'model' });
  }
  // Runs are taken one by one; what is left when there are no more has no own plan and comes here again.
  if (whole === undefined || own?.split === 'earliest-run') return rungs;
  if (own === undefined || own.head.length < whole.head.length) {
    rungs.push({ name: 'tighten', plan: whole, maxTokens: Math.ceil(cap / 2), writer: 'model' });
  }
  if (room >= LEAST_SUMMARY) {
    rungs.push({ name: 'mechanical', plan: whole, maxTokens: Math.min(room, cap), writer: 'mechanical' });
  }
  // Nothing is left out for a limit that this would not meet either.
  for (const writer of isReachable ? (['marker', 'nobody'] as const) : []) {
    rungs.push({ name: 'truncate', plan: whole, maxTokens: 0, writer });
  }
  return rungs;
}
