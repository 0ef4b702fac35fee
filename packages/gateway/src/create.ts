import type { Logger } from 'pino';
import { type Gateway, type GatewayPorts, openGateway } from './gateway.ts';
import type { Config } from './model/config.ts';
import { createLogger } from './observe/logger.ts';
import { standardParts } from './parts.ts';

/** A gateway as its configuration says, with guard, policies, API and observer of our own. */
export function createGateway(config: Config, ports: GatewayPorts & { readonly logger?: Logger }): Gateway {
  const { logger = createLogger(config.log), ...rest } = ports;
  return openGateway(config, rest, standardParts({ store: ports.store, logger }));
}
