import type { Summarizer } from 'epitome';
import { faultOf, isPassing } from './model/fault.ts';
import type { Running } from './state.ts';
import type { ChatSummarizer } from './summarizer.ts';

// After so many it is left alone for a while: each would cost two calls, and up to two minutes.
const MOST_FAILURES = 3;
const REST_MS = 5 * 60_000;

/** The summarizer, unless it failed so often that it is left alone for now: summaries do without it then. */
export function unlessResting({ world, state }: Running, summarizer?: ChatSummarizer): ChatSummarizer | undefined {
  const { failures } = state;
  if (failures === undefined || failures.by !== summarizer?.name || failures.count < MOST_FAILURES) return summarizer;
  return world.clock.now() - failures.at < REST_MS ? undefined : summarizer;
}

/** A summarizer whose failures are counted. That it is left alone is said once, and that it is not any more. */
export function counting(running: Running, name: string, write: Summarizer): Summarizer {
  const { state } = running;
  return async (brief, signal) => {
    try {
      const draft = await write(brief, signal);
      if ((state.failures?.count ?? 0) >= MOST_FAILURES) say(running, 'plain', 'The model writes summaries again.');
      delete state.failures;
      return draft;
    } catch (cause) {
      if (!signal.aborted && isPassing(faultOf(cause))) noteFailure(running, name);
      throw cause;
    }
  };
}

function noteFailure(running: Running, name: string): void {
  const { world, state } = running;
  const count = state.failures?.by === name ? state.failures.count + 1 : 1;
  state.failures = { by: name, count, at: world.clock.now() };
  if (count === MOST_FAILURES) say(running, 'warning', RESTING);
}

const RESTING = `The model failed to write ${MOST_FAILURES} summaries in a row; for ${REST_MS / 60_000} minutes they are written without it.`;

function say({ world }: Running, tone: 'plain' | 'warning', line: string): void {
  world.tell({ kind: 'said', tone, lines: [line] });
}
