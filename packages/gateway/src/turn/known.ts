import type { Log, Snapshot } from '@epitome/store';
import type { Cause, Decision, Policy, Ports } from 'epitome';
import { answered, asked } from './answers.ts';
import { bodyOf } from './body.ts';
import { extend, isForgotten, refresh, stampOf } from './branch.ts';
import { bytesOf, textsOf } from './bytes.ts';
import { inOrder, type Tree } from './cache.ts';
import { noting, spentOn } from './calls.ts';
import { conversationOf, firstPrompt } from './chain.ts';
import { type Compacted, compactNow } from './compact.ts';
import { costsOf, withCosts } from './costs.ts';
import { Deferred, SUMMARY_WAIT_MS, SummaryPending } from './deferred.ts';
import { dryRun } from './dry-run.ts';
import { findBranch } from './find.ts';
import { fixedOf, fixedTextOf } from './fixed.ts';
import { learn, policyFor, retryPolicy } from './limits.ts';
import { type Metered, meterOf } from './meter.ts';
import { leftOut } from './models.ts';
import { inForceIn, peek } from './peek.ts';
import type { Overflow, Taking, Turn, TurnAsk } from './plane.ts';
import { isReady, prepare } from './prepare.ts';
import { orWait, RateLimited } from './rate-limit.ts';
import { isFitting, reportOf } from './report.ts';
import { type Decided, type Going, type Sending, shownTo } from './sending.ts';

/** A turn of a conversation that is kept: found by its prefix, appended to, compacted where that is due. */
export async function carryOn(taking: Taking, signal: AbortSignal): Promise<Turn> {
  const { plane, ask } = taking;
  const { caller, dialect, reading, resolved, chain } = ask;
  const { tenant } = caller;
  const name = resolved.conversation;
  const root = name === undefined ? conversationOf({ tenant, dialect, reading, chain }) : `${dialect} ${name}`;
  const isDryRun = resolved.mode === 'dry-run';
  if (isDryRun || ask.kind === 'count') {
    const log = plane.store.forTenant(tenant);
    const looking = { log, tree: plane.trees.known(tenant, root), stored: () => nameIn(log, ask) };
    return isDryRun ? dryRun(taking, await inForceIn(taking, looking), signal) : peek(taking, looking);
  }
  try {
    return await carryOnIn(plane.trees.of(tenant, root), { taking, root }, signal);
  } catch (error) {
    if (!isForgotten(error)) throw error;
    // Somebody forgot the conversation while it went on: what is said from now on is a new one.
    plane.trees.forget(tenant, root);
    return carryOnIn(plane.trees.of(tenant, root), { taking, root }, signal);
  }
}

type Rooted = { readonly taking: Taking; readonly root: string };

async function carryOnIn(tree: Tree, { taking, root }: Rooted, signal: AbortSignal): Promise<Turn> {
  const { plane, ask } = taking;
  const { caller, dialect, resolved, chain } = ask;
  const log = plane.store.forTenant(caller.tenant);
  tree.conversation ??= (await nameIn(log, ask)) ?? root;
  const { conversation } = tree;
  const { branch, fresh } = await findBranch({
    ...{ log, tree, conversation, chain },
    format: dialect,
    reuse: resolved.policy.reuse,
    isLinear: resolved.linear ?? false,
  });
  const going: Going = { ...taking, log, tree, branch };
  const asking = { model: ask.model, dialect, chain, fresh, stamp: stampOf(branch.snapshot) };
  const left = await inOrder(tree, () => leftOut(log, { conversation, tree }, asking));
  const policy = policyFor(plane, ask, conversation);
  return inOrder(branch, () => decideAndSend({ ...going, left }, policy, signal));
}

/** What a conversation is called in the store, where it is there. */
async function nameIn(log: Log, ask: TurnAsk): Promise<string | undefined> {
  return (await named(log, ask)) ?? storedAs(log, ask);
}

/** The conversation a client names. One of that name in another dialect is another conversation. */
async function named(log: Log, { resolved, dialect }: TurnAsk): Promise<string | undefined> {
  const name = resolved.conversation;
  if (name === undefined) return undefined;
  const format = (await log.conversation(name))?.format ?? dialect;
  return format === dialect ? name : `${name}:${dialect}`;
}

/** The conversation in which a history is stored, whoever stored it: at least the first answer must be the same. */
async function storedAs(log: Log, { dialect, reading, chain }: TurnAsk): Promise<string | undefined> {
  const found = await log.find({ format: dialect, messages: chain.texts });
  return found !== undefined && found.known > firstPrompt(reading, dialect) + 1 ? found.conversation : undefined;
}

async function decideAndSend(sending: Sending, policy: Policy, signal: AbortSignal): Promise<Turn> {
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
  const compacted = await compactedOrDeferred(sending, due, signal);
  if (compacted instanceof Deferred) return turnOf(sending, { policy, decision, deferred: compacted });
  return turnOf(sending, await afterwards(sending, { due, compacted }, signal));
}

type Due = Order & { readonly decision: Decision };
type Done = { readonly due: Due; readonly compacted: Compacted | undefined };

/**
 * What a turn comes to once a compaction was tried. Whoever was faster may have compacted a shorter history, or taken a
 * compaction back: what they left is sent where it fits, and compacted where it does not.
 */
async function afterwards(sending: Sending, { due, compacted }: Done, signal: AbortSignal): Promise<Decided> {
  const { policy, decision: before, expected } = due;
  const { snapshot } = sending.branch;
  const decision = decideOn(sending, policy);
  const isOvertaken = compacted?.published !== 'published' && stampOf(snapshot) !== stampOf(expected);
  if (!isOvertaken || isFitting(decision, policy)) {
    return { policy, decision, before, ...(compacted === undefined ? {} : { compacted }) };
  }
  const again = { ...due, decision, expected: snapshot };
  return afterwards(sending, { due: again, compacted: await compacting(sending, again, signal) }, signal);
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
  if (!canWait) return compacting(sending, due, signal);
  if (plane.waitMs() > 0) return new RateLimited(plane.waitMs());
  if (plane.engine().summarizer !== undefined) {
    prepare(branch, { ...workOf(sending, due), isDue: true }, portsOf(sending));
    if (!(await isReady(branch, signal))) return new SummaryPending();
    if (plane.waitMs() > 0) return new RateLimited(plane.waitMs());
  }
  try {
    return await compacting(sending, { ...due, canWait }, signal);
  } catch (error) {
    if (error instanceof Deferred) return error;
    throw error;
  }
}

function decideOn(sending: Sending, policy: Policy): Decision {
  return meterFor(sending, policy).compactor.decide(nativesOf(sending));
}

function meterFor({ branch, tree, ask }: Sending, policy: Policy): Metered {
  return meterOf(tree, {
    format: ask.dialect,
    policy,
    fixedText: fixedTextOf(ask.reading),
    readFixed: () => fixedOf(ask.reading),
    costs: costsOf(ask, branch.ids.length),
  });
}

function nativesOf(sending: Going): readonly unknown[] {
  const { branch } = sending;
  const shown = shownTo(sending);
  return shown === branch.shown ? branch.natives : branch.natives.slice(0, shown.length);
}

/** Near the trigger a model's summary is begun in the background; without a model there is nothing to wait for. */
function begin(sending: Sending, { policy, decision }: { policy: Policy; decision: Decision }): void {
  const { plane, branch } = sending;
  const isNear = policy.prepareAt !== undefined && decision.tokens >= policy.prepareAt;
  if (!isNear || plane.engine().summarizer === undefined || decision.reason !== 'below-threshold') return;
  const order = { policy, cause: 'automatic', expected: branch.snapshot } as const;
  prepare(branch, workOf(sending, order), portsOf(sending));
}

type Order = {
  readonly policy: Policy;
  readonly cause: Cause;
  /** The state it was decided on. */
  readonly expected: Snapshot;
  /** Whether the request can go out as it is. */
  readonly canWait?: boolean;
};

function workOf(sending: Sending, { policy, cause, expected }: Order): Parameters<typeof compactNow>[1] {
  const { log, ask } = sending;
  const { chain } = ask;
  const { goal } = ask.resolved;
  const calibration = meterFor(sending, policy).compactor.calibration();
  return { log, chain, policy, cause, expected, goal, calibration, fixed: fixedOf(ask.reading) };
}

function portsOf({ plane, ask, branch }: Sending): Ports {
  return withCosts(plane.engine(), ask, branch.ids.length);
}

async function compacting(sending: Sending, order: Order, signal: AbortSignal): Promise<Compacted | undefined> {
  const { plane, branch, ask } = sending;
  const listed = (): readonly string[] => [...ask.reading.lead, ...textsOf(branch.shown, ask.chain)];
  const before = listed();
  const { ports, calls } = noting(portsOf(sending));
  const run = order.canWait ? orWait({ ports, signal }, SUMMARY_WAIT_MS) : { ports, signal };
  const { summarizer } = plane;
  let compacted: Compacted | undefined;
  try {
    compacted = await compactNow(branch, workOf(sending, order), { ...run, calls });
  } finally {
    // What a model was asked for counts for whoever needed it, also where they went meanwhile.
    plane.spend({ caller: ask.caller, model: summarizer.model, usage: spentOn(compacted?.calls ?? calls) });
  }
  if (compacted === undefined) return undefined;
  const { conversation, name } = branch;
  const bytes = bytesOf(before, listed());
  const whose = { caller: ask.caller, conversation, branch: name };
  plane.observer.compactionEnded({ ...compacted, ...whose, summarizer, bytes }, ask.span);
  return compacted;
}

function bodyFor(sending: Sending): string | undefined {
  return bodyOf({ ...sending, shown: shownTo(sending) });
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
    const shrunk = await afterwards(sending, { due, compacted: await compacting(sending, due, signal) }, signal);
    return bodyFor(sending) === body ? undefined : turnOf(sending, { ...shrunk, isRetry: true });
  });
}
