import type { Plan } from '../model/plan.ts';
import type { Policy } from '../model/policy.ts';

/** One way to shrink. `marker` leaves the head out and says so in the view, `nobody` only in the record. */
export type Rung = {
  readonly name: 'mask' | 'own' | 'retry' | 'tighten' | 'mechanical' | 'truncate';
  readonly plan: Plan;
  readonly maxTokens: number;
  readonly writer: 'model' | 'mechanical' | 'mask' | 'marker' | 'nobody';
  /** It is climbed only while the request has more tokens than these. */
  readonly above?: number;
  /** Tokens of the request its summary is cut to. */
  readonly within?: number;
};

/** What lies beyond the preset's own plan. */
export type Beyond = {
  /** The plan that keeps only what always stays. */
  readonly whole: Plan | undefined;
  /** As small as all limits ask for: summaries and tails shrink for these. */
  readonly squeezed: Space;
  /** As small as triggers ask for: a few lines have to do for these. */
  readonly cleared: Space;
  /** As small as it has to be: only for this is anything left out without a summary. */
  readonly must: Space;
  /** Tokens of the marker that says what was left out. */
  readonly marker: number;
  /** Whether what must be met can be met at all. */
  readonly isReachable: boolean;
};

/** So many tokens of a request, and what of it there is room for. */
export type Space = {
  readonly tokens: number;
  /** Tokens of a summary that fits beside what a plan keeps. */
  readonly roomBeside: (plan: Plan) => number;
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
  const { whole, ...limits } = beyond();
  // Runs are taken one by one; what is left when there are no more has no own plan and comes here again.
  if (whole === undefined || own?.split === 'earliest-run') return;
  yield* tightened(own, { whole, cap, ...limits });
  yield* leastOf(own, { whole, cap, ...limits });
}

type Further = Beyond & { readonly whole: Plan; readonly cap: number };

/** Half the summary, a shorter tail, and all but what always stays. */
function* tightened(own: Plan | undefined, { whole, cap, squeezed }: Further): Generator<Rung> {
  const { roomBeside, newestBeside } = squeezed;
  const half = Math.ceil(cap / 2);
  const tighter = tighterThan(own, [newestBeside(half), whole]);
  for (const plan of own === undefined ? tighter : [own, ...tighter]) {
    const room = roomBeside(plan);
    // A tail that leaves less than half a summary is too long.
    if (room < half && plan !== whole) continue;
    // No more is given up than the limit asks for: half a summary only where all that fits was too much.
    if (room > half && (room < cap || plan !== own))
      yield { name: 'tighten', plan, maxTokens: Math.min(room, cap), writer: 'model', within: squeezed.tokens };
    yield { name: 'tighten', plan, maxTokens: half, writer: 'model' };
  }
}

/** A few lines, but not for an aim; a marker or nothing, only for what must be met. */
function* leastOf(own: Plan | undefined, { whole, cap, cleared, must, marker, isReachable }: Further): Generator<Rung> {
  const room = cleared.roomBeside(whole);
  if (room >= LEAST_SUMMARY) {
    const maxTokens = Math.min(room, cap);
    const { tokens } = cleared;
    yield { name: 'mechanical', plan: whole, maxTokens, writer: 'mechanical', above: tokens, within: tokens };
  }
  // Nothing is left out for a limit that this would not meet either.
  if (!isReachable) return;
  const above = must.tokens;
  const truncated = tighterThan(own, [must.newestBeside(marker), whole]);
  for (const plan of truncated.length === 0 ? [whole] : truncated) {
    yield { name: 'truncate', plan, maxTokens: 0, writer: 'marker', above };
  }
  yield { name: 'truncate', plan: whole, maxTokens: 0, writer: 'nobody', above };
}

/** Plans that each keep less than the one before, the first less than `own`. */
function tighterThan(own: Plan | undefined, plans: readonly (Plan | undefined)[]): readonly Plan[] {
  const tighter: Plan[] = [];
  for (const plan of plans) {
    if (plan !== undefined && plan.head.length > ((tighter.at(-1) ?? own)?.head.length ?? 0)) tighter.push(plan);
  }
  return tighter;
}
