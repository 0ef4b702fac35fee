import type { IncomingMessage } from 'node:http';
import { isLoopback } from '../config/check.ts';
import type { Refusal } from '../model/call.ts';
import type { Config } from '../model/config.ts';

type Places = Pick<Config, 'hosts' | 'listen'>;

const FOREIGN: Refusal = {
  status: 403,
  code: 'foreign-origin',
  message:
    'Requests of web pages of other origins are not served; ask from outside a browser, or from a page of this gateway.',
};

/** Whether the request was meant for us, and not sent by a web page of somebody else. */
export function originProblem(request: IncomingMessage, places: Places): Refusal | undefined {
  const { headers } = request;
  const host = headers.host?.toLowerCase();
  if (host === undefined || !isOurs(host, request.socket.localPort, places)) {
    const message = 'The Host header is not one of this gateway; add the name to `hosts` of the configuration.';
    return { status: 403, code: 'unknown-host', message };
  }
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return FOREIGN;
  const { origin } = headers;
  if (origin === undefined) return undefined;
  // A page of ours is at the very host it asks; `null` is an origin that hides itself.
  const isSame = URL.canParse(origin) && new URL(origin).host.toLowerCase() === withoutDefaultPort(host, origin);
  return isSame ? undefined : FOREIGN;
}

function withoutDefaultPort(host: string, origin: string): string {
  return origin.startsWith('https:') ? host.replace(/:443$/, '') : host.replace(/:80$/, '');
}

function isOurs(host: string, port: number | undefined, { hosts, listen }: Places): boolean {
  if (hosts.length > 0 && isNamed(host, hosts)) return true;
  const bare = host.replace(/:\d+$/, '');
  const isLocal = LOCAL.has(bare) && (host === `${bare}:${port}` || (port === 80 && host === bare));
  if (isLocal && isLoopback(listen.host)) return true;
  // Who listens to the world under no name given has client keys, which a page of a stranger does not know.
  return hosts.length === 0 && !isLoopback(listen.host);
}

const LOCAL: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

function isNamed(host: string, hosts: readonly string[]): boolean {
  const names = hosts.map((name) => name.toLowerCase());
  return names.includes(host) || names.includes(host.replace(/:\d+$/, ''));
}
