import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Call } from '../model/call.ts';
import type { Config } from '../model/config.ts';
import type { Api, ExchangeSpan, Guard, Observer, Policies } from '../model/parts.ts';
import type { Exchange, Usage } from '../model/report.ts';
import type { Plane } from '../turn/plane.ts';
import type { Pools } from '../upstream/pools.ts';

/** What stands around the data plane. */
export type Parts = {
  readonly guard: Guard;
  readonly policies: Policies;
  readonly api: Api;
  readonly observer: Observer;
};

/** Everything a request is served with, as it was when the request came. */
export type Context = Parts & {
  readonly config: Config;
  readonly plane: Plane;
  readonly pools: Pools;
  /** Aborts when the gateway stops and waits no longer. */
  readonly stop: AbortSignal;
};

/** One request under way. */
export type Serving = {
  readonly context: Context;
  readonly call: Call;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly span: ExchangeSpan;
  readonly startedAt: number;
};

/** What is known of a request when it has ended, beside what every request has. */
export type Ended = Omit<Exchange, 'method' | 'path' | 'caller' | 'durationMs' | 'firstByteMs'> & {
  readonly firstByteAt?: number;
  /** What the caller's budget is charged, where the provider reported it not, or not all of it. */
  readonly spent?: Usage;
};

/** Tells whoever wants to know, and the caller's budget, that a request has ended. */
export function conclude({ context, call, span, startedAt }: Serving, ended: Ended): void {
  const { firstByteAt, spent, ...rest } = ended;
  const exchange: Exchange = {
    ...rest,
    method: call.method,
    path: call.path,
    caller: call.caller,
    durationMs: performance.now() - startedAt,
    ...(firstByteAt === undefined ? {} : { firstByteMs: firstByteAt - startedAt }),
  };
  context.guard.budget.spend(spent === undefined ? exchange : { ...exchange, usage: spent });
  context.observer.exchangeEnded(exchange, span);
}
