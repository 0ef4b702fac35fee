import { following } from '../../aborted.ts';
import { type Clock, pause } from '../clock.ts';
import type { ChatEvent } from '../events.ts';
import { type Fault, isPassing, ModelFault } from './fault.ts';
import type { ChatModel } from './open.ts';
import type { Answer, Question } from './stream.ts';

/** A question to a model that may fail. */
export type Asking = {
  readonly model: ChatModel;
  readonly question: Omit<Question, 'hear'>;
  readonly clock: Clock;
  readonly tell: (event: ChatEvent) => void;
};

/** An answer somebody stopped, with what there was of it. */
export class Cancelled extends Error {
  override readonly name = 'Cancelled';
  readonly text: string;

  constructor(text: string) {
    super('cancelled');
    this.text = text;
  }
}

const MOST_TRIES = 3;
/** Milliseconds a model may be silent. */
const STALL_MS = 60_000;
// A turn that waits longer than this for a rate limit is better told to come back.
const LONGEST_WAIT_MS = 60_000;

/** Asks, again where a fault may pass. Rejects with a `ModelFault` that stays, or `Cancelled`. */
export async function ask(asking: Asking, signal: AbortSignal): Promise<Answer> {
  const { clock, tell } = asking;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await askOnce(asking, { isLast: attempt === MOST_TRIES }, signal);
    } catch (cause) {
      if (!(cause instanceof ModelFault)) throw cause;
      const waitMs = waitOf(cause.fault, attempt);
      if (!isPassing(cause.fault) || attempt === MOST_TRIES || waitMs > LONGEST_WAIT_MS) throw cause;
      tell({ kind: 'retry', fault: cause.fault, waitMs, attempt });
      tell({ kind: 'activity', activity: 'waiting', since: clock.now() });
      await pause(clock, waitMs, signal).catch(() => Promise.reject(new Cancelled('')));
      tell({ kind: 'activity', activity: 'answering', since: clock.now() });
    }
  }
}

/** Half a second, then one, with some jitter, or what the provider asks for. */
function waitOf({ retryAfterMs }: Fault, attempt: number): number {
  return retryAfterMs ?? 500 * 2 ** (attempt - 1) * (1 + Math.random() / 4);
}

async function askOnce(asking: Asking, { isLast }: { isLast: boolean }, signal: AbortSignal): Promise<Answer> {
  const { model, question, clock, tell } = asking;
  let heard = '';
  const stall = watchdog(clock, STALL_MS, signal);
  const end = (ended: Extract<ChatEvent, { kind: 'answer-end' }>['ended']): void => tell({ kind: 'answer-end', ended });
  tell({ kind: 'answer-start' });
  try {
    const hear: Question['hear'] = ({ kind, text }) => {
      stall.feed();
      if (kind !== 'text') return;
      heard += text;
      tell({ kind: 'answer-text', text });
    };
    const answer = await model.answer({ ...question, hear }, stall.signal);
    const fault = wanting(answer);
    // Some servers never say why they stop: what they said twice is taken.
    const isTaken = fault === undefined || (fault.kind === 'cut' && isLast && answer.text.trim() !== '');
    if (!isTaken) throw new ModelFault(fault);
    end(fault !== undefined ? 'unfinished' : answer.finish === 'length' ? 'cut-off' : 'whole');
    return answer;
  } catch (cause) {
    end(signal.aborted ? 'cancelled' : 'discarded');
    if (signal.aborted) throw new Cancelled(heard);
    throw stall.isSilent() ? new ModelFault(heard === '' ? SILENT : STALLED, { cause }) : cause;
  } finally {
    stall.stop();
  }
}

const SILENT: Fault = { kind: 'timeout', detail: `nothing came for ${STALL_MS / 1000} s` };

const STALLED: Fault = { kind: 'cut', detail: `nothing more came for ${STALL_MS / 1000} s` };

/** What makes an answer none. */
function wanting({ finish, text, calls }: Answer): Fault | undefined {
  if (finish === 'refused') return { kind: 'refused', detail: text.trim() };
  if (calls.length === 0 && finish === 'unsaid') return { kind: 'cut', detail: 'the stream ended without an end' };
  if (calls.length === 0 && text.trim() === '') return { kind: 'empty', detail: '' };
  return undefined;
}

type Watchdog = {
  /** Aborts with the one it was given, too. */
  readonly signal: AbortSignal;
  readonly isSilent: () => boolean;
  readonly feed: () => void;
  readonly stop: () => void;
};

/** Aborts its signal when it was not fed for so long. */
function watchdog(clock: Clock, milliseconds: number, signal: AbortSignal): Watchdog {
  const silence = following(signal);
  let isSilent = false;
  const begin = (): (() => void) =>
    clock.after(milliseconds, () => {
      isSilent = true;
      silence.abort(new Error('silent'));
    });
  let stop = begin();
  return {
    signal: silence.signal,
    isSilent: () => isSilent,
    feed: () => {
      stop();
      stop = begin();
    },
    stop: () => {
      stop();
      silence.letGo();
    },
  };
}
