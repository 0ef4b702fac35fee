import { hash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { type Caller, type Refusal, SCOPES } from '../model/call.ts';
import type { ClientKey, Config } from '../model/config.ts';

/** One answer for a key that is missing, wrong, expired or doubled: nobody learns which. */
const UNAUTHORIZED: Refusal = {
  status: 401,
  code: 'unauthorized',
  message: 'The key is missing or not valid; send it as your client does for its provider.',
};

type Rules = Pick<Config, 'keys' | 'sharedTenant'> & {
  /** Hashes of the client keys there are and were: whoever still sends one did not mean it for a provider. */
  readonly ours: ReadonlySet<string>;
};

/** Who calls: by a client key, or by the provider's key they bring, of which only a hash is looked at. */
export function authenticate(request: IncomingMessage, rules: Rules, now: number): Caller | Refusal {
  if (isProbe(request)) return { tenant: 'none', keyId: 'none', scopes: [] };
  const presented = keysOf(request);
  const isClear = new Set(presented).size <= 1;
  const digest = hash('sha256', presented[0] ?? '', 'buffer');
  if (rules.keys.length === 0) return passThrough(presented, digest, rules);
  const found = keyFor(digest, rules.keys);
  const isValid =
    found !== undefined && isClear && presented.length > 0 && now < (found.expiresAt ?? Number.POSITIVE_INFINITY);
  return isValid ? { tenant: found.tenant, keyId: found.id, scopes: found.scopes, key: 'ours' } : UNAUTHORIZED;
}

/** Without client keys everybody has a tenant of their own, and all rights on it. */
function passThrough(presented: readonly string[], digest: Buffer, { sharedTenant, ours }: Rules): Caller | Refusal {
  if (new Set(presented).size > 1) return UNAUTHORIZED;
  const hash = digest.toString('hex');
  const caller = { keyId: 'anonymous', scopes: SCOPES, ...(ours.has(hash) ? { key: 'ours' as const } : {}) };
  if (sharedTenant !== undefined) return { ...caller, tenant: sharedTenant };
  if (presented.length === 0) return UNAUTHORIZED;
  return { ...caller, tenant: `key-${hash.slice(0, 32)}` };
}

// All keys are compared, whichever matches: the time taken tells nothing.
function keyFor(digest: Buffer, keys: readonly ClientKey[]): ClientKey | undefined {
  let found: ClientKey | undefined;
  for (const key of keys) {
    if (timingSafeEqual(Buffer.from(key.hash, 'hex'), digest)) found = key;
  }
  return found;
}

/** Every key a request presents, wherever a client of some provider puts it. */
function keysOf({ headers, url = '' }: IncomingMessage): readonly string[] {
  const bearer = /^Bearer +(\S+)$/i.exec(headers.authorization?.trim() ?? '')?.[1];
  const query = url.includes('?') ? new URLSearchParams(url.slice(url.indexOf('?') + 1)).getAll('key') : [];
  const all = [bearer, headers['x-api-key'], headers['x-goog-api-key'], headers['api-key'], ...query];
  return all.flat().filter((key): key is string => key !== undefined && key !== '');
}

// Who balances load has no key, and learns nothing but that we are here.
function isProbe({ url, method }: IncomingMessage): boolean {
  return isProbePath(url) && (method === 'GET' || method === 'HEAD');
}

/** Whether a path tells nothing but that the gateway lives. */
export function isProbePath(url: string | undefined): boolean {
  return url === '/healthz' || url === '/readyz';
}
