import type { OutgoingHttpHeaders } from 'node:http';
import { askedIn } from '../dialects/asked.ts';
import { RULES } from '../dialects/index.ts';
import type { Refusal } from '../model/call.ts';
import type { AnswerFacts } from '../model/report.ts';
import type { PartialAnswer, Turn, TurnEnd } from '../turn/plane.ts';
import { headersFrom } from '../upstream/headers.ts';
import { isCoded, readerOf } from '../upstream/reader.ts';
import { type Relayed, relay } from '../upstream/relay.ts';
import { serverOf } from '../upstream/url.ts';
import { type AnswerForm, type Watch, watch } from '../upstream/watch.ts';
import { type Answered, type Exchanging, formOf } from './ask.ts';
import { conclude, type Ended } from './context.ts';
import { spentOn } from './hold.ts';
import { reportHeaders } from './reply.ts';

/** Passes an answer on to the client, and tells whoever needs to know what it said. */
export async function passOn(exchanging: Exchanging, answered: Answered): Promise<void> {
  const { response, route } = exchanging;
  const { answer, turn, error, opening } = answered;
  const form = formOf(answer, exchanging);
  response.writeHead(answer.status, headersOf(answered, form));
  if (error !== undefined) {
    response.end(error);
    return finish(exchanging, { turn, status: answer.status, end: 'complete', bytesOut: error.length });
  }
  // The client is to see that the answer has begun, however long the first event takes. What is here goes out with it.
  if (form === 'events' && (opening?.length ?? 0) === 0) response.flushHeaders();
  const rules = RULES[route.dialect];
  const watching = watch(rules, form);
  const { stop } = exchanging.context;
  const refusal = (): Refusal => (stop.aborted ? STOPPED : brokeOff(route.upstream.name));
  const reader = readerOf(answer.headers, watching.see);
  const relayed = await relay({
    ...{ answer, opening, response, watch: reader, broken: { rules, refusal }, stop },
    // What is compressed has no events of its own, and no room for one of ours.
    form: isCoded(answer.headers) ? 'opaque' : form,
  });
  const readTo = await reader.end();
  // The client has the provider's very bytes, and what is missing of them is told to whoever watches.
  const lacksEnd = readTo === 'cut' || (readTo === 'whole' && form === 'events' && !watching.isEnded());
  const isCut = relayed.end === 'complete' && lacksEnd;
  relayedTo(exchanging, answered, { ...relayed, end: isCut ? 'incomplete' : relayed.end, watching });
}

const STOPPED: Refusal = {
  status: 503,
  code: 'gateway-stopped',
  message: 'The gateway stopped before the answer was whole; send the request again.',
};

function brokeOff(name: string): Refusal {
  return { status: 502, code: 'upstream-broke-off', message: `The upstream ${name} broke the answer off.` };
}

function headersOf({ answer, turn, error }: Answered, form: AnswerForm): OutgoingHttpHeaders {
  const { 'content-length': length, ...headers } = headersFrom(answer.headers);
  // A stream that breaks off ends with an error of ours, which no length that was promised has room for.
  const promised = form === 'json' || isCoded(answer.headers) ? length : undefined;
  const told = error === undefined ? promised : String(error.length);
  return {
    ...headers,
    ...(typeof told === 'string' ? { 'content-length': told } : {}),
    ...reportHeaders(turn.report),
  };
}

type Told = Relayed & { readonly watching: Watch };

function relayedTo(exchanging: Exchanging, { answer, turn }: Answered, told: Told): void {
  const { end, bytes, firstByteAt, watching } = told;
  const { usage, facts, seals } = watching.seen();
  const isAnswer = answer.status < 300;
  if (usage !== undefined && isAnswer) turn.onUsage(usage);
  const { hold } = exchanging;
  const spent = hold && isAnswer ? spentOn({ ...told, usage }, hold, turn.report) : undefined;
  finish(exchanging, {
    turn,
    status: answer.status,
    end,
    bytesOut: bytes,
    answer: facts,
    seals: isAnswer ? seals : [],
    ...(isAnswer ? partialOf(told, facts) : {}),
    ...(usage === undefined ? {} : { usage }),
    ...(spent === undefined ? {} : { spent }),
    ...(firstByteAt === undefined ? {} : { firstByteAt }),
  });
}

/** An answer that said how it ended is whole, whoever went then. */
function partialOf({ end, bytes, watching }: Told, { finishReasons }: AnswerFacts): Pick<TurnEnd, 'partial'> {
  if (end === 'complete' || bytes === 0 || finishReasons !== undefined) return {};
  return { partial: { end, bytes, words: watching.words() } };
}

type Finished = Pick<Ended, 'status' | 'end' | 'bytesOut' | 'usage' | 'answer' | 'firstByteAt' | 'spent'> & {
  readonly turn: Turn;
  readonly seals?: readonly string[];
  readonly partial?: PartialAnswer;
};

/** Ends a request of a conversation. */
export function finish(exchanging: Exchanging, { turn, seals = [], partial, ...rest }: Finished): void {
  const { route, model, isStream, bytes, reading } = exchanging;
  const { dialect, upstream, kind } = route;
  const asked = askedIn(reading, RULES[dialect]);
  const { finishReasons = [] } = rest.answer ?? {};
  turn.onEnd({ seals, turn: turnAfter(finishReasons, rest.end), ...(partial === undefined ? {} : { partial }) });
  conclude(exchanging, {
    ...rest,
    dialect,
    upstream: upstream.name,
    operation: kind === 'count' ? 'count_tokens' : 'chat',
    server: serverOf(upstream),
    ...(Object.keys(asked).length === 0 ? {} : { asked }),
    model,
    isStream,
    report: turn.report,
    bytesIn: bytes.length,
  });
}

function turnAfter(reasons: readonly string[], end: Ended['end']): TurnEnd['turn'] {
  if (reasons.some((reason) => /^(tool|function)_/.test(reason))) return 'calls-tools';
  // `stop` is said by some behind calls too, and what was cut off at its limit may be asked for again.
  const isOver = end === 'complete' && reasons.some((reason) => reason === 'end_turn' || reason === 'stop_sequence');
  return isOver ? 'over' : 'open';
}
