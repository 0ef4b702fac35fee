import type { Route } from '../dialects/route.ts';
import type { Refusal } from '../model/call.ts';
import { headersFrom } from '../upstream/headers.ts';
import { relay } from '../upstream/relay.ts';
import { type Answer, METHODS, methodOf, send, unreachable } from '../upstream/send.ts';
import { serverOf } from '../upstream/url.ts';
import { conclude, type Ended, type Serving } from './context.ts';
import { refuse } from './reply.ts';

/** Passes a request on as it is, and its answer back, both as they come. */
export async function servePass(serving: Serving, route: Route): Promise<void> {
  const { call, response } = serving;
  const { upstream, dialect } = route;
  const end = (ended: Pick<Ended, 'status' | 'end' | 'bytesOut'> & Partial<Pick<Ended, 'report'>>): void =>
    conclude(serving, {
      report: { status: 'passed', reason: 'other-path' },
      ...ended,
      dialect: dialect ?? 'none',
      upstream: upstream.name,
      server: serverOf(upstream),
      isStream: false,
      bytesIn: 0,
    });
  const budget = serving.context.guard.budget.check(call.caller);
  const method = methodOf(call.method);
  if (budget !== undefined || method === undefined) {
    const refusal = budget ?? UNKNOWN;
    const report = { status: 'refused', reason: refusal.code } as const;
    return end({ status: refusal.status, end: 'complete', bytesOut: refuse(response, refusal, dialect), report });
  }
  let answer: Answer;
  try {
    answer = await forward(serving, route, method);
  } catch (cause) {
    if (call.signal.aborted) return end({ status: 499, end: 'gone', bytesOut: 0 });
    const refusal = unreachable(cause, upstream);
    response.setHeader('x-epitome-status', PASSED);
    return end({ status: refusal.status, end: 'complete', bytesOut: refuse(response, refusal, dialect) });
  }
  response.writeHead(answer.status, {
    ...headersFrom(answer.headers),
    'x-epitome-status': PASSED,
  });
  if (String(answer.headers['content-type'] ?? '').startsWith('text/event-stream')) response.flushHeaders();
  const relayed = await relay({ answer, response, form: 'opaque' });
  end({ status: answer.status, end: relayed.end, bytesOut: relayed.bytes });
}

const PASSED = 'passed; reason=other-path';
const UNKNOWN: Refusal = {
  status: 405,
  code: 'wrong-method',
  message: `This method is not passed on; there are ${METHODS.join(', ')}.`,
};

type Method = NonNullable<ReturnType<typeof methodOf>>;

function forward({ context, call, request }: Serving, route: Route, method: Method): Promise<Answer> {
  const { upstream, path, dialect } = route;
  const { query, headers, signal } = call;
  const keys = call.caller.key ?? 'caller';
  const hasBody = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
  const body = hasBody && method !== 'GET' && method !== 'HEAD' ? request : null;
  return send(
    context.pools.to(upstream),
    { upstream, dialect, keys, encoding: 'any', method, path, written: request.url, query, headers, body },
    signal,
  );
}
