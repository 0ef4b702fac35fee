import type { Plan } from '../model/plan.ts';
import type { Policy } from '../model/policy.ts';

/** One way to shrink. `marker` leaves the head out and says so in the view, `nobody` only in the record. */
export type Rung = {
  readonly name: 'mask' | 'own' | 'retry' | 'tighten' | 'mechanical' | 'truncate';
  readonly plan: Plan;
  readonly maxTokens: number;
  readonly writer: 'model' | 'mechanical' | 'mask' | 'marker' | 'nobody';
};

/** What lies beyond the preset's own plan: the plan that keeps only what always stays, and what fits beside that. */
export type Beyond = { readonly whole: Plan | undefined; readonly room: number; readonly isReachable: boolean };

// Less than this says nothing worth its frame.
const LEAST_SUMMARY = 48;

/** What the policy itself would do: placeholders first, then its own plan. */
export type OwnPlans = { readonly masked: Plan | undefined; readonly own: Plan | undefined };

/** The rungs in order, each made when it is reached. All but the first are climbed only while a limit is not met. */
export function* rungsOf(policy: Policy, { masked, own }: OwnPlans, beyond: () => Beyond): Generator<Rung> {
  const cap = policy.summaryMaxTokens;
  if (masked !== undefined) yield { name: 'mask', plan: masked, maxTokens: 0, writer: 'mask' };
  if (own !== undefined) yield { name: 'own', plan: own, maxTokens: cap, writer: 'model' };
  for (let attempt = 1; own !== undefined && attempt <= policy.attempts; attempt += 1) {
    yield { name: 'retry', plan: own, maxTokens: Math.max(Math.floor(cap / 2 ** attempt), 16), writer: 'model' };
  }
  const { whole, room, isReachable } = beyond();
  // Runs are taken one by one; what is left when there are no more has no own plan and comes here again.
  if (whole === undefined || own?.split === 'earliest-run') return;
  if (own === undefined || own.head.length < whole.head.length) {
    yield { name: 'tighten', plan: whole, maxTokens: Math.ceil(cap / 2), writer: 'model' };
  }
  if (room >= LEAST_SUMMARY) {
    yield { name: 'mechanical', plan: whole, maxTokens: Math.min(room, cap), writer: 'mechanical' };
  }
  // Nothing is left out for a limit that this would not meet either.
  for (const writer of isReachable ? (['marker', 'nobody'] as const) : []) {
    yield { name: 'truncate', plan: whole, maxTokens: 0, writer };
  }
}
