import { wholeTokens } from '../model/count.ts';
import { leftOut } from '../model/filler.ts';
import type { Finding } from '../model/finding.ts';
import type { Violation } from '../model/format.ts';
import type { Plan } from '../model/plan.ts';
import { addSpent, type CompactionRecord, NOTHING_SPENT, type Spent, type Status } from '../model/record.ts';
import { isFixed } from '../model/view.ts';
import type { Rung } from './rungs.ts';
import type { MeasuredView, State } from './state.ts';
import { type Candidate, type Made, type TrialJob, tryOut } from './trial.ts';
import { type Written, writeSummary } from './write.ts';

/** What climbing took, whatever came of it. */
export type Climb = Spent & {
  readonly candidate?: Candidate;
  /** Why nothing may be committed. */
  readonly failure?: { readonly status: Status; readonly finding: Finding };
};

/** What a ladder is climbed for. */
export type LadderJob = TrialJob & {
  readonly rungs: Iterable<Rung>;
  readonly modelFree: boolean;
  /** Whether the request cannot be sent as it is. */
  readonly mustFit: boolean;
};

// Each rung beyond the first must earn its place (OpenHands' measure against loops without progress).
const LEAST_PROGRESS = 0.9;

/** Climbs until the ceiling is met or the rungs end. The first rung may refuse; later ones are skipped when they fail. */
export async function climb(job: LadderJob, signal: AbortSignal): Promise<Climb> {
  let candidate: Candidate | undefined;
  let spent = NOTHING_SPENT;
  let hasFailed = job.modelFree;
  for (const rung of job.rungs) {
    if (!isDue(rung, candidate, job.state)) continue;
    // A model that failed once in this run is not asked again: its deadline would be waited for on every rung.
    const climbing = { rung, candidate, calls: spent.calls };
    const { written, made } = await take({ ...job, modelFree: hasFailed }, climbing, signal);
    spent = addSpent(spent, written);
    hasFailed ||= written.kind === 'rejected' || written.degraded;
    if (made === undefined) {
      if (rung.name !== 'own' || candidate !== undefined || goesOn(job, written)) continue;
      const status = written.finding.code === 'inflated' ? 'failed-inflated' : 'failed-empty-summary';
      return { ...spent, failure: { status, finding: written.finding } };
    }
    const next = { ...made, degraded: hasFailed };
    const before = reportedSize(candidate?.state ?? job.state);
    const reached = reportedSize(next.state);
    if (rung.name === 'own' && candidate === undefined && reached >= before) {
      const failure = inflated(before, reached);
      if (!job.mustFit) return { ...spent, failure };
      spent = { ...spent, findings: [...spent.findings, failure.finding] };
      hasFailed = true;
      continue;
    }
    const isWorth = isWorthIt(next, before, job);
    const broken = isWorth ? newViolation(job, next) : undefined;
    if (broken !== undefined) spent = { ...spent, findings: [...spent.findings, broken] };
    else if (isWorth) candidate = next;
    if (candidate !== undefined && job.isMet(candidate.state.sizes.request)) break;
  }
  // Law 37: a rung that did without a model stands in for one that failed on it.
  return candidate === undefined ? spent : { ...spent, candidate: { ...candidate, degraded: hasFailed } };
}

/** Whether there is anything for a rung to do. */
function isDue({ name, above = 0 }: Rung, candidate: Candidate | undefined, { sizes }: State): boolean {
  if (name === 'retry' && candidate?.method !== 'model') return false;
  return (candidate?.state.sizes ?? sizes).request > above;
}

/** Whether a request is worth another rung: one that cannot be sent is, and one that must shrink where no model was to blame. */
function goesOn({ request, state, mustFit }: LadderJob, { finding, calls }: Rejected): boolean {
  const { policy, cause } = request;
  const isModelsFault = calls > 0 && finding.code !== 'inflated';
  return isModelsFault ? cause === 'overflow' || state.sizes.request > policy.window - policy.reserved : mustFit;
}

type Rejected = Extract<Written, { readonly kind: 'rejected' }>;

/** Law 1: no rule is broken that was not broken before. */
function newViolation({ request, state }: LadderJob, next: Candidate): Finding | undefined {
  const errorsIn = ({ view }: MeasuredView): readonly Violation[] =>
    request.format
      .validate(view.entries.map(({ message }) => message.native))
      .filter(({ severity }) => severity === 'error');
  const broken = errorsIn(next.state);
  if (broken.length === 0) return undefined;
  const known = new Set(errorsIn(state).map(({ rule }) => rule));
  const added = broken.find(({ rule }) => !known.has(rule));
  return added === undefined ? undefined : { code: 'invalid-output', detail: `${added.rule}: ${added.detail}` };
}

/** The figure an outcome reports: a shrink by less than a token is none. */
function reportedSize({ sizes }: MeasuredView): number {
  return wholeTokens(sizes.request);
}

function isWorthIt({ rung, state }: Candidate, before: number, { isMet }: LadderJob): boolean {
  const reached = reportedSize(state);
  // A list that begins with an answer, or is empty, cannot be sent.
  const opening = state.view.entries.find((entry) => !isFixed(entry));
  if (reached >= before || (rung.writer === 'nobody' && opening?.message.role !== 'user')) return false;
  const isEnough = isMet(reached) || reached <= (rung.above ?? 0);
  return rung.name === 'own' || isEnough || reached <= before * LEAST_PROGRESS;
}

type Climbing = { readonly rung: Rung; readonly candidate: Candidate | undefined; readonly calls: number };

/** What was written for a rung, and what the view would be with it. */
type Taken =
  | { readonly written: Rejected; readonly made?: undefined }
  | { readonly written: Made; readonly made: Candidate };

/**
 * Writes a rung's summary and tries it out. Counted apart, parts come to a few tokens less or more than together: what
 * cost nothing and missed its room by so little is written once more, that much shorter.
 */
async function take(job: LadderJob, climbing: Climbing, signal: AbortSignal): Promise<Taken> {
  const written = await write(job, climbing, signal);
  if (written.kind === 'rejected') return { written };
  const { rung } = climbing;
  const made = await tryOut(job, rung, written);
  const over = made.state.sizes.request - (rung.within ?? Number.POSITIVE_INFINITY);
  const isSlip = over > 0 && over < rung.maxTokens * SLIP;
  if (written.calls > 0 || !isSlip) return { written, made };
  const shorter = { ...rung, maxTokens: Math.floor(rung.maxTokens - over) - 1 };
  const again = await take(job, { ...climbing, rung: shorter }, signal);
  return again.made === undefined ? { written, made } : again;
}

const SLIP = 0.2;

async function write(job: LadderJob, { rung, candidate, calls }: Climbing, signal: AbortSignal): Promise<Written> {
  const { request, state, world } = job;
  if (rung.writer !== 'model' && rung.writer !== 'mechanical') return unwritten(rung);
  // What a model has summarized for a lower rung is not paid for again: its text goes in as the prior summary, unless it
  // was too long. Without a model nothing is saved by that, and a summary of a summary says less.
  const isPaid = candidate?.method === 'model' && candidate.rung.plan !== rung.plan;
  const done = new Set(isPaid ? readBy(state, candidate.rung.plan) : []);
  const head = readBy(state, rung.plan);
  const isBuilding = done.size > 0 && candidate !== undefined;
  const showsRecent = rung.name === 'own' && request.policy.showsRecent;
  const assignment = {
    head: isBuilding ? head.filter((index) => !done.has(index)) : head,
    recent: showsRecent ? recentOf(state, rung.plan) : [],
    prior: isBuilding ? candidate.change.text : priorOf(state, rung.plan),
    facts: isBuilding ? candidate.facts : factsOf(job, rung.plan),
    maxTokens: rung.maxTokens,
    headTokens: rung.plan.tokens.head,
    writer: job.modelFree ? 'mechanical' : rung.writer,
  } as const;
  return writeSummary({ request, state, world, callsLeft: world.maxCalls - calls }, assignment, signal);
}

/** What a summary of a plan is written from: its head, and results that leave words of the user behind. */
function readBy({ atoms }: State, { head, dropsOrphans }: Plan): readonly number[] {
  const isParted = dropsOrphans.some(({ entry }) => entry === atoms.aside);
  return isParted && atoms.aside !== undefined ? [...head, atoms.aside].sort((a, b) => a - b) : head;
}

/** Kept messages up to the newest prompt: a later answer may be regenerated and must not colour the summary. */
function recentOf({ atoms }: State, plan: Plan): readonly number[] {
  const newest = Math.max(atoms.newestPrompt ?? -1, atoms.aside ?? -1);
  return plan.tail.filter((index) => index >= plan.firstKept && index <= newest);
}

function priorOf({ view }: State, plan: Plan): string {
  const summaries: string[] = [];
  for (const index of plan.head) {
    const summary = view.entries[index]?.summary;
    if (summary !== undefined) summaries.push(summary);
  }
  return summaries.join('\n\n');
}

/** Facts of the summaries a plan integrates. */
function factsOf({ request, state }: LadderJob, { head }: Plan): CompactionRecord['facts'] {
  const ids = new Set(head.map((index) => state.view.entries[index]?.recordId));
  // Each ledger holds those of the records it replaced: the newest knows all.
  let facts: CompactionRecord['facts'];
  for (const record of request.records) if (record.kind === 'compaction' && ids.has(record.id)) facts = record.facts;
  return facts;
}

function unwritten({ plan, writer }: Rung): Written {
  const text = writer === 'marker' ? leftOut(plan.head.length) : '';
  const method = writer === 'mask' ? 'mask' : 'none';
  return { kind: 'summary', text, method, degraded: false, ...NOTHING_SPENT };
}

function inflated(before: number, after: number): NonNullable<Climb['failure']> {
  const detail = `${wholeTokens(after)} tokens after, ${wholeTokens(before)} before`;
  return { status: 'failed-inflated', finding: { code: 'inflated', detail } };
}
