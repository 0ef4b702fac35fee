import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { readConfig } from '../../src/config/load.ts';
import { createLedger } from '../../src/guard/budget.ts';
import { createConnections } from '../../src/guard/connections.ts';
import { createGuard } from '../../src/guard/guard.ts';
import { isRefusal } from '../../src/model/call.ts';

/** A server that does nothing but ask the guard, and says what it said. */
export async function startGuarded(yaml: string, env: Record<string, string> = {}): Promise<Server> {
  const config = readConfig(yaml, { where: 'test', env, folder: '.' });
  const ledger = createLedger({ now: () => performance.now(), pricesOf: () => undefined });
  const memory = { connections: createConnections(), ledger, ours: new Set<string>(), now: () => Date.now() };
  const guard = createGuard(config, memory);
  const server = createServer(async (request, response) => {
    const caller = guard.admit(request) ?? guard.authenticate(request);
    const body = isRefusal(caller) ? caller : await guard.bodyOf(request, new AbortController().signal);
    const refusal = isRefusal(body) ? body : undefined;
    response.writeHead(refusal?.status ?? 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(refusal ?? { caller, bytes: Buffer.isBuffer(body) ? body.length : 0 }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

/** The port a server listens on. */
export function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

/** Sends bytes as they are and gives what comes back. */
export function sendRaw(port: number, text: string | Buffer): Promise<string> {
  return new Promise((resolve) => {
    let answer = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    socket.setTimeout(1500, () => socket.destroy());
    socket.on('data', (chunk) => {
      answer += chunk.toString('latin1');
      // An answer is one piece here; a connection that stays open says no more.
      socket.setTimeout(50);
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(answer));
  });
}
