import type { Decision } from '../model/decision.ts';
import { checkTurn } from './check.ts';
import { compactRequest } from './compact.ts';
import { untouched } from './conclude.ts';
import type { Outcome } from './outcome.ts';
import { begin, isCurrent, isNear, settled } from './preparation.ts';
import { decideNow, noteSent, remember, requestOf, type Session, type Turn } from './session.ts';

/** Takes one turn of a session: compacts if it is due, with what was prepared where that still holds. */
export async function runTurn(session: Session, turn: Turn, signal: AbortSignal): Promise<Outcome> {
  checkTurn(turn);
  signal.throwIfAborted();
  const decision = decideNow(session, turn.messages, turn.cause ?? 'automatic');
  if (!decision.compact && decision.reason !== 'counter-failed') {
    noteSent(session);
    prepare(session, turn, decision);
    return waiting(decision, session.live.natives(turn.messages), session);
  }
  session.isRunning = true;
  try {
    const isAsked = turn.cause !== undefined && turn.cause !== 'automatic';
    const mayPublish = !isAsked && session.preparation !== undefined;
    const prepared = mayPublish ? await publishPrepared(session, turn, signal) : undefined;
    return prepared ?? (await compactNow(session, turn, signal));
  } finally {
    session.isRunning = false;
  }
}

async function compactNow(session: Session, turn: Turn, signal: AbortSignal): Promise<Outcome> {
  dropPrepared(session);
  // Messages that arrive meanwhile go to the originals and stand behind the summary; only this snapshot is compacted.
  const outcome = await compactRequest(requestOf(session, turn), session.world, signal);
  install(session, outcome);
  return outcome;
}

function install(session: Session, { status, records }: Outcome): void {
  remember(session, records);
  // A factor learnt on the old request would look huge on the small one and compact again at once.
  if (status === 'compressed' || status === 'truncated') session.calibration = undefined;
  if (status !== 'failed-token-count') noteSent(session);
}

/** Near the trigger a model's summary is begun in the background; a digest is made at once and needs no preparing. */
function prepare(session: Session, turn: Turn, { reason, tokens }: Decision): void {
  const { policy, world, preparation } = session;
  const isWanted = reason === 'below-threshold' && world.summarizer !== undefined && isNear(tokens, policy);
  if (!isWanted || (preparation !== undefined && isCurrent(preparation, session))) return;
  dropPrepared(session);
  session.preparation = begin(requestOf(session, turn), (request, signal) => compactRequest(request, world, signal));
}

/** Stops what runs in the background, or forgets what came of it. */
export function dropPrepared(session: Session): void {
  session.preparation?.stop.abort();
  session.preparation = undefined;
}

/**
 * Publishes what was prepared, waiting for it where it is under way, if neither the log nor the messages it has seen have
 * changed (compare and swap); `undefined` where that or its size asks for a new compaction.
 */
async function publishPrepared(session: Session, turn: Turn, signal: AbortSignal): Promise<Outcome | undefined> {
  const { preparation } = session;
  if (preparation === undefined || !isCurrent(preparation, session)) return undefined;
  const outcome = await settled(preparation, signal);
  signal.throwIfAborted();
  if (outcome === undefined || !isCurrent(preparation, session)) return undefined;
  session.preparation = undefined;
  const before = { messages: session.live.natives(turn.messages).length, tokens: sizeNow(session, turn) };
  install(session, outcome);
  const messages = session.live.natives(turn.messages);
  const after = sizeNow(session, turn);
  if (after.compact) return undefined;
  const { compressed } = outcome.counts;
  const counts = {
    before: before.messages,
    after: messages.length,
    compressed,
    preserved: before.messages - compressed,
  };
  const tokens = { ...outcome.tokens, before: Math.ceil(before.tokens.tokens), after: Math.ceil(after.tokens) };
  return { ...outcome, messages, counts, tokens };
}

// This turn is the one that runs: it may look as if nothing did.
function sizeNow(session: Session, { messages }: Turn): Decision {
  session.isRunning = false;
  const decision = decideNow(session, messages, 'automatic');
  session.isRunning = true;
  return decision;
}

function waiting(decision: Decision, messages: readonly unknown[], session: Session): Outcome {
  const before = Math.ceil(decision.tokens);
  return {
    ...untouched(messages),
    status: 'noop',
    reason: decision.reason,
    tokens: { before, after: before, fixed: Math.ceil(session.fixedShare), basis: 'estimated' },
    records: [],
    findings: [],
    decision,
  };
}
