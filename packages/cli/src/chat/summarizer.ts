import type { Draft, Summarizer } from 'epitome';
import { type Clock, pause } from './clock.ts';
import { faultOf, isPassing, ModelFault } from './model/fault.ts';

/** Milliseconds one summary may take. */
const SUMMARY_MS = 60_000;
const LONGEST_WAIT_MS = 30_000;

/** A summarizer that is given up after a minute, and asked once more where what went wrong may pass. */
export function patient(summarizer: Summarizer, clock: Clock): Summarizer {
  const once: Summarizer = async (brief, signal) => {
    const late = new AbortController();
    const callOff = clock.after(SUMMARY_MS, () => late.abort());
    try {
      return await orAborted(summarizer(brief, AbortSignal.any([signal, late.signal])), late.signal);
    } catch (cause) {
      signal.throwIfAborted();
      const detail = `timed out after ${SUMMARY_MS / 1000}s`;
      throw late.signal.aborted ? new ModelFault({ kind: 'timeout', detail }, { cause }) : cause;
    } finally {
      callOff();
    }
  };
  return async (brief, signal) => {
    try {
      return await once(brief, signal);
    } catch (cause) {
      signal.throwIfAborted();
      const fault = faultOf(cause, false);
      const waitMs = fault.retryAfterMs ?? 500 * (1 + Math.random());
      if (!isPassing(fault) || waitMs > LONGEST_WAIT_MS) throw cause;
      await pause(clock, waitMs, signal);
      return once(brief, signal);
    }
  };
}

/** Does not wait for a call that does not heed its signal. */
function orAborted(draft: Promise<Draft>, signal: AbortSignal): Promise<Draft> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('late')), { once: true });
    draft.then(resolve, reject);
  });
}
