import { readOverflow } from 'epitome/overflow';
import { messageOf } from '../../errors.ts';

/** What can go wrong with a model's answer. */
type FaultKind =
  | 'timeout'
  | 'rate-limit'
  | 'server'
  | 'network'
  | 'cut'
  | 'empty'
  | 'refused'
  | 'too-long'
  | 'key'
  | 'rejected';

/** One thing that went wrong, as data. */
export type Fault = {
  readonly kind: FaultKind;
  /** What the provider said of it. */
  readonly detail: string;
  readonly status?: number;
  /** How long the provider asks to be left alone. */
  readonly retryAfterMs?: number;
};

/** An answer that did not come. */
export class ModelFault extends Error {
  override readonly name = 'ModelFault';
  readonly fault: Fault;

  constructor(fault: Fault, options?: ErrorOptions) {
    super(fault.detail, options);
    this.fault = fault;
  }
}

/** Faults that may be gone a moment later. */
export function isPassing({ kind }: Fault): boolean {
  return PASSING.has(kind);
}

const PASSING: ReadonlySet<FaultKind> = new Set(['timeout', 'rate-limit', 'server', 'network', 'cut', 'empty']);

/** Reads whatever an SDK threw; `otherwise` is what it was where no status tells. */
export function faultOf(cause: unknown, otherwise: 'network' | 'cut' = 'network'): Fault {
  if (cause instanceof ModelFault) return cause.fault;
  const { status, headers, body } = callOf(cause);
  const detail = detailOf(cause, body);
  const known = { detail, ...(status === undefined ? {} : { status }) };
  if (readOverflow(cause).overflow) return { kind: 'too-long', ...known };
  if (status === 429 || status === 529 || status === 503) {
    const retryAfterMs = retryAfter(headers);
    const kind = status === 503 && retryAfterMs === undefined ? 'server' : 'rate-limit';
    return { kind, ...known, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
  }
  if (status === 401 || status === 403) return { kind: 'key', ...known };
  if (status === 408 || status === 504) return { kind: 'timeout', ...known };
  if (status !== undefined && status >= 500) return { kind: 'server', ...known };
  if (status !== undefined && status >= 400) return { kind: 'rejected', ...known };
  return { kind: otherwise, ...known };
}

type Call = {
  readonly status?: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
};

/** The HTTP side of an error of the AI SDK, which may stand behind others. */
function callOf(cause: unknown, depth = 0): Call {
  if (typeof cause !== 'object' || cause === null || depth > 4) return { headers: {} };
  const { statusCode, responseHeaders, responseBody } = cause as {
    statusCode?: unknown;
    responseHeaders?: Record<string, string>;
    responseBody?: unknown;
  };
  if (typeof statusCode === 'number') {
    const body = typeof responseBody === 'string' ? { body: responseBody } : {};
    return { status: statusCode, headers: responseHeaders ?? {}, ...body };
  }
  const inner = 'lastError' in cause ? cause.lastError : 'cause' in cause ? cause.cause : undefined;
  return callOf(inner, depth + 1);
}

/** The provider's own sentence, without what surrounds it. */
function detailOf(cause: unknown, body: string | undefined): string {
  try {
    const { error } = JSON.parse(body ?? '{}') as { error?: { message?: unknown } | string };
    if (typeof error === 'string') return error;
    if (typeof error?.message === 'string') return error.message;
  } catch {
    // No JSON: the SDK's sentence serves.
  }
  return messageOf(innermost(cause));
}

/** What stands behind an error says what happened; what an SDK puts around it does not. */
function innermost(cause: unknown): unknown {
  let inner = cause;
  for (let depth = 0; depth < 5 && inner instanceof Error && inner.cause instanceof Error; depth += 1) {
    inner = inner.cause;
  }
  return inner;
}

function retryAfter(headers: Readonly<Record<string, string>>): number | undefined {
  const exact = Number(headers['retry-after-ms']);
  if (Number.isFinite(exact) && exact >= 0) return exact;
  const text = headers['retry-after'];
  if (text === undefined) return undefined;
  const seconds = Number(text);
  if (Number.isFinite(seconds)) return Math.max(seconds * 1000, 0);
  const until = Date.parse(text);
  return Number.isNaN(until) ? undefined : Math.max(until - Date.now(), 0);
}
