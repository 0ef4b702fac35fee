import type { Draft, Summarizer } from 'epitome';
import type { Prices } from 'epitome/economics';
import { following } from '../aborted.ts';
import { type Clock, pause } from './clock.ts';
import { faultOf, isPassing, ModelFault } from './model/fault.ts';

/** Who writes summaries and names goals. */
export type ChatSummarizer = { readonly name: string; readonly write: Summarizer; readonly prices?: Prices };

/** Milliseconds one summary may take. */
const SUMMARY_MS = 60_000;
const LONGEST_WAIT_MS = 30_000;

/** A provider that asks to be left alone for a while. */
export class RateLimited extends Error {
  override readonly name = 'RateLimited';
  readonly waitMs: number;

  constructor(waitMs: number, cause: unknown) {
    super('the provider limits the rate', { cause });
    this.waitMs = waitMs;
  }
}

// Nobody notices a pause that is as short as a summary takes anyway.
const SHORT_WAIT_MS = 3000;

/**
 * A summarizer that is given up after a minute, and asked once more where what went wrong may pass. Where the provider limits the
 * rate for long, `limited` is told, if it is there, instead of waiting.
 */
export function patient(summarizer: Summarizer, clock: Clock, limited?: (cause: RateLimited) => void): Summarizer {
  const once: Summarizer = async (brief, signal) => {
    let isLate = false;
    const stop = following(signal);
    const callOff = clock.after(SUMMARY_MS, () => {
      isLate = true;
      stop.abort();
    });
    try {
      return await orAborted(summarizer(brief, stop.signal), stop.signal);
    } catch (cause) {
      signal.throwIfAborted();
      const detail = `timed out after ${SUMMARY_MS / 1000}s`;
      throw isLate ? new ModelFault({ kind: 'timeout', detail }, { cause }) : cause;
    } finally {
      callOff();
      stop.letGo();
    }
  };
  return async (brief, signal) => {
    try {
      return await once(brief, signal);
    } catch (cause) {
      signal.throwIfAborted();
      const fault = faultOf(cause);
      const waitMs = fault.retryAfterMs ?? 500 * (1 + Math.random());
      if (fault.kind === 'rate-limit' && waitMs > SHORT_WAIT_MS) limited?.(new RateLimited(waitMs, cause));
      if (!isPassing(fault) || waitMs > LONGEST_WAIT_MS || signal.aborted) throw cause;
      await pause(clock, waitMs, signal);
      return once(brief, signal);
    }
  };
}

/** Does not wait for a call that does not heed its signal. */
function orAborted(draft: Promise<Draft>, signal: AbortSignal): Promise<Draft> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    signal.addEventListener('abort', () => reject(new Error('late')), { once: true });
    draft.then(resolve, reject);
  });
}
