import type { Store } from '@epitome/store';
import type { Logger } from 'pino';
import { createApi } from './api/api.ts';
import { healthOf } from './api/health.ts';
import { ASSUMED_WINDOW } from './config/check.ts';
import { modelTable } from './config/models.ts';
import { createPolicies } from './config/policies.ts';
import { createLedger } from './guard/budget.ts';
import { createConnections } from './guard/connections.ts';
import { createGuard } from './guard/guard.ts';
import type { Parts } from './http/context.ts';
import type { Config } from './model/config.ts';
import type { Observer } from './model/parts.ts';
import { createObserver } from './observe/observer.ts';
import { lastTurn } from './turn/answers.ts';
import type { Trees } from './turn/cache.ts';

/**
 * Makes what stands around the data plane, anew for each configuration. What was spent, who is connected and all figures
 * outlive a change of it.
 */
export function standardParts({
  store,
  logger,
  trees,
}: {
  readonly store: Store;
  readonly logger: Logger;
  readonly trees: Trees;
}): (config: Config) => Parts {
  const { metrics, ...told } = createObserver({ logger });
  const health = healthOf(store, { onFault: (cause) => told.fault('store', cause) });
  const observer: Observer = {
    ...told,
    fault: (where, cause) => {
      health.noted(cause);
      told.fault(where, cause);
    },
  };
  const connections = createConnections();
  const ours = new Set<string>();
  const api = createApi({
    ...{ store, health },
    metrics: metrics.text,
    lastTurn: (whose) => lastTurn(trees, whose),
    onFault: observer.fault,
  });
  let models = modelTable([]);
  const ledger = createLedger({ now: () => performance.now(), pricesOf: (model) => models(model).prices });
  const assumed = (model: string): void =>
    logger.warn(
      { model, window: ASSUMED_WINDOW },
      'the window of this model is unknown and was assumed; see `models` of the configuration',
    );
  return (config) => {
    models = modelTable(config.models ?? []);
    logger.level = config.log;
    const guard = createGuard(config, { connections, ledger, ours, now: () => Date.now() });
    return { guard, policies: createPolicies(config, assumed), api, observer };
  };
}
