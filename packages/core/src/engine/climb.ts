import { leftOut } from '../model/filler.ts';
import type { Finding } from '../model/finding.ts';
import type { MessageTally } from '../model/record.ts';
import { discardedContext } from '../summarize/clean.ts';
import { attempted, newRecord, spentOf } from './attempt.ts';
import { type Concluded, span } from './conclude.ts';
import { type Climb, climb } from './ladder.ts';
import { missed } from './missed.ts';
import type { Outcome, OutcomeReason } from './outcome.ts';
import { paybackOf } from './payback.ts';
import { boundsOf, type Due, mustShrink, type Plans } from './plans.ts';
import type { World } from './ports.ts';
import { rungsOf } from './rungs.ts';
import { renderState } from './session-state.ts';
import type { State } from './state.ts';
import type { Candidate } from './trial.ts';

/** Climbs the ladder for a compaction that is due, and says how it ended. */
export async function climbAndConclude(due: Due & Plans, world: World, signal: AbortSignal): Promise<Outcome> {
  const { request, state, decision, result, masked, whole } = due;
  const session = renderState(world.state);
  const bounds = boundsOf({ ...due, behind: session.text });
  const own = bounds.fitted(result.kind === 'plan' ? result.plan : undefined);
  const taken = await climb(
    {
      request,
      state,
      world,
      sessionState: session.text,
      isMet: bounds.isMet,
      rungs: rungsOf(request.policy, { masked, own }, bounds.beyond),
      modelFree: decision.modelFree === true,
      mustFit: mustShrink(due),
    },
    signal,
  );
  signal.throwIfAborted();
  if (taken.failure !== undefined) return failed({ ...due, ...taken, failure: taken.failure }, world);
  const reached = (taken.candidate?.state ?? state).sizes.request;
  const findings = [...session.findings, ...taken.findings, ...missed(bounds.limits, reached, bounds.floor)];
  if (taken.candidate === undefined) {
    const isBroken = findings.some(({ code }) => code === 'invalid-output');
    const isUncut = result.kind === 'none' && whole() === undefined;
    // That nothing can be cut is why a limit is missed, where one is.
    const isMissed = result.kind === 'none' && result.reason === 'nothing-to-cut' && findings.some(isUnshrinkable);
    const reason = isBroken ? 'invalid-output' : isUncut && !isMissed ? result.reason : 'unshrinkable';
    return attempted(due, world, { ...taken, status: 'noop', reason, findings });
  }
  return commit({ ...due, ...taken, findings, candidate: taken.candidate }, world);
}

function isUnshrinkable({ code }: Finding): boolean {
  return code === 'unshrinkable';
}

/** It ran and its result may not be used: the very same messages, and a record of the attempt. */
function failed(run: Concluded & Climb & { readonly failure: NonNullable<Climb['failure']> }, world: World): Outcome {
  const { failure } = run;
  const reason: OutcomeReason = failure.status === 'failed-inflated' ? 'inflated' : 'summary-rejected';
  const findings = run.findings.includes(failure.finding) ? run.findings : [...run.findings, failure.finding];
  return attempted(run, world, { ...spentOf(run), status: failure.status, reason, findings });
}

/** It worked: the record, and the view it makes. */
function commit(run: Concluded & Climb & { readonly candidate: Candidate }, world: World): Outcome {
  const { request, state, decision, candidate } = run;
  const { plan } = candidate.rung;
  const status = candidate.method === 'none' ? 'truncated' : 'compressed';
  const discarded = request.goal === '' ? undefined : discardedContext(candidate.change.text);
  const findings = [...run.findings, ...candidate.noticed, ...dropped(candidate, state)];
  const payback = paybackOf(state, run, world);
  const result = {
    ...(payback === undefined ? {} : { payback }),
    tokens: span(state, candidate.state),
    counts: tally(state, candidate),
    method: candidate.method,
    degraded: candidate.degraded,
    findings,
    ...(discarded === undefined ? {} : { discardedContextSummary: discarded }),
  };
  const { facts } = candidate;
  const record = newRecord(request, world, {
    ...spentOf(run),
    ...result,
    ...candidate.change,
    ...(coversBoundLoop(candidate, state) ? { coversBoundLoop: true } : {}),
    ...(facts === undefined ? {} : { facts }),
    status,
    reason: decision.reason,
  });
  const messages = candidate.state.view.entries.map(({ message }) => message.native);
  return {
    ...result,
    status,
    reason: decision.reason,
    messages,
    record,
    records: [record],
    decision,
    plan,
    rung: candidate.rung.name,
  };
}

function coversBoundLoop({ rung }: Candidate, { atoms }: State): boolean {
  return atoms.boundLoop !== undefined && rung.plan.head.includes(atoms.boundLoop);
}

function tally(state: State, { rung, state: after }: Candidate): MessageTally {
  const { head, tail, masks } = rung.plan;
  const masked = new Set(masks.map(({ entry }) => entry)).size;
  return {
    before: state.view.entries.length,
    after: after.view.entries.length,
    compressed: head.length + masked,
    preserved: tail.length - masked,
  };
}

function dropped({ rung, method }: Candidate, { atoms }: State): readonly Finding[] {
  const { dropsReasoning, dropsOrphans } = rung.plan;
  const orphans = dropsOrphans.filter(({ entry }) => entry !== atoms.aside);
  const found: Finding[] = method === 'none' ? [{ code: 'left-out', detail: leftOut(rung.plan.head.length) }] : [];
  if (dropsReasoning.length > 0) {
    const detail = `thinking of ${dropsReasoning.length} kept messages is bound to what went`;
    found.push({ code: 'reasoning-dropped', detail });
  }
  if (orphans.length > 0) {
    found.push({ code: 'orphan-dropped', detail: `${orphans.length} results without a call` });
  }
  return found;
}
