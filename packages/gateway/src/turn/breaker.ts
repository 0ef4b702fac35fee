import { setTimeout as sleep } from 'node:timers/promises';
import type { Brief, Draft, Ports, Summarizer } from 'epitome';
import { Deferred } from './deferred.ts';
import { mayPass, RateLimited, waitAfter } from './rate-limit.ts';

/** A summarizer that is left alone for a while after it failed several times in a row. */
export type Breaker = {
  /** The ports as they are to be used now: without the summarizer while it rests. */
  readonly ports: () => Ports;
  /** Milliseconds until the summarizer may be asked again that said it has too much to do; 0 where it did not. */
  readonly waitMs: () => number;
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
 * begins another rest without a word. One that has too much to do has not failed: it is left alone as long as it says.
 */
export function createBreaker(engine: Ports, world: BreakerPorts): Breaker {
  const { summarizer, ...without } = engine;
  if (summarizer === undefined) return { ports: () => engine, waitMs: () => 0 };
  const { now } = world;
  const rest = createRest(world);
  let busyUntil = Number.NEGATIVE_INFINITY;
  const waitMs = (): number => Math.max(0, busyUntil - now());
  const watched: Summarizer = async (brief, signal) => {
    if (waitMs() > 0) throw new RateLimited(waitMs());
    // A compaction that began before asks once more.
    if (rest.isOn()) throw new Error('The summarizer is left alone for a while.');
    rest.tryOut();
    try {
      const draft = await askTwice(summarizer, brief, signal);
      rest.worked();
      return draft;
    } catch (cause) {
      const wait = waitAfter(cause);
      if (wait === undefined) {
        if (!isCalledOff(signal)) rest.failed();
        throw cause;
      }
      busyUntil = Math.max(busyUntil, now() + wait);
      throw new RateLimited(wait, cause);
    }
  };
  return { waitMs, ports: () => (rest.isOn() || waitMs() > 0 ? without : { ...engine, summarizer: watched }) };
}

type Rest = {
  readonly isOn: () => boolean;
  /** Whoever else asks while it is tried out does without. */
  readonly tryOut: () => void;
  readonly worked: () => void;
  readonly failed: () => void;
};

function createRest({ now, onChange }: BreakerPorts): Rest {
  let failures = 0;
  let until = Number.NEGATIVE_INFINITY;
  return {
    isOn: () => now() < until,
    tryOut: () => {
      if (failures >= MOST_FAILURES) until = now() + REST_MS;
    },
    worked: () => {
      if (failures >= MOST_FAILURES) onChange('working');
      failures = 0;
      until = Number.NEGATIVE_INFINITY;
    },
    failed: () => {
      failures += 1;
      if (failures < MOST_FAILURES) return;
      until = now() + REST_MS;
      if (failures === MOST_FAILURES) onChange('resting');
    },
  };
}

const RETRY_MS = 250;

/** A provider's fault of the moment is given one more try, not at the same moment as everybody else's. */
async function askTwice(summarizer: Summarizer, brief: Brief, signal: AbortSignal): Promise<Draft> {
  try {
    return await summarizer(brief, signal);
  } catch (cause) {
    if (signal.aborted || !mayPass(cause)) throw cause;
    await sleep(RETRY_MS * (1 + Math.random()), undefined, { signal });
    return summarizer(brief, signal);
  }
}

/** Whether somebody no longer wants the summary, which is no failure; that it took too long is one. */
function isCalledOff({ aborted, reason }: AbortSignal): boolean {
  if (!aborted) return false;
  return reason instanceof Deferred || (reason instanceof DOMException && reason.name === 'AbortError');
}
