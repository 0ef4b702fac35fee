import { connect } from 'node:net';
import { createInterface } from 'node:readline';

/** Time as the chat knows it: what waits, counts down or measures asks this and nothing else. */
export type Clock = {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Calls back after so many milliseconds, once; the function it gives calls that off. */
  readonly after: (milliseconds: number, call: () => void) => () => void;
};

/** The clock of the machine. */
const systemClock: Clock = {
  now: () => Date.now(),
  after: (milliseconds, call) => {
    const timer = setTimeout(call, milliseconds);
    return () => clearTimeout(timer);
  },
};

/** The clock a test moves by hand, where `EPITOME_TEST_CLOCK` names its socket; else that of the machine. */
export async function openClock(env: Readonly<Record<string, string | undefined>>): Promise<Clock> {
  const path = env['EPITOME_TEST_CLOCK'];
  return path === undefined || path === '' ? systemClock : remoteClock(path);
}

/** Waits; ends early, with an error, when the signal aborts. */
export function pause(clock: Clock, milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const stop = (): void => {
      callOff();
      reject(signal.reason);
    };
    const callOff = clock.after(milliseconds, () => {
      signal.removeEventListener('abort', stop);
      resolve();
    });
    signal.addEventListener('abort', stop, { once: true });
  });
}

type Timer = { readonly at: number; readonly call: () => void };

/** A clock that stands still until its socket says by how many milliseconds it moves; each line is answered when all due calls were made. */
async function remoteClock(path: string): Promise<Clock> {
  const socket = connect(path);
  await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject));
  socket.unref();
  const timers = new Set<Timer>();
  let now = START;
  const advance = async (until: number): Promise<void> => {
    for (let next = earliest(timers, until); next !== undefined; next = earliest(timers, until)) {
      timers.delete(next);
      now = Math.max(now, next.at);
      next.call();
      // What a call sets off may set the next one.
      await new Promise((resolve) => setImmediate(resolve));
    }
    now = until;
  };
  createInterface({ input: socket }).on('line', (line) => {
    void advance(now + Number(line)).then(() => socket.write(`${now}\n`));
  });
  return {
    now: () => now,
    after: (milliseconds, call) => {
      const timer = { at: now + milliseconds, call };
      timers.add(timer);
      return () => timers.delete(timer);
    },
  };
}

// 2026-01-01, so that what a test sees does not depend on when it runs.
const START = 1_767_225_600_000;

function earliest(timers: ReadonlySet<Timer>, until: number): Timer | undefined {
  return [...timers].filter(({ at }) => at <= until).sort((one, other) => one.at - other.at)[0];
}
