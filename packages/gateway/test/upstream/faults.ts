import type { ServerResponse } from 'node:http';
import type { Answer, Failure, Reply, Wire } from './types.ts';

/** What can go wrong at a provider. */
export type Fault =
  /** The request is read and never answered. */
  | { readonly kind: 'timeout' }
  /** The stream stops after so many events and the connection stays open. */
  | { readonly kind: 'stall'; readonly after?: number }
  | { readonly kind: 'rate-limit'; readonly retryAfter?: number }
  | { readonly kind: 'server-error' }
  | { readonly kind: 'overloaded' }
  /** The connection is reset before anything is answered. */
  | { readonly kind: 'reset' }
  /** The connection breaks after so many events of a stream, or in the middle of a body. */
  | { readonly kind: 'cut'; readonly after?: number }
  /** The stream ends well by HTTP, but without the dialect's last event. */
  | { readonly kind: 'unfinished'; readonly after?: number }
  | { readonly kind: 'malformed' }
  /** A success without a body. */
  | { readonly kind: 'empty' }
  | { readonly kind: 'refusal' }
  | { readonly kind: 'huge'; readonly bytes?: number }
  /** Says that the request is too long, whatever its size. */
  | { readonly kind: 'context-length' }
  /** The same in the middle of a stream. */
  | { readonly kind: 'error-event'; readonly after?: number }
  /** Says in the stream that the request is too long, after so many events. */
  | { readonly kind: 'overflow-event'; readonly after?: number }
  | { readonly kind: 'redirect'; readonly location: string }
  /** Answers as it should, so many milliseconds late. */
  | { readonly kind: 'slow'; readonly ms: number };

const FAILURES: Readonly<Partial<Record<Fault['kind'], Failure>>> = {
  'rate-limit': {
    status: 429,
    kind: 'rate-limit',
    message: 'Rate limit reached for requests. Please try again later.',
  },
  'server-error': { status: 500, kind: 'server', message: 'The server had an error while processing your request.' },
  overloaded: { status: 529, kind: 'overloaded', message: 'Overloaded' },
};

/** The error a fault answers with, where it is one. */
export function failureOf(fault: Fault, wire: Wire, size: { tokens: number; window: number }): Failure | undefined {
  if (fault.kind === 'context-length') return wire.tooLong(size.window + 1 + size.tokens, size.window);
  const failure = FAILURES[fault.kind];
  if (failure && fault.kind === 'rate-limit') return { ...failure, retryAfter: fault.retryAfter ?? 1 };
  // 529 is Anthropic's own.
  return failure?.status === 529 && wire.dialect !== 'anthropic' ? { ...failure, status: 503 } : failure;
}

/** The reply a fault turns a reply into. */
export function faultyReply(fault: Fault | undefined, reply: Reply): Reply {
  if (fault?.kind === 'refusal') return { refusal: "I'm sorry, but I can't help with that." };
  if (fault?.kind === 'huge') return { text: 'word '.repeat(Math.ceil((fault.bytes ?? 4_000_000) / 5)) };
  return reply;
}

/** Answers as broken as the fault says; false where it is to be answered as it should. */
export function breakAnswer(
  fault: Fault | undefined,
  response: ServerResponse,
  made: { wire: Wire; answer: Answer; isStream: boolean },
): boolean {
  const { answer, isStream, wire } = made;
  const text = isStream ? undefined : JSON.stringify(answer.json);
  switch (fault?.kind) {
    case 'malformed':
      response.writeHead(200, { 'content-type': isStream ? 'text/event-stream' : 'application/json' });
      response.end(isStream ? `data: {"id":"broken","choices":[{"del\n\n` : '{"id":"broken","choi');
      return true;
    case 'empty':
      response.writeHead(200, { 'content-type': isStream ? 'text/event-stream' : 'application/json' });
      response.end();
      return true;
    case 'cut':
    case 'stall':
    case 'unfinished':
    case 'overflow-event':
    case 'error-event': {
      const pieces = text === undefined ? answer.events : [text.slice(0, text.length / 2), text.slice(text.length / 2)];
      response.writeHead(200, {
        'content-type': isStream ? (answer.contentType ?? 'text/event-stream') : 'application/json',
        ...(text === undefined ? {} : { 'content-length': Buffer.byteLength(text) }),
      });
      for (const piece of pieces.slice(0, text === undefined ? (fault.after ?? 3) : 1)) response.write(piece);
      if (fault.kind === 'error-event')
        response.end(wire.errorEvent({ status: 500, kind: 'server', message: 'The stream failed.' }));
      if (fault.kind === 'overflow-event') response.end(wire.errorEvent(wire.tooLong(8_500, 8_200)));
      if (fault.kind === 'unfinished') response.end();
      if (fault.kind === 'cut') setTimeout(() => response.socket?.destroy(), 20);
      return true;
    }
    default:
      return false;
  }
}
