/** What a caller may do. `proxy`: send requests; `read`: look at conversations; `admin`: undo, restore, forget, metrics. */
export const SCOPES = ['proxy', 'read', 'admin'] as const;
/** One of `SCOPES`. */
export type Scope = (typeof SCOPES)[number];

/** Who calls. All reading and writing is done for the tenant. */
export type Caller = {
  readonly tenant: string;
  /** Which client key it is, for logs and budgets; never the key itself. `anonymous` where callers bring their own key. */
  readonly keyId: string;
  readonly scopes: readonly Scope[];
  /** `ours`: what they sent is, or was, a client key of this gateway, which is no upstream's business. Else it is their own. */
  readonly key?: 'ours';
};

/** One request of a client, admitted. */
export type Call = {
  readonly method: string;
  /** The path after normalising: decoded once, no empty, `.` or `..` segment. Names in paths of our own are as they came. */
  readonly path: string;
  /** The query as it came, without `?`; empty where there is none. */
  readonly query: string;
  /** By name in small letters, as node gives them. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly caller: Caller;
  /** Aborts when the client goes, or the gateway stops. */
  readonly signal: AbortSignal;
};

/** Why a request is not served: data; the sentence is put into the dialect's own shape at the edge. */
export type Refusal = {
  readonly status: 400 | 401 | 403 | 404 | 405 | 408 | 409 | 413 | 415 | 417 | 429 | 500 | 502 | 503 | 504 | 507;
  /** A short name, such as `body-too-large`; the same for the same cause. */
  readonly code: string;
  /** What was found, where, and what to do; no content of the request. */
  readonly message: string;
  readonly retryAfterSeconds?: number;
};

/** An answer of the gateway's own that is no stream. */
export type Reply = {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** A value is sent as JSON; a string as it is, with the content type of `headers`. */
  readonly body: unknown;
};

/** Whether a value is a refusal. */
export function isRefusal(value: object): value is Refusal {
  return 'status' in value && 'code' in value && 'message' in value;
}

/** Why a caller may not do what a scope is for; `undefined` where they may. */
export function lackOf(scope: Scope, { scopes }: Caller): Refusal | undefined {
  if (scopes.includes(scope)) return undefined;
  const message = `This key may not do that: it lacks the scope ${scope}; \`keys\` of the configuration says what it may.`;
  return { status: 403, code: 'missing-scope', message };
}

/** What tells a refusal of ours from an error of the provider, as the value of `x-epitome-status`. */
export function refusalStatus({ status, code }: Pick<Refusal, 'code'> & { readonly status: number }): string {
  return `${status >= 500 ? 'failed' : 'refused'}; reason=${code}`;
}
