import { wholeTokens } from '../model/count.ts';
import type { Decision } from '../model/decision.ts';
import { checkTurn } from './check.ts';
import { compactRequest } from './compact.ts';
import { untouched } from './conclude.ts';
import type { Outcome } from './outcome.ts';
import { begin, isCurrent, isNear } from './preparation.ts';
import { decideNow, follow, install, noteSent, requestOf, type Session, type Turn } from './session.ts';

/** Takes one turn of a session: compacts if it is due, with what was prepared where that still holds. */
export async function runTurn(session: Session, turn: Turn, signal: AbortSignal): Promise<Outcome> {
  checkTurn(turn);
  signal.throwIfAborted();
  const { messages, cause = 'automatic' } = turn;
  const decision = decideNow(session, { messages, cause, isRunning: session.isRunning });
  if (!decision.compact && decision.reason !== 'counter-failed') {
    noteSent(session);
    prepare(session, turn, decision);
    return waiting(decision, session.live.natives(messages), session);
  }
  session.isRunning = true;
  try {
    if (cause !== 'automatic' || session.preparation === undefined) return await compactNow(session, turn, signal);
    const { joined, publishPrepared } = await import('./later.ts');
    const prepared = await publishPrepared(session, turn, signal);
    if (prepared?.isEnough) return prepared.outcome;
    const outcome = await compactNow(session, turn, signal);
    return prepared === undefined ? outcome : joined(prepared.outcome, outcome);
  } finally {
    session.isRunning = false;
  }
}

async function compactNow(session: Session, turn: Turn, signal: AbortSignal): Promise<Outcome> {
  dropPrepared(session);
  // Messages that arrive meanwhile go to the originals and stand behind the summary; only this snapshot is compacted.
  const request = requestOf(session, turn);
  const made = await compactRequest(request, session.world, signal);
  // What the caller appended to the very list meanwhile was written behind the view as it was.
  if (turn.messages.length > session.originals.messages.length) follow(session, turn);
  const { outcomeNow } = await import('./later.ts');
  const outcome = outcomeNow(made, session, request);
  install(session, outcome);
  return outcome;
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

function waiting(decision: Decision, messages: readonly unknown[], session: Session): Outcome {
  const before = wholeTokens(decision.tokens);
  return {
    ...untouched(messages),
    status: 'noop',
    reason: decision.reason,
    tokens: { before, after: before, fixed: wholeTokens(session.fixedShare), basis: 'estimated' },
    records: [],
    findings: [],
    decision,
  };
}
