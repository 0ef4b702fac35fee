import type { Body } from '../dialects/bodies.ts';
import { isRefusal, type Refusal } from '../model/call.ts';
import type { Hold } from '../model/parts.ts';
import type { Turn } from '../turn/plane.ts';
import { takeTurn } from '../turn/turn.ts';
import { unreachable } from '../upstream/send.ts';
import { type Answered, ask, type Exchanging, type TurnRoute } from './ask.ts';
import { conclude, type Serving } from './context.ts';
import { holdFor, sentTokens, withOutput } from './hold.ts';
import { finish, passOn } from './pass-on.ts';
import { refuse, reportHeaders } from './reply.ts';
import { type Asked, readRequest } from './turn-request.ts';

/** Serves a request that may be compacted. */
export async function serveTurn(serving: Serving, route: TurnRoute): Promise<void> {
  const { context, call, request, response } = serving;
  const { bodies } = context.plane;
  const owner = `${call.caller.tenant}\n${route.dialect}`;
  let body: Body | undefined;
  const join = (pieces: readonly Buffer[]): Body => {
    body = bodies.join(owner, pieces);
    return body;
  };
  try {
    const read = await context.guard.bodyOf(request, call.signal, join);
    if (isRefusal(read)) return refuseTurn(serving, route, read);
    await serveBody(serving, route, { owner, body: body ?? join([read]) });
  } finally {
    // Who refuses a request may do so before all of it was sent.
    if (response.statusCode < 400) body?.done();
  }
}

type Owned = { readonly owner: string; readonly body: Body };

async function serveBody(serving: Serving, route: TurnRoute, owned: Owned): Promise<void> {
  const asked = readRequest(serving, route, owned.body);
  if (isRefusal(asked)) return refuseTurn(serving, route, asked);
  const hold = holdFor(serving, route, { ...asked, bytes: owned.body.bytes.length });
  if (hold !== undefined && isRefusal(hold)) return refuseTurn(serving, route, hold);
  try {
    await serveAsked(serving, route, { ...owned, asked, hold });
  } finally {
    hold?.release();
  }
}

type Ready = Owned & { readonly asked: Asked; readonly hold: Hold | undefined };

async function serveAsked(serving: Serving, route: TurnRoute, { owner, body, asked, hold }: Ready): Promise<void> {
  const { context, call } = serving;
  const { caller, signal } = call;
  const { reading, model } = asked;
  const { kind, dialect, upstream } = route;
  const ask = { ...asked, kind, caller, dialect, upstream: upstream.name, span: serving.span };
  const turn = await takeTurn(context.plane, ask, signal);
  if (isRefusal(turn)) return refuseTurn(serving, route, turn);
  const sent = sentTokens(turn.report);
  if (sent !== undefined) hold?.adjust(withOutput(asked, route, sent));
  const isStream = route.isStream ?? reading.isStream;
  const exchange: Exchanging = { ...serving, route, model, reading, bytes: body.bytes, isStream, hold };
  const answered = exchangeOnce(exchange, turn);
  // The request is on its way: what the next one needs can be seen to now.
  if (turn.report.conversation !== undefined) context.plane.bodies.keep(owner, { reading, ids: asked.chain.ids, body });
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
    report: { status: 'refused', reason: refusal.code },
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
