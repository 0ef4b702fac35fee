import type { Cause, Decision, Policy } from 'epitome';
import { withMessages } from '../dialects/reading.ts';
import type { TurnReport } from '../model/report.ts';
import { type Branch, meterOf, type Shown } from './branch.ts';
import { inOrder, type Tree } from './cache.ts';
import { conversationOf } from './chain.ts';
import { type Compacted, compactNow } from './compact.ts';
import { findBranch } from './find.ts';
import { fixedOf } from './fixed.ts';
import { withoutItemId, withoutSeals } from './foreign.ts';
import { foreignLength, modelsOf, noteModel } from './models.ts';
import type { Turn } from './plane.ts';
import { prepare } from './prepare.ts';
import type { Taking } from './stateless.ts';

/** A turn of a conversation that is kept: found by its prefix, appended to, compacted where that is due. */
export async function carryOn(taking: Taking, signal: AbortSignal): Promise<Turn> {
  const { plane, ask, chain } = taking;
  const { caller, dialect, reading, resolved } = ask;
  const log = plane.store.forTenant(caller.tenant);
  const conversation = resolved.conversation ?? conversationOf({ tenant: caller.tenant, dialect, reading, chain });
  const tree = plane.trees.of(caller.tenant, conversation);
  const branch = await findBranch({ log, tree, conversation, format: dialect, chain });
  const going: Going = { ...taking, log, tree, branch };
  const foreign = await foreignTo(going);
  return inOrder(branch, () => decideAndSend({ ...going, foreign }, resolved.policy, signal));
}

type Going = Taking & {
  readonly log: ReturnType<Taking['plane']['store']['forTenant']>;
  readonly tree: Tree;
  readonly branch: Branch;
};
type Sending = Going & { readonly foreign: number };

/** How many messages at the start were made by another model than the one asked now. */
async function foreignTo({ log, tree, branch, chain, ask }: Going): Promise<number> {
  const { conversation } = branch;
  tree.models ??= modelsOf((await log.conversation(conversation))?.settings);
  const now = { model: ask.model, tip: chain.ids.at(-1) ?? '' };
  tree.models = await noteModel(log, { conversation, models: tree.models }, now);
  return foreignLength(tree.models, chain.ids);
}

async function decideAndSend(sending: Sending, policy: Policy, signal: AbortSignal): Promise<Turn> {
  signal.throwIfAborted();
  const { ask } = sending;
  const decision = decideOn(sending, policy);
  if (ask.kind === 'count') return turnOf(sending, { policy, decision });
  if (!decision.compact && !ask.resolved.force) {
    begin(sending, { policy, decision });
    return turnOf(sending, { policy, decision });
  }
  const compacted = await compacting(sending, { policy, cause: ask.resolved.force ? 'manual' : 'automatic' }, signal);
  return turnOf(sending, { policy, decision: decideOn(sending, policy), compacted, before: decision });
}

function decideOn(sending: Sending, policy: Policy): Decision {
  return meterFor(sending, policy).decide(nativesOf(sending));
}

function meterFor({ branch, ask }: Sending, policy: Policy): ReturnType<typeof meterOf> {
  const given = fixedOf(ask.reading);
  return meterOf(branch, {
    format: ask.dialect,
    policy,
    get fixed() {
      return given.fixed;
    },
    fixedText: given.fixedText,
  });
}

/** What is shown of this client's history; another request may have taken the branch further meanwhile. */
function shownTo({ branch, chain }: Going): readonly Shown[] {
  if (branch.ids.length === chain.ids.length) return branch.shown;
  return branch.shown.filter(({ source = -1 }) => source < chain.ids.length);
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
  if (!isNear || plane.engine.summarizer === undefined || decision.reason !== 'below-threshold') return;
  prepare(branch, workOf(sending, { policy, cause: 'automatic' }), portsOf(sending));
}

type Order = { readonly policy: Policy; readonly cause: Cause };

function workOf(sending: Sending, { policy, cause }: Order): Parameters<typeof compactNow>[1] {
  const { log, chain, ask } = sending;
  const { goal } = ask.resolved;
  const calibration = meterFor(sending, policy).calibration();
  return { log, chain, policy, cause, goal, calibration, fixed: fixedOf(ask.reading).fixed };
}

function portsOf({ plane, ask }: Sending): Taking['plane']['engine'] {
  const costs = plane.engine.costs ?? plane.costsOf(ask.model);
  return costs === undefined ? plane.engine : { ...plane.engine, costs };
}

async function compacting(sending: Sending, order: Order, signal: AbortSignal): Promise<Compacted> {
  const { plane, branch, ask } = sending;
  const compacted = await compactNow(branch, workOf(sending, order), { ports: portsOf(sending), signal });
  const { conversation, name } = branch;
  plane.observer.compactionEnded({ ...compacted, caller: ask.caller, conversation, branch: name });
  return compacted;
}

/** What is known of a turn when its request is written. */
type Decided = {
  readonly policy: Policy;
  readonly decision: Decision;
  readonly compacted?: Compacted;
  /** The decision that led to a compaction. */
  readonly before?: Decision;
  readonly isRetry?: true;
};

function turnOf(sending: Sending, decided: Decided): Turn {
  const { branch, ask } = sending;
  const meter = meterFor(sending, decided.policy);
  branch.turn += 1;
  const { turn } = branch;
  // Notes our own estimate of what goes out now, which reported usage is held against.
  if (!decided.decision.compact) void meter.beforeModel(nativesOf(sending)).catch(() => {});
  const body = bodyOf(sending);
  return {
    ...(body === undefined ? {} : { body }),
    report: reportOf(sending, decided, body !== undefined),
    onUsage: ({ input }) => {
      if (branch.turn === turn && ask.kind === 'turn') meter.afterModel({ promptTokens: input });
    },
    onOverflow: async (limit, signal) =>
      decided.isRetry ? undefined : shrinkAfter(sending, { decided, limit }, signal),
  };
}

/** The body to send; `undefined` where it is the client's own. */
function bodyOf(sending: Sending): string | undefined {
  const { ask, chain, foreign, branch } = sending;
  const shown = shownTo(sending);
  if (branch.recordId === undefined && foreign === 0) return undefined;
  const isSealed = foreign > 0 && ask.dialect === 'openai-responses';
  const texts = shown.flatMap((entry) => {
    const text = entry.kind === 'original' ? (chain.texts[entry.source] ?? '') : entry.text;
    if ((entry.source ?? foreign) >= foreign) return [text];
    const open = withoutSeals(ask.dialect, text);
    if (open === undefined) return [];
    return [isSealed ? withoutItemId(open) : open];
  });
  const isSame = texts.length === chain.texts.length && texts.every((text, at) => text === chain.texts[at]);
  return isSame ? undefined : withMessages(ask.reading, texts);
}

function reportOf({ branch }: Sending, decided: Decided, isChanged: boolean): TurnReport {
  const { decision, compacted, before, isRetry } = decided;
  const after = Math.ceil(decision.tokens);
  const netCost = compacted?.outcome.payback?.netCost;
  const isMade = compacted !== undefined && compacted.published !== 'nothing' && branch.recordId !== undefined;
  const status = isMade ? 'compacted' : isChanged ? 'reused' : 'kept';
  return {
    status,
    reason: compacted === undefined ? decision.reason : (before?.reason ?? compacted.outcome.reason),
    tokensBefore: isMade && before !== undefined ? Math.ceil(before.tokens) : after + Math.max(branch.saved, 0),
    tokensAfter: after,
    conversation: branch.conversation,
    branch: branch.name,
    ...(branch.recordId === undefined ? {} : { recordId: branch.recordId }),
    ...(netCost === undefined ? {} : { netCost }),
    ...(isRetry ? { retried: true } : {}),
  };
}

/** After an overflow: compact whatever the trigger says, to the limit the provider named. */
async function shrinkAfter(
  sending: Sending,
  { decided, limit }: { readonly decided: Decided; readonly limit: number | undefined },
  signal: AbortSignal,
): Promise<Turn | undefined> {
  const { branch } = sending;
  return inOrder(branch, async () => {
    signal.throwIfAborted();
    const shorter = bodyOf(sending);
    const policy = within(decided.policy, limit);
    const before = decideOn(sending, policy);
    const compacted = await compacting(sending, { policy, cause: 'overflow' }, signal);
    // Another request on this branch may have compacted it while we waited.
    if (compacted.published === 'nothing' && bodyOf(sending) === shorter) return undefined;
    return turnOf(sending, { policy, decision: decideOn(sending, policy), compacted, before, isRetry: true });
  });
}

/** The policy for a window that turned out to be smaller. */
function within(policy: Policy, limit: number | undefined): Policy {
  if (limit === undefined || limit >= policy.window) return policy;
  const target = Math.min(policy.target ?? limit, Math.floor(limit / 2));
  return { ...policy, window: limit, target, reserved: Math.min(policy.reserved, Math.floor(limit / 4)) };
}
