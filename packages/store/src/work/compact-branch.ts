import { createHash } from 'node:crypto';
import {
  type Calibration,
  type Cause,
  type CompactInput,
  compact,
  type Outcome,
  type Policy,
  type Ports,
} from 'epitome';
import { isSameView } from '../log/reading.ts';
import { StoreError } from '../model/errors.ts';
import type { BranchRef, Log, Publication, RecordDetails, Snapshot, Work } from '../model/port.ts';
import { type Attempting, attemptOn } from './attempt.ts';
import { type Marks, markedOutcome, withoutExcluded } from './marks.ts';

/** A stored branch to compact, and how. */
export type BranchWork = BranchRef & {
  readonly log: Log;
  readonly policy: Policy;
  /** @default 'automatic' */
  readonly cause?: Cause;
  readonly goal?: string;
  readonly focus?: string;
  /** What goes out with every request beside the messages: counted, never changed. */
  readonly system?: unknown;
  readonly tools?: unknown;
  /** The provider's real count of an earlier request, beside our estimate of it. */
  readonly calibration?: Calibration;
  /** Who writes the summary, for the record. */
  readonly model?: string;
  /** What the model charges per million tokens, for the record. */
  readonly price?: Price;
  /** What else is kept beside the record of an outcome: figures and names, never text of messages. */
  readonly telemetry?: (outcome: Outcome) => Readonly<Record<string, unknown>>;
  /**
   * What becomes of a summary that a fault made less than was asked for: it is published, or thrown away with an error.
   * @default 'publish'
   */
  readonly whenDegraded?: 'publish' | 'throw';
  /** Messages that are treated otherwise than the policy would. */
  readonly marks?: Marks;
};

/** What a model charges per million tokens. */
export type Price = { readonly input: number; readonly output: number; readonly currency: string };

/** How it ended. Nothing is published where nothing was due, or a turn is under way that a new view would break. */
export type BranchOutcome = { readonly outcome: Outcome; readonly publication?: Settled };

/** What became of records that could be published. */
type Settled = Publication & { readonly kind: 'published' | 'superseded' };

/** The state of the branch on which it was decided to compact it, read with the policy's `reuse`. */
export type Expecting = { readonly expected: Snapshot };

/** Somebody changed the view since it was decided to compact it: nothing was asked, written or noted. */
export type Overtaken = {
  readonly outcome?: undefined;
  readonly publication: Publication & { readonly kind: 'superseded' };
};

/**
 * Compacts a stored branch and publishes what came of it by compare-and-swap. A crash on the way leaves the old view and a
 * record that says `started`. Where a state is expected, it begins in that state only; messages that came since do not matter.
 */
export function compactBranch(
  work: BranchWork & Expecting,
  ports?: Ports,
  signal?: AbortSignal,
): Promise<BranchOutcome | Overtaken>;
export function compactBranch(work: BranchWork, ports?: Ports, signal?: AbortSignal): Promise<BranchOutcome>;
export async function compactBranch(
  work: BranchWork & Partial<Expecting>,
  ports: Ports = {},
  signal?: AbortSignal,
): Promise<BranchOutcome | Overtaken> {
  const { log, conversation, branch, policy, expected } = work;
  const ref = { conversation, ...(branch === undefined ? {} : { branch }) };
  const stored = await log.workOf(ref, { reuse: policy.reuse });
  const { snapshot } = stored;
  if (expected !== undefined && !isSameView(expected, snapshot)) {
    return { publication: { kind: 'superseded', version: snapshot.version } };
  }
  return compactStored({ work, ref, stored }, ports, signal);
}

type Task = { readonly work: BranchWork; readonly ref: BranchRef; readonly stored: Work };

async function compactStored(
  { work, ref, stored: { input, snapshot } }: Task,
  ports: Ports,
  signal: AbortSignal | undefined,
): Promise<BranchOutcome> {
  const { log } = work;
  const attempt = attemptOn(log, ref, ports);
  const started = performance.now();
  try {
    const outcome = await compacted(requestOf(work, input), work, { ports: attempt.ports, signal });
    if (outcome.degraded && work.whenDegraded === 'throw') throw degraded(outcome);
    if (outcome.records.length === 0) return { outcome };
    await attempt.begun();
    const details = detailsOf(work, outcome, { attempt, milliseconds: performance.now() - started });
    const publication = await log.publish(ref, { snapshot, records: outcome.records, details });
    const { kind } = publication;
    if (kind !== 'bound') return { outcome, publication: { ...publication, kind } };
    await attempt.abandon('a turn under way is bound to the view before it');
    return { outcome };
  } catch (error) {
    await attempt.abandon(error);
    throw error;
  }
}

type Around = { readonly ports: Ports; readonly signal: AbortSignal | undefined };

async function compacted(request: CompactInput, { marks }: BranchWork, { ports, signal }: Around): Promise<Outcome> {
  if (marks === undefined) return compact(request, ports, signal);
  const outcome = await compact(withoutExcluded(request, marks), ports, signal);
  return markedOutcome(outcome, request, marks);
}

type Stored = Pick<CompactInput, 'format' | 'messages' | 'ids' | 'records'>;

function requestOf(
  { policy, cause, goal, focus, system, tools, calibration }: BranchWork,
  stored: Stored,
): CompactInput {
  return {
    ...stored,
    policy,
    ...(cause === undefined ? {} : { cause }),
    ...(goal === undefined ? {} : { goal }),
    ...(focus === undefined ? {} : { focus }),
    ...(system === undefined ? {} : { system }),
    ...(tools === undefined ? {} : { tools }),
    ...(calibration === undefined ? {} : { calibration }),
  };
}

function degraded({ findings }: Outcome): StoreError {
  const why = findings.map(({ code, detail }) => `${code}${detail === '' ? '' : ` (${detail})`}`).join(', ');
  return new StoreError('summarizer-failed', `The summarizer gave nothing that could be used: ${why}.`);
}

type Measured = { readonly attempt: Attempting; readonly milliseconds: number };

function detailsOf(
  { model, price, policy, telemetry }: BranchWork,
  outcome: Outcome,
  measured: Measured,
): RecordDetails {
  const { decision, record } = outcome;
  const system = measured.attempt.instructions();
  const isByModel = record !== undefined && record.calls > 0;
  return {
    ...(model === undefined || !isByModel ? {} : { model }),
    ...(system === undefined ? {} : { promptVersion: `${policy.preset}-${fingerprint([system, policy.template])}` }),
    ...(price === undefined || !isByModel ? {} : { cost: costOf(outcome, price) }),
    telemetry: {
      durationMs: Math.round(measured.milliseconds),
      trigger: { reason: decision.reason, tokens: decision.tokens, limit: decision.limit ?? null },
      ...telemetry?.(outcome),
    },
  };
}

/** The same for the same instructions; what the conversation says has no part in it. */
function fingerprint(instructions: readonly unknown[]): string {
  const text = JSON.stringify(instructions, (_, value) => (typeof value === 'function' ? String(value) : value));
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}

function costOf({ records }: Outcome, { input, output, currency }: Price): NonNullable<RecordDetails['cost']> {
  const amount = records.reduce((sum, { usage }) => sum + usage.inputTokens * input + usage.outputTokens * output, 0);
  return { amount: amount / 1_000_000, currency };
}
