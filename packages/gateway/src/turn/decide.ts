import type { Cause, Decision, Policy } from 'epitome';
import { answered, asked } from './answers.ts';
import { extend, refresh, stampOf } from './branch.ts';
import { inOrder } from './cache.ts';
import type { Compacted } from './compact.ts';
import { Deferred, SummaryPending } from './deferred.ts';
import { learn, retryPolicy } from './limits.ts';
import { decideOn, meterFor, nativesOf } from './measured.ts';
import { carryOut, carryOutLater, type Order } from './order.ts';
import type { Overflow, Turn } from './plane.ts';
import { isReady } from './prepare.ts';
import { RateLimited } from './rate-limit.ts';
import { isFitting, reportOf } from './report.ts';
import { type Decided, type Sending, shownTo } from './sending.ts';
import { writtenBody } from './stand-ins.ts';

/** Makes a turn ready whose branch is found: compacts it where that is due, and writes its request. */
export async function decideAndSend(sending: Sending, policy: Policy, signal: AbortSignal): Promise<Turn> {
  signal.throwIfAborted();
  const { ask, branch } = sending;
  extend(branch, ask.chain);
  const decision = decideOn(sending, policy);
  if (!decision.compact && !ask.resolved.force) {
    begin(sending, { policy, decision });
    return turnOf(sending, { policy, decision });
  }
  const cause = ask.resolved.force ? 'manual' : 'automatic';
  const due = { policy, cause, decision, expected: branch.snapshot } as const;
  const tried = await compactedOrDeferred(sending, due, signal);
  return turnOf(sending, await afterwards(sending, { due, tried }, signal));
}

type Due = Order & { readonly decision: Decision };
type Done = { readonly due: Due; readonly tried: Compacted | Deferred | undefined };

/**
 * What a turn comes to once a compaction was tried or put off. Whoever was faster may have compacted a shorter history, or taken
 * a compaction back, and the answer to a parallel request may have told that tokens are more than we took them for: what there
 * is now is sent where it fits, and compacted where it does not.
 */
async function afterwards(sending: Sending, { due, tried }: Done, signal: AbortSignal): Promise<Decided> {
  const { policy, decision: before } = due;
  const decision = decideOn(sending, policy);
  const cause = isFitting(decision, policy) ? undefined : causeAgain(sending, { due, tried, decision });
  if (cause === undefined) {
    if (tried instanceof Deferred) return { policy, decision, deferred: tried };
    return { policy, decision, before, ...(tried === undefined ? {} : { compacted: tried }) };
  }
  const again = { ...due, cause, decision, expected: sending.branch.snapshot };
  return afterwards(sending, { due: again, tried: await carryOut(sending, again, signal) }, signal);
}

/** As what a turn that does not fit is compacted once more; `undefined` where no more can come of it. */
function causeAgain(sending: Sending, { due, tried, decision }: Done & Pick<Due, 'decision'>): Cause | undefined {
  const isPutOff = tried instanceof Deferred;
  const isPublished = !isPutOff && tried?.published === 'published';
  if (!isPublished && stampOf(sending.branch.snapshot) !== stampOf(due.expected)) return due.cause;
  if (due.cause === 'overflow' || decision.tokens <= due.decision.tokens) return undefined;
  // What made nothing of it by the lesser figures, such as that it has not grown, would do so again.
  return isPutOff ? due.cause : 'overflow';
}

/**
 * A request that still fits waits for no summarizer that has too much to do, gets no lesser summary for it, and waits for a
 * slow one a moment only: its summary is for a later turn.
 */
async function compactedOrDeferred(
  sending: Sending,
  due: Due,
  signal: AbortSignal,
): Promise<Compacted | Deferred | undefined> {
  const { policy, cause, decision } = due;
  const { plane, branch } = sending;
  const canWait = cause === 'automatic' && isFitting(decision, policy);
  if (!canWait) return carryOut(sending, due, signal);
  if (plane.waitMs() > 0) return new RateLimited(plane.waitMs());
  if (plane.engine().summarizer !== undefined) {
    carryOutLater(sending, { ...due, isDue: true });
    if (!(await isReady(branch, signal))) return new SummaryPending();
    if (plane.waitMs() > 0) return new RateLimited(plane.waitMs());
  }
  try {
    return await carryOut(sending, { ...due, canWait }, signal);
  } catch (error) {
    if (error instanceof Deferred) return error;
    throw error;
  }
}

/** Near the trigger a model's summary is begun in the background; without a model there is nothing to wait for. */
function begin(sending: Sending, { policy, decision }: { policy: Policy; decision: Decision }): void {
  const { plane, branch } = sending;
  const isNear = policy.prepareAt !== undefined && decision.tokens >= policy.prepareAt;
  if (!isNear || plane.engine().summarizer === undefined || decision.reason !== 'below-threshold') return;
  carryOutLater(sending, { policy, cause: 'automatic', expected: branch.snapshot });
}

function bodyFor(sending: Sending): string | undefined {
  return writtenBody({ ...sending, shown: shownTo(sending) });
}

function turnOf(sending: Sending, decided: Decided): Turn {
  const meter = meterFor(sending, decided.policy);
  meter.turn += 1;
  const { turn } = meter;
  // Reported usage is held against our own estimate of what goes out now, though more may have been due.
  meter.compactor.sending(nativesOf(sending));
  const body = bodyFor(sending);
  const stamp = stampOf(sending.branch.snapshot);
  asked(sending);
  return {
    ...(body === undefined ? {} : { body }),
    report: reportOf(sending, decided, body === undefined ? 'kept' : 'reused'),
    onUsage: ({ input, prompt = input }) => {
      if (meter.turn === turn) meter.compactor.afterModel({ promptTokens: prompt });
    },
    onEnd: (end) => answered(sending, end, stamp),
    onOverflow: (told, signal) => shrinkAfter(sending, { decided, told, body }, signal),
  };
}

type Refused = { readonly decided: Decided; readonly told: Overflow; readonly body: string | undefined };

/** After an overflow: compact whatever the trigger says, by the figures the provider named, once. */
async function shrinkAfter(sending: Sending, refused: Refused, signal: AbortSignal): Promise<Turn | undefined> {
  const { plane, ask, branch, log } = sending;
  const { chain } = ask;
  const { decided, told, body } = refused;
  const tooLong = { ask, conversation: branch.conversation, tokens: decided.decision.tokens, told };
  // A retry that was refused too may be refused for another reason: the next turn finds out.
  if (decided.isRetry) return undefined;
  learn(plane, tooLong);
  return inOrder(branch, async () => {
    signal.throwIfAborted();
    extend(branch, chain);
    const policy = retryPolicy(decided.policy, tooLong);
    await refresh(branch, { log, chain, reuse: policy.reuse });
    // Another request may have compacted the branch meanwhile: what it left is tried first, where that may fit.
    const left = decideOn(sending, policy);
    if (bodyFor(sending) !== body && isFitting(left, policy))
      return turnOf(sending, { policy, decision: left, isRetry: true });
    if (told.requested !== undefined)
      meterFor(sending, decided.policy).compactor.afterModel({ promptTokens: told.requested });
    const due = { policy, cause: 'overflow', decision: decideOn(sending, policy), expected: branch.snapshot } as const;
    const shrunk = await afterwards(sending, { due, tried: await carryOut(sending, due, signal) }, signal);
    return bodyFor(sending) === body ? undefined : turnOf(sending, { ...shrunk, isRetry: true });
  });
}
