import { type OverflowReading, readOverflow } from 'epitome/overflow';
import { RULES } from '../dialects/index.ts';
import type { Reading } from '../dialects/reading.ts';
import type { Route } from '../dialects/route.ts';
import { parsed } from '../json/values.ts';
import type { Dialect } from '../model/dialect.ts';
import type { Hold } from '../model/parts.ts';
import type { TurnReport } from '../model/report.ts';
import type { Overflow, Turn } from '../turn/plane.ts';
import { openingOf } from '../upstream/opening.ts';
import { readerOf } from '../upstream/reader.ts';
import { type Answer, send } from '../upstream/send.ts';
import type { AnswerForm } from '../upstream/watch.ts';
import type { Serving } from './context.ts';

/** A route of a conversation. */
export type TurnRoute = Route & { readonly kind: 'turn' | 'count'; readonly dialect: Dialect };

/** A request of a conversation on its way to its provider. */
export type Exchanging = Serving & {
  readonly route: TurnRoute;
  readonly model: string;
  readonly reading: Reading;
  readonly bytes: Buffer;
  readonly isStream: boolean;
  readonly hold?: Hold | undefined;
};

/** An answer with the turn it is for. */
export type Answered = {
  readonly answer: Answer;
  readonly turn: Turn;
  /** The body of an error, and the first events of a stream, which were read to see what they say. */
  readonly error?: Buffer;
  readonly opening?: Buffer;
};

/** Sends the request; where it is too long for the provider, compacts once and sends once more. */
export async function ask(exchanging: Exchanging, turn: Turn): Promise<Answered> {
  const first = await attempt(exchanging, turn);
  if (first.told === undefined) return first;
  const shorter = await shorten(exchanging, { turn, told: first.told });
  if (shorter === undefined) return { ...first, turn: overflowed(turn) };
  first.answer.body.destroy();
  const second = await attempt(exchanging, shorter);
  exchanging.call.signal.throwIfAborted();
  const isAnswered = second.answer.status < 400 && second.told === undefined;
  return isAnswered ? second : { ...second, turn: overflowed(shorter) };
}

/** `told`: the provider says that the request is too long. */
type Attempt = Answered & { readonly told?: Overflow };

async function attempt(exchanging: Exchanging, turn: Turn): Promise<Attempt> {
  const answer = await sendTurn(exchanging, turn);
  const { status } = answer;
  // Whoever hears nothing of a body that breaks off is told when they read on.
  answer.body.on('error', () => {});
  if (status === 401 || status === 429) return { answer, turn };
  if (status >= 400) {
    const error = await bytesOf(answer);
    return { answer, turn, error, ...overflowIn({ status, body: jsonOf(await readable(error, answer)) }) };
  }
  const isOurs = turn.report.status !== 'passed';
  if (!isOurs || formOf(answer, exchanging) !== 'events') return { answer, turn };
  const { bytes: opening, failure } = await openingOf(answer.body, RULES[exchanging.route.dialect], answer.headers);
  return { answer, turn, opening, ...(failure === undefined ? {} : overflowIn({ body: failure })) };
}

function overflowIn(error: { readonly status?: number; readonly body: unknown }): Pick<Attempt, 'told'> {
  const reading = readOverflow(error);
  return reading.overflow ? { told: toldBy(reading) } : {};
}

async function shorten(
  { context, call }: Exchanging,
  { turn, told }: { readonly turn: Turn; readonly told: Overflow },
): Promise<Turn | undefined> {
  try {
    return await turn.onOverflow(told, call.signal);
  } catch (cause) {
    call.signal.throwIfAborted();
    context.observer.fault('overflow', cause);
    return undefined;
  }
}

function toldBy(reading: OverflowReading): Overflow {
  if (!reading.overflow || reading.unit !== 'tokens') return {};
  const { limit, requested, output = 0 } = reading;
  return {
    ...(limit === undefined ? {} : { limit }),
    ...(requested === undefined ? {} : { requested: requested - output }),
  };
}

/** Where we had nothing to do with a request, or only told a plan for it, its being too long is no failure of ours. */
function overflowed(turn: Turn): Turn {
  if (turn.report.status === 'passed' || turn.report.status === 'planned') return turn;
  const report: TurnReport = { ...turn.report, status: 'failed', reason: 'overflow' };
  return { ...turn, report };
}

function sendTurn({ context, call, request, route, bytes }: Exchanging, turn: Turn): Promise<Answer> {
  const { upstream, path, dialect } = route;
  const { query, headers, signal } = call;
  const keys = call.caller.key ?? 'caller';
  const body = turn.body === undefined ? bytes : Buffer.from(turn.body);
  return send(
    context.pools.to(upstream),
    { upstream, dialect, keys, encoding: 'plain', method: 'POST', path, written: request.url, query, headers, body },
    signal,
  );
}

const MOST_ERROR_BYTES = 1024 * 1024;

async function bytesOf({ body }: Answer): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body) {
    if (!Buffer.isBuffer(chunk)) continue;
    length += chunk.length;
    if (length <= MOST_ERROR_BYTES) chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

async function readable(bytes: Buffer, { headers }: Answer): Promise<Buffer> {
  const pieces: Buffer[] = [];
  const reader = readerOf(headers, (piece) => void pieces.push(piece));
  reader.see(bytes);
  await reader.end();
  return Buffer.concat(pieces);
}

function jsonOf(bytes: Buffer): unknown {
  const text = bytes.toString('utf8');
  return parsed(text) ?? text;
}

/** The form an answer comes in. Only Gemini streams in a JSON array; whoever else answers with JSON does not stream. */
export function formOf(
  { status, headers }: Answer,
  { route, isStream }: Pick<Exchanging, 'route' | 'isStream'>,
): AnswerForm {
  const type = String(headers['content-type'] ?? '');
  if (type.startsWith('text/event-stream')) return 'events';
  const mayBeArray = isStream && route.dialect === 'gemini' && status < 300;
  return mayBeArray && type.startsWith('application/json') ? 'array' : 'json';
}
