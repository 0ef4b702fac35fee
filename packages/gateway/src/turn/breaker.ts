import type { Ports, Summarizer } from 'epitome';

/** A summarizer that is left alone for a while after it failed several times in a row. */
export type Breaker = {
  /** The ports as they are to be used now: without the summarizer while it rests. */
  readonly ports: () => Ports;
};

/** What a breaker takes from the world. */
export type BreakerPorts = {
  /** Milliseconds that only go forward. */
  readonly now: () => number;
  /** Told once when it begins to rest, and once when it works again. */
  readonly onChange: (state: 'resting' | 'working') => void;
};

// Each failure costs a turn up to two minutes.
const MOST_FAILURES = 3;
const REST_MS = 5 * 60_000;

/**
 * Opens after three failures in a row. When the rest is over one call is let through at a time: it closes the breaker, or
 * begins another rest without a word.
 */
export function createBreaker(engine: Ports, { now, onChange }: BreakerPorts): Breaker {
  const { summarizer, ...without } = engine;
  if (summarizer === undefined) return { ports: () => engine };
  let failures = 0;
  let restsUntil = Number.NEGATIVE_INFINITY;
  const worked = (): void => {
    if (failures >= MOST_FAILURES) onChange('working');
    failures = 0;
    restsUntil = Number.NEGATIVE_INFINITY;
  };
  const failed = (): void => {
    failures += 1;
    if (failures < MOST_FAILURES) return;
    restsUntil = now() + REST_MS;
    if (failures === MOST_FAILURES) onChange('resting');
  };
  const watched: Summarizer = async (brief, signal) => {
    // A compaction that began before asks once more.
    if (now() < restsUntil) throw new Error('The summarizer is left alone for a while.');
    // Whoever else asks while it is tried out does without.
    if (failures >= MOST_FAILURES) restsUntil = now() + REST_MS;
    try {
      const draft = await summarizer(brief, signal);
      worked();
      return draft;
    } catch (cause) {
      if (!isCalledOff(signal)) failed();
      throw cause;
    }
  };
  return { ports: () => (now() < restsUntil ? without : { ...engine, summarizer: watched }) };
}

/** Whether somebody no longer wants the summary, which is no failure; that it took too long is one. */
function isCalledOff({ aborted, reason }: AbortSignal): boolean {
  return aborted && reason instanceof DOMException && reason.name === 'AbortError';
}
