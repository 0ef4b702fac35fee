import type { IncomingMessage, ServerResponse } from 'node:http';
import { protocolOf, type Route, routeOf, strayName } from '../dialects/route.ts';
import { type Call, isRefusal, lackOf, type Refusal } from '../model/call.ts';
import type { Dialect } from '../model/dialect.ts';
import type { Exchange } from '../model/report.ts';
import type { TurnRoute } from './ask.ts';
import { dialectNamed, serveCompact } from './compact-endpoint.ts';
import { type Context, conclude, type Serving } from './context.ts';
import { isOwn } from './own-paths.ts';
import { servePass } from './pass-exchange.ts';
import { type Target, targetOf } from './path.ts';
import { refuse, reply } from './reply.ts';
import { serveTurn } from './turn-exchange.ts';

/** Serves one request, to its very end. */
export async function serve(context: Context, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const startedAt = performance.now();
  const method = request.method ?? 'GET';
  const target = targetOf(request.url ?? '/');
  const { path, query } = isRefusal(target) ? NOWHERE : target;
  const { headers } = request;
  const route = routeOf({ method, path, headers }, context.config.upstreams);
  const dialect = shapeOf({ method, path, query, headers }, route);
  // Who may not come in learns nothing about the paths behind the door.
  const admitted = context.guard.admit(request) ?? context.guard.authenticate(request);
  const keepOut = (refusal: Refusal): void => {
    context.observer.refused?.(refusal);
    refuse(response, refusal, dialect);
  };
  if (isRefusal(admitted)) return keepOut(admitted);
  if (isRefusal(target)) return keepOut(target);
  const { signal, done } = lifeOf(response);
  const call: Call = { method, path, query, headers, caller: admitted, signal };
  const span = context.observer.exchangeStarted(call);
  const serving: Serving = { context, call, request, response, span, startedAt };
  try {
    await dispatch(serving, route, dialect);
  } catch (cause) {
    if (signal.aborted) return ended(serving, { status: 499, end: 'gone', bytesOut: 0 });
    context.observer.fault('request', cause);
    ended(serving, { status: INTERNAL.status, end: 'complete', bytesOut: refuse(response, INTERNAL, dialect) });
  } finally {
    done();
  }
}

const NOWHERE: Target = { path: '/', query: '' };

type Asked = Target & Pick<Call, 'method' | 'headers'>;

/** In whose shape errors are told: paths of our own have one of their own. */
function shapeOf({ method, path, query, headers }: Asked, route: Route | undefined): Dialect | undefined {
  if (isOwn({ method, path })) return undefined;
  if (path === '/compact') return dialectNamed(query);
  return route === undefined ? protocolOf({ path, headers }) : route.dialect;
}

const INTERNAL: Refusal = {
  status: 500,
  code: 'internal',
  message: 'The gateway failed on this request; its log says where. Send it again, or to the provider itself.',
};

/** A signal that aborts when the client goes before its answer is whole. */
function lifeOf(response: ServerResponse): { readonly signal: AbortSignal; readonly done: () => void } {
  const gone = new AbortController();
  const closed = (): void => {
    if (!response.writableFinished) gone.abort(new DOMException('the client went away', 'AbortError'));
  };
  response.on('close', closed);
  return { signal: gone.signal, done: () => void response.off('close', closed) };
}

async function dispatch(serving: Serving, route: Route | undefined, dialect: Dialect | undefined): Promise<void> {
  const { path, method, caller } = serving.call;
  if (isOwn(serving.call)) return serveOwn(serving);
  const lacking = lackOf('proxy', caller);
  if (lacking !== undefined) return refused(serving, lacking, dialect);
  if (path === '/compact') return method === 'POST' ? serveCompact(serving) : refused(serving, WRONG_METHOD, dialect);
  if (route === undefined) return refused(serving, noUpstream(serving), dialect);
  return isTurn(route) ? serveTurn(serving, route) : servePass(serving, route);
}

function isTurn(route: Route): route is TurnRoute {
  return route.kind !== 'pass' && route.dialect !== undefined;
}

function noUpstream({ call: { path }, context: { config } }: Serving): Refusal {
  const stray = strayName(path, config.upstreams);
  const names = config.upstreams.map(({ name }) => name).join(', ');
  const message =
    stray === undefined
      ? 'No upstream is configured for this path; see `upstreams` of the configuration.'
      : `No upstream is called ${JSON.stringify(stray.slice(0, 40))}; there are ${names}. A path begins with one of them, or with the protocol's own.`;
  return { status: 404, code: 'unknown-upstream', message };
}

const WRONG_METHOD: Refusal = { status: 405, code: 'wrong-method', message: 'POST a request to /compact.' };

/** Paths of our own; their bodies are small. */
async function serveOwn(serving: Serving): Promise<void> {
  const { context, call, request, response } = serving;
  const body = await context.guard.bodyOf(request, call.signal);
  if (!Buffer.isBuffer(body)) return refused(serving, body, undefined);
  const answer = await context.api.handle(call, body);
  if (answer === undefined) return refused(serving, noUpstream(serving), undefined);
  const bytesOut = reply(response, answer);
  ended(serving, { status: answer.status, end: 'complete', bytesIn: body.length, bytesOut });
}

function refused(serving: Serving, refusal: Refusal, dialect: Dialect | undefined): void {
  const bytesOut = refuse(serving.response, refusal, dialect);
  const report = { status: 'refused', reason: refusal.code } as const;
  ended(serving, { status: refusal.status, end: 'complete', bytesOut, report });
}

type End = Pick<Exchange, 'status' | 'end' | 'bytesOut'> & Partial<Pick<Exchange, 'bytesIn' | 'report'>>;

/** Ends a request that came to no upstream. */
function ended(serving: Serving, end: End): void {
  const report = { status: 'passed', reason: 'own-path' } as const;
  conclude(serving, { bytesIn: 0, report, ...end, dialect: 'none', upstream: '', isStream: false });
}
