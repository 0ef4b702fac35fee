import type { Plan } from '../model/plan.ts';
import type { Policy } from '../model/policy.ts';

/** One way to shrink. `marker` leaves the head out and says so in the view, `nobody` only in the record. */
export type Rung = {
  readonly name: 'mask' | 'own' | 'retry' | 'tighten' | 'mechanical' | 'truncate';
  readonly plan: Plan;
  readonly maxTokens: number;
  readonly writer: 'model' | 'mechanical' | 'mask' | 'marker' | 'nobody';
};

/** What lies beyond the preset's own plan. */
export type Beyond = {
  /** The plan that keeps only what always stays. */
  readonly whole: Plan | undefined;
  /** Tokens of a summary that fits beside what a plan keeps. */
  readonly roomBeside: (plan: Plan) => number;
  /** Tokens of the marker that says what was left out. */
  readonly marker: number;
  /** Whether the limit can be met at all. */
  readonly isReachable: boolean;
  /** The plan that keeps the newest atoms beside a summary of so many tokens. */
  readonly newestBeside: (summaryTokens: number) => Plan | undefined;
};

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
  const { whole, roomBeside, marker, isReachable, newestBeside } = beyond();
  // Runs are taken one by one; what is left when there are no more has no own plan and comes here again.
  if (whole === undefined || own?.split === 'earliest-run') return;
  const half = Math.ceil(cap / 2);
  const tighter = (summaryTokens: number): readonly Plan[] => tighterThan(own, [newestBeside(summaryTokens), whole]);
  for (const plan of own === undefined ? tighter(half) : [own, ...tighter(half)]) {
    const room = roomBeside(plan);
    // A tail that leaves less than half a summary is too long.
    if (room < half && plan !== whole) continue;
    // No more is given up than the limit asks for: half a summary only where all that fits was too much.
    if (room > half && (room < cap || plan !== own))
      yield { name: 'tighten', plan, maxTokens: Math.min(room, cap), writer: 'model' };
    yield { name: 'tighten', plan, maxTokens: half, writer: 'model' };
  }
  const room = roomBeside(whole);
  if (room >= LEAST_SUMMARY) {
    yield { name: 'mechanical', plan: whole, maxTokens: Math.min(room, cap), writer: 'mechanical' };
  }
  // Nothing is left out for a limit that this would not meet either.
  if (!isReachable) return;
  const truncated = tighter(marker);
  for (const plan of truncated.length === 0 ? [whole] : truncated) {
    yield { name: 'truncate', plan, maxTokens: 0, writer: 'marker' };
  }
  yield { name: 'truncate', plan: whole, maxTokens: 0, writer: 'nobody' };
}

/** Plans that each keep less than the one before, the first less than `own`. */
function tighterThan(own: Plan | undefined, plans: readonly (Plan | undefined)[]): readonly Plan[] {
  const tighter: Plan[] = [];
  for (const plan of plans) {
    if (plan !== undefined && plan.head.length > ((tighter.at(-1) ?? own)?.head.length ?? 0)) tighter.push(plan);
  }
  return tighter;
}
