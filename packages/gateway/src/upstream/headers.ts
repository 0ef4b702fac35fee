import { DIALECTS, type Dialect, type Upstream } from '../model/dialect.ts';

/** Headers by name in small letters. */
export type HeaderMap = Readonly<Record<string, string | readonly string[] | undefined>>;

// Outgoing headers come from this list only: what a hop adds, or a browser, is nobody's business behind us.
const SENT: ReadonlySet<string> = new Set([
  'accept',
  'accept-language',
  'api-key',
  'authorization',
  'content-type',
  'idempotency-key',
  'if-none-match',
  'range',
  'referer',
  'http-referer',
  'user-agent',
  'x-api-key',
  'x-app',
  'x-client-request-id',
  'x-request-id',
  'x-title',
  'traceparent',
  'tracestate',
  'originator',
  'session_id',
  'conversation_id',
  'chatgpt-account-id',
]);
const SENT_PREFIXES = ['anthropic-', 'openai-', 'x-goog-', 'x-stainless-'] as const;

// Every place in which a caller's key is looked for, and whose clients put it there: a key of one provider is for no other.
const KEYS: readonly (readonly [name: string, spokenBy: readonly Dialect[]])[] = [
  ['authorization', DIALECTS],
  ['x-api-key', ['anthropic']],
  ['x-goog-api-key', ['gemini']],
  ['api-key', ['openai-chat', 'openai-responses']],
];

/** How a request goes out. */
export type Outgoing = {
  readonly upstream: Upstream;
  /** The protocol the request is in; it says which header the key is in. */
  readonly dialect: Dialect | undefined;
  /** `caller`: their own key goes through. `ours`: theirs was for us and stops here. */
  readonly keys: 'caller' | 'ours';
  /** `plain`: the answer is read on the way, and must come uncompressed. `any`: body and answer go through as they are. */
  readonly encoding: 'plain' | 'any';
};

/** The headers an upstream is sent. */
export function headersTo(headers: HeaderMap, { upstream, dialect, keys, encoding }: Outgoing): Record<string, string> {
  const sent: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || !isSent(name)) continue;
    sent[name] = typeof value === 'string' ? value : value.join(', ');
  }
  const { 'accept-encoding': accepted, ...ofBody } = encoding === 'any' ? asTheyCame(headers) : {};
  sent['accept-encoding'] = accepted ?? 'identity';
  for (const [name, spokenBy] of KEYS) {
    if (!takesCallers({ upstream, keys }, spokenBy)) delete sent[name];
  }
  if (upstream.key !== undefined) Object.assign(sent, keyHeader(dialect ?? upstream.dialects[0], upstream.key));
  return { ...sent, ...upstream.headers, ...ofBody };
}

/** What says how a body stands on the wire, and its answer may. */
function asTheyCame(headers: HeaderMap): Readonly<Record<string, string>> {
  const coded = ['accept-encoding', 'content-encoding', 'content-length'].flatMap((name) => {
    const value = headers[name];
    return typeof value === 'string' ? [[name, value] as const] : [];
  });
  return Object.fromEntries(coded);
}

/** Whether a caller's key goes through from where the clients of some protocols put it. */
function takesCallers({ upstream, keys }: Pick<Outgoing, 'upstream' | 'keys'>, spokenBy: readonly Dialect[]): boolean {
  const isTheirs = keys === 'caller' && upstream.key === undefined;
  return isTheirs && spokenBy.some((dialect) => upstream.dialects.includes(dialect));
}

function isSent(name: string): boolean {
  return SENT.has(name) || SENT_PREFIXES.some((prefix) => name.startsWith(prefix));
}

function keyHeader(dialect: Dialect | undefined, key: string): Record<string, string> {
  switch (dialect) {
    case 'anthropic':
      return { 'x-api-key': key };
    case 'gemini':
      return { 'x-goog-api-key': key };
    case 'openai-chat':
    case 'openai-responses':
    case undefined:
      return { authorization: `Bearer ${key}` };
    default:
      return dialect satisfies never;
  }
}

// Between two neighbours only, or about the upstream's own host.
const DROPPED: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'set-cookie',
  'alt-svc',
  'strict-transport-security',
  'nel',
  'report-to',
]);

// Ours alone to say: what was done here, and which pages of other origins may read it, which is none.
const NOT_TOLD = ['x-epitome-', 'access-control-'] as const;

/** The headers of an upstream's answer that the client is sent. */
export function headersFrom(headers: HeaderMap): Record<string, string | string[]> {
  const kept: Record<string, string | string[]> = {};
  const named = String(headers['connection'] ?? '')
    .toLowerCase()
    .split(/\s*,\s*/);
  for (const [name, value] of Object.entries(headers)) {
    const isDropped = DROPPED.has(name) || named.includes(name) || NOT_TOLD.some((prefix) => name.startsWith(prefix));
    if (value === undefined || isDropped) continue;
    kept[name] = typeof value === 'string' ? value : [...value];
  }
  return kept;
}

/** The query without a key that is not for this upstream. */
export function queryTo(query: string, outgoing: Pick<Outgoing, 'upstream' | 'keys'>): string {
  if (takesCallers(outgoing, ['gemini'])) return query;
  return query
    .split('&')
    .filter((pair) => !new URLSearchParams(pair).has('key'))
    .join('&');
}
