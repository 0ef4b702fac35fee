import type { AddressInfo } from 'node:net';
import type { Store } from '@epitome/store';
import type { Ports as EnginePorts } from 'epitome';
import type { Logger } from 'pino';
import { whileRunning } from './config/reload.ts';
import { USUAL_MEMORY } from './config/schema.ts';
import { createBodies } from './dialects/bodies.ts';
import type { Context, Parts } from './http/context.ts';
import { serve } from './http/serve.ts';
import { createListener } from './http/server.ts';
import type { Config } from './model/config.ts';
import { createLogger } from './observe/logger.ts';
import { standardParts } from './parts.ts';
import { type BreakerPorts, createBreaker } from './turn/breaker.ts';
import { createTrees, type Trees } from './turn/cache.ts';
import { createPools, type Pools } from './upstream/pools.ts';

/** What a gateway takes from the world. */
export type GatewayPorts = {
  readonly store: Store;
  /** Summarizer, counter, redactor and the like. */
  readonly engine?: EnginePorts;
  /**
   * Where what happens is told, never with content.
   * @default JSON lines on stderr
   */
  readonly logger?: Logger;
};

/** A gateway. */
export type Gateway = {
  /** Begins to listen; resolves with the address. */
  readonly listen: () => Promise<AddressInfo>;
  readonly address: () => AddressInfo | undefined;
  /**
   * Another configuration from the next request on, and other ports of the engine where they are given; where it listens stays.
   * Throws `ConfigError` where it may not listen there with what is new, and goes on as it was.
   */
  readonly reload: (config: Config, engine?: EnginePorts) => void;
  /** Takes no more requests and resolves when those under way, streams included, have ended. */
  readonly close: () => Promise<void>;
};

/** A gateway by its configuration: call `listen`, and clients can be pointed at it. */
export function createGateway(config: Config, ports: GatewayPorts): Gateway {
  const { store, logger = createLogger(config.log) } = ports;
  const trees = createTrees();
  return openGateway(config, { ...ports, trees }, standardParts({ store, logger, trees }));
}

/** Makes what stands around the data plane for a configuration. */
export type MakeParts = (config: Config) => Parts;

/** A gateway with parts of the caller's choice. */
export function openGateway(
  config: Config,
  { trees = createTrees(), ...ports }: GatewayPorts & { readonly trees?: Trees },
  partsOf: MakeParts,
): Gateway {
  const pools = createPools(config.timeouts);
  const stopping = new AbortController();
  const contextOf = contextMaker({ ...ports, pools, trees, partsOf, stop: stopping.signal }, (state) =>
    context.observer.summarizer?.(state),
  );
  let context = contextOf(config);
  const listener = createListener(config.timeouts, {
    connects: (socket) => context.guard.connects?.(socket) ?? true,
    serve: (request, response) => serve(context, request, response),
  });
  return {
    listen: () => listener.listen(context.config.listen),
    address: listener.address,
    reload: (next, engine) => {
      context = contextOf(whileRunning(next, context.config), engine);
      pools.reload(next);
      listener.limit(next.timeouts);
    },
    close: async () => {
      await listener.close(context.config.timeouts.shutdown, () => stopping.abort());
      for (const { branches } of trees.all()) for (const { preparation } of branches) preparation?.stop.abort();
      await pools.close();
    },
  };
}

type Lasting = Pick<GatewayPorts, 'store' | 'engine'> & {
  readonly pools: Pools;
  readonly trees: Trees;
  readonly partsOf: MakeParts;
  readonly stop: AbortSignal;
};

type MakeContext = (config: Config, engine?: EnginePorts) => Context;

/** Makes what requests are served with; what is remembered of conversations and providers outlives a configuration. */
function contextMaker(lasting: Lasting, onChange: BreakerPorts['onChange']): MakeContext {
  const { store, pools, trees, partsOf, stop } = lasting;
  const breakerOf = (engine: EnginePorts) => createBreaker(engine, { now: () => performance.now(), onChange });
  let breaker = breakerOf(lasting.engine ?? {});
  const bodies = createBodies();
  const shared = { store, trees, bodies, limits: new Map<string, number>() };
  return (config, changed) => {
    if (changed !== undefined) breaker = breakerOf(changed);
    const { memory = USUAL_MEMORY } = config.limits;
    trees.resize(memory * 0.6);
    bodies.resize(memory * 0.4);
    const { ports: engine, waitMs } = breaker;
    const parts = partsOf(config);
    const { observer, guard } = parts;
    const at = config.summarizer.indexOf('/');
    const summarizer = {
      provider: config.summarizer.slice(0, Math.max(at, 0)),
      model: config.summarizer.slice(at + 1),
    };
    const plane = { ...shared, engine, waitMs, observer, spend: guard.budget.spend, summarizer };
    return { ...parts, config, pools, plane, stop };
  };
}
