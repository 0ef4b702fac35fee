import { storeClosed } from '../model/errors.ts';
import type { Engine } from '../model/rows.ts';

/** An engine that says so when it was closed, whatever its database would say. Closing it again is closing it once. */
export function closable(engine: Engine): Engine {
  let closed: Promise<void> | undefined;
  const openly = async <T>(work: () => Promise<T>): Promise<T> => {
    if (closed !== undefined) throw storeClosed();
    return work();
  };
  return {
    kind: engine.kind,
    transact: (scope, work) => openly(() => engine.transact(scope, work)),
    advance: (tenant, move) => openly(() => engine.advance(tenant, move)),
    settle: (tenant) => openly(() => engine.settle(tenant)),
    scrub: () => openly(() => engine.scrub()),
    close: () => {
      closed ??= engine.close();
      return closed;
    },
  };
}
