import type { Ports, Summarizer } from 'epitome';
import { fieldsOf } from '../json/values.ts';
import { Deferred, SummaryPending } from './deferred.ts';

/** A summarizer that has too much to do now, and says when to come back. */
export class RateLimited extends Deferred {
  readonly reason = 'rate-limited';
  readonly waitMs: number;
  constructor(waitMs: number, cause?: unknown) {
    super(`compaction deferred (rate limited, retry in ${Math.ceil(waitMs / 1000)}s)`, { cause });
    this.name = 'RateLimited';
    this.waitMs = waitMs;
  }
}

// What most providers name where they name a time; and no hour is waited for by mistake.
const USUAL_WAIT_MS = 20_000;
const LONGEST_WAIT_MS = 60 * 60_000;

/** Milliseconds until whoever failed so may be asked again; `undefined` where it was no rate limit. */
export function waitAfter(cause: unknown): number | undefined {
  const { status, headers } = answerIn(cause);
  const told = retryAfter(headers);
  const isBusy = status === 429 || status === 529 || (status === 503 && told !== undefined);
  return isBusy ? Math.min(told ?? USUAL_WAIT_MS, LONGEST_WAIT_MS) : undefined;
}

/** Whether a provider failed in a way that a second try may mend. */
export function mayPass(cause: unknown): boolean {
  const { status } = answerIn(cause);
  return status !== undefined && status >= 500 && waitAfter(cause) === undefined;
}

type HttpAnswer = { readonly status?: number; readonly headers: Readonly<Record<string, unknown>> };

/** The HTTP side of an SDK's error, which may stand behind others. */
function answerIn(cause: unknown, depth = 0): HttpAnswer {
  const { statusCode, status, responseHeaders, headers, lastError, cause: inner } = fieldsOf(cause);
  const code = [statusCode, status].find((each) => typeof each === 'number');
  if (code !== undefined) return { status: code, headers: headersIn(responseHeaders ?? headers) };
  const next = lastError ?? inner;
  return next === undefined || depth > 4 ? { headers: {} } : answerIn(next, depth + 1);
}

function headersIn(headers: unknown): HttpAnswer['headers'] {
  return headers instanceof Headers ? Object.fromEntries(headers) : fieldsOf(headers);
}

function retryAfter(headers: HttpAnswer['headers']): number | undefined {
  const { 'retry-after-ms': exact, 'retry-after': told } = headers;
  if (isFigure(exact)) return Number(exact);
  if (isFigure(told)) return Number(told) * 1000;
  const until = typeof told === 'string' ? Date.parse(told) : Number.NaN;
  return Number.isNaN(until) ? undefined : Math.max(0, until - Date.now());
}

function isFigure(value: unknown): boolean {
  return (typeof value === 'string' && /^\d+(\.\d+)?$/.test(value)) || (typeof value === 'number' && value >= 0);
}

/** What a compaction is made with. */
export type Run = { readonly ports: Ports; readonly signal: AbortSignal };

/**
 * The same for a request that can go out as it is: a summarizer that has too much to do, or takes longer than it may, calls the
 * compaction off, which then throws `Deferred`, in place of a summary without a model.
 */
export function orWait({ ports, signal }: Run, mostMs?: number): Run {
  const { summarizer } = ports;
  if (summarizer === undefined) return { ports, signal };
  const off = new AbortController();
  const asking: Summarizer = async (brief, given) => {
    const timer = mostMs === undefined ? undefined : setTimeout(() => off.abort(new SummaryPending()), mostMs);
    try {
      return await summarizer(brief, given);
    } catch (cause) {
      if (cause instanceof RateLimited) off.abort(cause);
      throw cause;
    } finally {
      clearTimeout(timer);
    }
  };
  return { ports: { ...ports, summarizer: asking }, signal: AbortSignal.any([signal, off.signal]) };
}
