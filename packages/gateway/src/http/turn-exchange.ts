import type { Earlier } from '../dialects/bodies.ts';
import { RULES } from '../dialects/index.ts';
import { type Reading, readBody, readOn } from '../dialects/reading.ts';
import { pointerAt } from '../json/pointer.ts';
import { NotJson } from '../json/scan.ts';
import { isRefusal, type Refusal } from '../model/call.ts';
import type { Dialect } from '../model/dialect.ts';
import type { Usage } from '../model/report.ts';
import { chainOf } from '../turn/chain.ts';
import type { Turn, TurnAsk } from '../turn/plane.ts';
import { takeTurn } from '../turn/turn.ts';
import { headersFrom } from '../upstream/headers.ts';
import { relay } from '../upstream/relay.ts';
import { unreachable } from '../upstream/send.ts';
import { watch } from '../upstream/watch.ts';
import { type Answered, ask, type Exchanging, formOf, type TurnRoute } from './ask.ts';
import { conclude, type Serving } from './context.ts';
import { refuse, reportHeaders } from './reply.ts';

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
  const exchange: Exchanging = { ...serving, route, model, bytes: body, isStream: route.isStream ?? reading.isStream };
  const answered = exchangeOnce(exchange, turn);
  // The request is on its way: what the next one needs can be seen to now.
  if (turn.report.conversation !== undefined) bodies.keep(owner, body, { reading, ids: asked.chain.ids, earlier });
  await answered;
}

type Asked = Pick<TurnAsk, 'reading' | 'chain' | 'model' | 'resolved'>;
type Given = { readonly body: Buffer; readonly earlier: Earlier | undefined };

function readRequest({ context, call }: Serving, route: TurnRoute, given: Given): Asked | Refusal {
  const budget = context.guard.budget.check(call.caller);
  if (budget !== undefined) return budget;
  const { earlier } = given;
  const reading = readingOf(given, route.dialect);
  if (isRefusal(reading)) return reading;
  const model = route.model ?? reading.model;
  const { dialect, upstream, path } = route;
  const question = { dialect, model, upstream: upstream.name, path, caller: call.caller, headers: call.headers };
  const resolved = context.policies.resolve(question);
  if (isRefusal(resolved)) return resolved;
  const chain = resolved.mode === 'off' ? { texts: [], ids: [] } : chainOf(reading, earlier?.ids);
  return { reading, chain, model, resolved };
}

/** What a body has in common with an earlier one is not read again. */
function readingOf({ body, earlier }: Given, dialect: Dialect): Reading | Refusal {
  try {
    if (earlier !== undefined) return readOn(body.toString('utf8', earlier.bytes), RULES[dialect], earlier.reading);
  } catch (cause) {
    if (!(cause instanceof NotJson)) throw cause;
  }
  return tryReading(body.toString('utf8'), dialect);
}

/** Reads a body, or says where it is no JSON. */
export function tryReading(text: string, dialect: Dialect): Reading | Refusal {
  try {
    return readBody(text, RULES[dialect]);
  } catch (cause) {
    if (!(cause instanceof NotJson)) throw cause;
    return notJson(cause, pointerAt(text, cause.at));
  }
}

/** The refusal of a body that is no JSON. */
function notJson({ at, message }: NotJson, pointer: string): Refusal {
  const place = `at character ${at}${pointer === '' ? '' : `, in ${pointer}`}`;
  return { status: 400, code: 'invalid-json', message: `The body is not valid JSON: ${message}, ${place}.` };
}

function refuseTurn(serving: Serving, { dialect, upstream }: TurnRoute, refusal: Refusal): void {
  const bytesOut = refuse(serving.response, refusal, dialect);
  conclude(serving, {
    dialect,
    upstream: upstream.name,
    isStream: false,
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
    const bytesOut = refuse(exchanging.response, refusal, route.dialect);
    return finish(exchanging, { turn, status: refusal.status, end: 'complete', bytesOut });
  }
  await passOn(exchanging, answered);
}

async function passOn(exchanging: Exchanging, { answer, turn, error, opening }: Answered): Promise<void> {
  const { response, route } = exchanging;
  const { 'content-length': length, ...headers } = headersFrom(answer.headers);
  const isWhole = error === undefined && typeof length === 'string';
  response.writeHead(answer.status, {
    ...headers,
    ...(error === undefined ? {} : { 'content-length': String(error.length) }),
    ...(isWhole ? { 'content-length': length } : {}),
    ...reportHeaders(turn.report),
  });
  if (error !== undefined) {
    response.end(error);
    return finish(exchanging, { turn, status: answer.status, end: 'complete', bytesOut: error.length });
  }
  const form = formOf(answer, exchanging.isStream);
  // The client is to see that the answer has begun, however long the first event takes.
  if (form === 'events') response.flushHeaders();
  const rules = RULES[route.dialect];
  const seen = watch(rules, form);
  const broken: Refusal = {
    status: 502,
    code: 'upstream-broke-off',
    message: `The upstream ${route.upstream.name} broke the answer off.`,
  };
  const {
    end: ended,
    bytes,
    firstByteAt,
  } = await relay({ answer, opening, response, form, watch: seen, rules, broken });
  const usage = ended === 'complete' ? seen.usage() : undefined;
  // The client has the provider's very bytes, and what is missing of them is told to whoever watches.
  const end = ended === 'complete' && form === 'events' && !seen.isEnded() ? 'incomplete' : ended;
  if (usage !== undefined && answer.status < 300) turn.onUsage(usage);
  finish(exchanging, {
    turn,
    status: answer.status,
    end,
    bytesOut: bytes,
    ...(usage === undefined ? {} : { usage }),
    ...(firstByteAt === undefined ? {} : { firstByteAt }),
  });
}

type Finished = {
  readonly turn: Turn;
  readonly status: number;
  readonly end: 'complete' | 'incomplete' | 'gone';
  readonly bytesOut: number;
  readonly usage?: Usage;
  readonly firstByteAt?: number;
};

function finish(exchanging: Exchanging, { turn, ...rest }: Finished): void {
  const { route, model, isStream, bytes } = exchanging;
  const { dialect, upstream } = route;
  conclude(exchanging, {
    ...rest,
    dialect,
    upstream: upstream.name,
    model,
    isStream,
    report: turn.report,
    bytesIn: bytes.length,
  });
}
