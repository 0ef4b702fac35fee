import type { Earlier } from '../dialects/bodies.ts';
import { isRefusal, type Refusal } from '../model/call.ts';
import type { Turn } from '../turn/plane.ts';
import { takeTurn } from '../turn/turn.ts';
import { unreachable } from '../upstream/send.ts';
import { type Answered, ask, type Exchanging, type TurnRoute } from './ask.ts';
import { conclude, type Serving } from './context.ts';
import { finish, passOn } from './pass-on.ts';
import { refuse, reportHeaders } from './reply.ts';
import { readRequest } from './turn-request.ts';

/** Serves a request that may be compacted. */
export async function serveTurn(serving: Serving, route: TurnRoute): Promise<void> {
  const { context, call, request } = serving;
  const { bodies } = context.plane;
  const owner = `${call.caller.tenant}\n${route.dialect}`;
  let earlier: Earlier | undefined;
  const body = await context.guard.bodyOf(request, call.signal, (bytes) => {
    earlier = bodies.find(owner, bytes);
    return earlier?.bytes ?? 0;
  });
  if (!Buffer.isBuffer(body)) return refuseTurn(serving, route, body);
  const asked = readRequest(serving, route, { body, earlier });
  if (isRefusal(asked)) return refuseTurn(serving, route, asked);
  const { caller, signal } = call;
  const { reading, model } = asked;
  const { kind, dialect, upstream } = route;
  const ask = { ...asked, kind, caller, dialect, upstream: upstream.name, span: serving.span };
  const turn = await takeTurn(context.plane, ask, signal);
  if (isRefusal(turn)) return refuseTurn(serving, route, turn);
  const isStream = route.isStream ?? reading.isStream;
  const exchange: Exchanging = { ...serving, route, model, reading, bytes: body, isStream };
  const answered = exchangeOnce(exchange, turn);
  // The request is on its way: what the next one needs can be seen to now.
  if (turn.report.conversation !== undefined) bodies.keep(owner, body, { reading, ids: asked.chain.ids, earlier });
  await answered;
}

function refuseTurn(serving: Serving, { dialect, upstream }: TurnRoute, refusal: Refusal): void {
  const bytesOut = refuse(serving.response, refusal, dialect);
  conclude(serving, {
    dialect,
    upstream: upstream.name,
    isStream: false,
    operation: 'chat',
    status: refusal.status,
    report: { status: 'passed', reason: refusal.code },
    end: 'complete',
    bytesIn: 0,
    bytesOut,
  });
}

async function exchangeOnce(exchanging: Exchanging, turn: Turn): Promise<void> {
  const { route, call } = exchanging;
  let answered: Answered;
  try {
    answered = await ask(exchanging, turn);
  } catch (cause) {
    if (call.signal.aborted) return finish(exchanging, { turn, status: 499, end: 'gone', bytesOut: 0 });
    const refusal = unreachable(cause, route.upstream);
    const { response } = exchanging;
    for (const [name, value] of Object.entries(reportHeaders(turn.report))) response.setHeader(name, value);
    const bytesOut = refuse(response, refusal, route.dialect);
    return finish(exchanging, { turn, status: refusal.status, end: 'complete', bytesOut });
  }
  await passOn(exchanging, answered);
}
