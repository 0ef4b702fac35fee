import { storeClosed } from '../model/errors.ts';
import type { Engine } from '../model/rows.ts';

/** An engine that says so when it was closed, whatever its database would say. */
export function closable(engine: Engine): Engine {
  const { openly, close } = createClosing(() => engine.close());
  return {
    kind: engine.kind,
    transact: (scope, work) => openly(() => engine.transact(scope, work)),
    advance: (tenant, move) => openly(() => engine.advance(tenant, move)),
    settle: (tenant) => openly(() => engine.settle(tenant)),
    scrub: () => openly(() => engine.scrub()),
    close,
  };
}

/** What is open until it is closed. */
export type Closing = {
  /** Does work; throws where it is closed. */
  readonly openly: <T>(work: () => Promise<T>) => Promise<T>;
  /** Closing again is closing once. */
  readonly close: () => Promise<void>;
};

/** Something open that is closed by a function. */
export function createClosing(close: () => Promise<void>): Closing {
  let closed: Promise<void> | undefined;
  return {
    openly: async (work) => {
      if (closed !== undefined) throw storeClosed();
      return work();
    },
    close: () => {
      closed ??= close();
      return closed;
    },
  };
}
