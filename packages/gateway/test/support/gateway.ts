import { memoryStore, type Store } from '@epitome/store';
import { policyNamed } from 'epitome';
import { type Gateway, type GatewayPorts, openGateway } from '../../src/gateway.ts';
import type { Parts } from '../../src/http/context.ts';
import type { Config } from '../../src/model/config.ts';
import type { CompactionNews, Exchange } from '../../src/model/report.ts';

/** A gateway under test, with everything it told. */
export type Tested = {
  readonly url: string;
  readonly gateway: Gateway;
  readonly store: Store;
  readonly exchanges: Exchange[];
  readonly compactions: CompactionNews[];
  readonly faults: string[];
};

/** Starts a gateway in front of an upstream on a free port. */
export async function startGateway(
  upstream: string,
  options: { window?: number; ports?: Partial<GatewayPorts> } = {},
): Promise<Tested> {
  const { window = 32_000, ports = {} } = options;
  const store = ports.store ?? memoryStore();
  const told = { exchanges: [] as Exchange[], compactions: [] as CompactionNews[], faults: [] as string[] };
  const gateway = openGateway(configFor(upstream), { ...ports, store }, () => partsFor(window, told));
  const { port } = await gateway.listen();
  return { url: `http://127.0.0.1:${port}`, gateway, store, ...told };
}

function configFor(upstream: string): Config {
  return {
    listen: { host: '127.0.0.1', port: 0 },
    upstreams: [
      { name: 'local', baseUrl: upstream, dialects: ['openai-chat', 'openai-responses', 'anthropic', 'gemini'] },
    ],
    policies: [],
    keys: [],
    hosts: [],
    limits: { bodyBytes: 64e6, depth: 200, ratio: 100, connectionsPerAddress: 1000 },
    timeouts: { header: 10_000, body: 60_000, idle: 75_000, upstream: 30_000, shutdown: 5_000 },
    summarizer: 'mechanical',
    log: 'silent',
  };
}

function partsFor(window: number, told: Pick<Tested, 'exchanges' | 'compactions' | 'faults'>): Parts {
  return {
    guard: {
      admit: () => undefined,
      authenticate: ({ headers }) => ({
        tenant: headers.authorization === 'Bearer other' ? 'other' : 'local',
        keyId: 'anonymous',
        scopes: ['proxy', 'read', 'admin'],
      }),
      bodyOf: async (request, _signal, join) => {
        const chunks: Buffer[] = [];
        for await (const chunk of request) chunks.push(chunk as Buffer);
        return join?.(chunks).bytes ?? Buffer.concat(chunks);
      },
      budget: { check: () => undefined, spend: () => {} },
    },
    policies: {
      resolve: ({ headers, headers: { 'x-epitome-conversation': name } }) => ({
        mode: headers['x-epitome-mode'] === 'off' ? 'off' : 'on',
        policy: policyNamed('epitome', { window: Number(headers['x-epitome-window'] ?? window) }),
        isWindowAssumed: false,
        force: headers['x-epitome-force'] === '1',
        ...(name === undefined ? {} : { conversation: String(name) }),
      }),
    },
    api: { handle: async () => undefined },
    observer: {
      exchangeStarted: () => ({ id: '' }),
      exchangeEnded: (ended) => told.exchanges.push(ended),
      compactionEnded: (news) => told.compactions.push(news),
      fault: (where, cause) => told.faults.push(`${where}: ${cause instanceof Error ? cause.stack : String(cause)}`),
    },
  };
}
