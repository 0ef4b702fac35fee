import type { AddressInfo } from 'node:net';
import type { Store } from '@epitome/store';
import type { Ports as EnginePorts } from 'epitome';
import type { Config } from './model/config.ts';

/** What a gateway takes from the world. */
export type GatewayPorts = {
  readonly store: Store;
  /** Summarizer, counter, prices and the like. */
  readonly engine?: EnginePorts;
};

/** A gateway. */
export type Gateway = {
  /** Begins to listen; resolves with the address. */
  readonly listen: () => Promise<AddressInfo>;
  readonly address: () => AddressInfo | undefined;
  /** Another configuration from the next request on; where it listens stays. */
  readonly reload: (config: Config) => void;
  /** Takes no more requests and resolves when those under way, streams included, have ended. */
  readonly close: () => Promise<void>;
};
