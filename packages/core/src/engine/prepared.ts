import { wholeTokens } from '../model/count.ts';
import type { Outcome } from './outcome.ts';
import { isCurrent, type Preparation } from './preparation.ts';
import { published } from './published.ts';
import { decideNow, install, type Session, type Turn } from './session.ts';

/** What was published, and whether nothing more is due. */
type Published = { readonly outcome: Outcome; readonly isEnough: boolean };

/**
 * Publishes what was prepared, waiting for it where it is under way, if neither the log nor the messages it has seen have
 * changed (compare and swap); `undefined` where they have.
 */
export async function publishPrepared(
  session: Session,
  turn: Turn,
  signal: AbortSignal,
): Promise<Published | undefined> {
  const { preparation } = session;
  if (preparation === undefined || !isCurrent(preparation, session)) return undefined;
  const prepared = await settled(preparation, signal);
  signal.throwIfAborted();
  if (prepared === undefined || !isCurrent(preparation, session)) return undefined;
  const outcome = published(prepared, session, preparation.seen);
  if (outcome === undefined) return undefined;
  session.preparation = undefined;
  const asked = { messages: turn.messages, cause: 'automatic', isRunning: false } as const;
  const before = session.live.natives(turn.messages).length;
  const sizeBefore = wholeTokens(decideNow(session, asked).tokens);
  install(session, outcome);
  const messages = session.live.natives(turn.messages);
  const decision = decideNow(session, asked);
  const { compressed } = outcome.counts;
  const counts = { before, after: messages.length, compressed, preserved: before - compressed };
  const tokens = { ...outcome.tokens, before: sizeBefore, after: wholeTokens(decision.tokens) };
  return { outcome: { ...outcome, messages, counts, tokens }, isEnough: !decision.compact };
}

/** How a preparation ends; an abort stops the waiting and the preparation itself. */
async function settled({ outcome, stop }: Preparation, signal: AbortSignal): Promise<Outcome | undefined> {
  const abort = (): void => stop.abort(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await outcome;
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
