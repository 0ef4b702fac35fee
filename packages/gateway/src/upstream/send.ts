import type { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import type { Refusal } from '../model/call.ts';
import type { Upstream } from '../model/dialect.ts';
import { PRIVATE_ADDRESS } from './addresses.ts';
import { type HeaderMap, headersTo, type Outgoing, queryTo } from './headers.ts';
import { urlOf } from './url.ts';

/** A request on its way out. */
export type Sending = Outgoing & {
  readonly method: Dispatcher.HttpMethod;
  /** The path at the upstream, decoded; and what the client wrote, which holds it as it is to be sent. */
  readonly path: string;
  readonly written?: string | undefined;
  readonly query: string;
  readonly headers: HeaderMap;
  readonly body: Buffer | Readable | null;
};

/** The methods that are passed on. */
export const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;

/** A method that can be passed on; `undefined` where it cannot. */
export function methodOf(name: string): (typeof METHODS)[number] | undefined {
  return METHODS.find((known) => known === name);
}

/** What came back. Redirects are answers like any other: we follow none. */
export type Answer = {
  readonly status: number;
  readonly headers: HeaderMap;
  readonly body: Dispatcher.ResponseData['body'];
};

/** Sends a request; throws what the network says. */
export async function send(pool: Dispatcher, sending: Sending, signal: AbortSignal): Promise<Answer> {
  const { method, body } = sending;
  const {
    statusCode,
    headers,
    body: answer,
  } = await pool.request({
    method,
    path: pathAt(sending.upstream, sending),
    headers: headersTo(sending.headers, sending),
    body,
    signal,
  });
  return { status: statusCode, headers, body: answer };
}

function pathAt(upstream: Upstream, { path, written = '', query, keys }: Sending): string {
  const base = urlOf(upstream).pathname.replace(/\/+$/, '');
  const rest = queryTo(query, { upstream, keys });
  return `${base}${asWritten(path, written)}${rest === '' ? '' : `?${rest}`}`;
}

/**
 * A path as the client wrote it, without the name of an upstream in front. It was decoded to be checked only: what is encoded,
 * and in which letters, is the upstream's business.
 */
function asWritten(path: string, written: string): string {
  const [whole = ''] = written.split('?');
  const behindName = whole.replace(/^\/[^/]*/, '');
  return [whole, behindName].find((each) => isSame(each, path)) ?? encodePath(path);
}

function isSame(written: string, path: string): boolean {
  try {
    return decodeURIComponent(written) === path;
  } catch {
    return false;
  }
}

function encodePath(path: string): string {
  return encodeURI(path).replace(/[?#]/g, encodeURIComponent);
}

/** What a failure to reach an upstream is called. */
export function unreachable(cause: unknown, { name }: Upstream): Refusal {
  const code = codeOf(cause);
  if (code === 'UND_ERR_HEADERS_TIMEOUT' || code === 'UND_ERR_BODY_TIMEOUT') {
    return { status: 504, code: 'upstream-timeout', message: `The upstream ${name} did not answer in time; ${WAIT}.` };
  }
  if (code === PRIVATE_ADDRESS) {
    const why = 'its name resolves to a private address; set allowPrivate for it if it may';
    return { status: 502, code: 'upstream-private', message: `The upstream ${name} was not asked: ${why}.` };
  }
  if (code === 'ECONNREFUSED' || code === 'ENOTFOUND' || code === 'UND_ERR_CONNECT_TIMEOUT') {
    const why = 'it cannot be reached; see baseUrl of the configuration';
    return { status: 502, code: 'upstream-unreachable', message: `The upstream ${name} did not answer: ${why}.` };
  }
  return {
    status: 502,
    code: 'upstream-failed',
    message: `The upstream ${name} broke the connection off; send it again, and see its baseUrl where it stays so.`,
  };
}

const WAIT = '`timeouts.upstream` of the configuration says how long it may take';

function codeOf(cause: unknown): string {
  if (typeof cause !== 'object' || cause === null) return '';
  if ('code' in cause && typeof cause.code === 'string') return cause.code;
  return 'cause' in cause ? codeOf(cause.cause) : '';
}
