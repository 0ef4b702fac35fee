import type { IncomingMessage } from 'node:http';
import { isRefusal, type Refusal } from '../model/call.ts';
import type { Config } from '../model/config.ts';
import type { Guard, Joined } from '../model/parts.ts';
import { readPieces } from './body.ts';
import type { Ledger } from './budget.ts';
import type { Connections } from './connections.ts';
import { authenticate, isProbePath } from './credentials.ts';
import { giveBack } from './give-back.ts';
import { headerProblem, mediaTypeOf, typeProblem } from './headers.ts';
import { jsonProblem } from './json.ts';
import { originProblem } from './origin.ts';

/** What a guard remembers beyond one configuration. */
export type GuardMemory = {
  readonly connections: Connections;
  readonly ledger: Ledger;
  /** Hashes of all client keys there were. */
  readonly ours: Set<string>;
  /** Milliseconds since the epoch, for keys that expire. */
  readonly now: () => number;
};

/** The guard in front of a gateway, by its configuration. */
export function createGuard(config: Config, { connections, ledger, ours, now }: GuardMemory): Guard {
  const { limits, keys, sharedTenant, timeouts } = config;
  for (const { hash } of keys) ours.add(hash);
  const rules = { keys, ours, ...(sharedTenant === undefined ? {} : { sharedTenant }) };
  const bodyLimits = { ...limits, time: timeouts.body };
  return {
    connects: (socket) => connections.admit(socket, limits.connectionsPerAddress),
    admit: (request) => {
      if (!connections.admit(request.socket, limits.connectionsPerAddress)) return TOO_MANY;
      const problem = headerProblem(request) ?? typeProblem(request);
      // A probe comes by address, whatever that is.
      return problem ?? (isProbePath(request.url) ? undefined : originProblem(request, config));
    },
    authenticate: (request) => authenticate(request, rules, now()),
    bodyOf: async (request, signal, join = joined) => {
      const wanted = jsonWanted(request);
      if (wanted !== undefined) return wanted;
      const pieces = await readPieces(request, bodyLimits, signal);
      if (isRefusal(pieces)) return pieces;
      const { bytes, checked } = join(pieces);
      // What a decoder makes is its own.
      if (request.headers['content-encoding'] === undefined) giveBack(pieces);
      return (isJson(request) ? jsonProblem(bytes, limits.depth, checked) : undefined) ?? bytes;
    },
    budget: {
      check: (caller) => ledger.check(caller, keys),
      hold: (holding) => ledger.hold(holding, keys),
      spend: (spending) => ledger.spend(spending, keys),
    },
  };
}

function joined(pieces: readonly Buffer[]): Joined {
  return { bytes: Buffer.concat(pieces), checked: 0 };
}

const TOO_MANY: Refusal = {
  status: 429,
  code: 'too-many-connections',
  message: 'Too many connections from this address; close some, or raise `limits.connectionsPerAddress`.',
  retryAfterSeconds: 1,
};

// Bodies that are read here at all are conversations and orders to the gateway: JSON, all of them.
function jsonWanted(request: IncomingMessage): Refusal | undefined {
  const { headers, method } = request;
  const isEmpty = headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0;
  if (isEmpty || method === 'GET' || method === 'HEAD' || isJson(request)) return undefined;
  return {
    status: 415,
    code: 'unsupported-media-type',
    message: 'Send the body with `content-type: application/json`.',
  };
}

function isJson({ headers }: IncomingMessage): boolean {
  const type = mediaTypeOf(headers['content-type']);
  return type === 'application/json' || type.endsWith('+json');
}
