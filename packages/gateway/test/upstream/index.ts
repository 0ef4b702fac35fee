import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { formats } from 'epitome';
import { anthropic } from './anthropic.ts';
import { type PromptCache, promptCache } from './cache.ts';
import { chat } from './chat.ts';
import { tokensOfText, unitsOf } from './count.ts';
import { breakAnswer, type Fault, failureOf, faultyReply } from './faults.ts';
import { gemini } from './gemini.ts';
import { isObject, isProblem } from './json.ts';
import { compactedWindow, responsesWire } from './responses.ts';
import type { Answer, Failure, Json, Reading, Reply, Seen, Usage, Wire } from './types.ts';

export type { Fault } from './faults.ts';
export type { Dialect, Json, Reply } from './types.ts';

/** How an upstream behaves. */
export type UpstreamOptions = {
  /** Tokens a request may have. @default 128000 */
  readonly window?: number;
  /** What the model says. @default a short text that names the request */
  readonly reply?: (seen: Seen) => Reply | Promise<Reply>;
  /** Keys it accepts; any where absent. */
  readonly keys?: readonly string[];
  /** Milliseconds between the events of a stream. @default 0 */
  readonly paceMs?: number;
  /** A port of one's own. @default any free one */
  readonly port?: number;
};

/** A running upstream. */
export type Upstream = {
  /** Origin, such as `http://127.0.0.1:4711`; clients of OpenAI add `/v1`. */
  readonly url: string;
  /** Everything that arrived, oldest first. */
  readonly requests: readonly Seen[];
  /** Requests it refused because they broke a rule of their dialect, with the rules. */
  readonly refused: () => readonly string[];
  /** The next requests fail like this, one fault each; without a list, every request until `recover`. */
  readonly inject: (fault: Fault | readonly Fault[]) => void;
  readonly recover: () => void;
  /** Another script, or window, from now on. */
  readonly set: (options: Pick<UpstreamOptions, 'reply' | 'window'>) => void;
  readonly forget: () => void;
  readonly close: () => Promise<void>;
};

type State = {
  options: Required<Pick<UpstreamOptions, 'window' | 'reply' | 'paceMs'>> & Pick<UpstreamOptions, 'keys'>;
  requests: Seen[];
  faults: Fault[];
  always: Fault | undefined;
  readonly cache: PromptCache;
  readonly responses: Wire;
  count: number;
};

/** Starts a provider of all four dialects on a loopback port, which holds every request against its dialect's rules. */
export async function startUpstream(options: UpstreamOptions = {}): Promise<Upstream> {
  const { window = 128_000, reply = defaultReply, paceMs = 0, keys } = options;
  const state: State = {
    options: { window, reply, paceMs, ...(keys ? { keys } : {}) },
    requests: [],
    faults: [],
    always: undefined,
    cache: promptCache(),
    responses: responsesWire(),
    count: 0,
  };
  const server = createServer((request, response) => {
    serve(request, response, state).catch((error: unknown) => {
      // A mistake in a script of a test must be seen, not waited for.
      if (!response.headersSent) response.writeHead(500, { 'content-type': 'text/plain' });
      response.end(`upstream: ${error instanceof Error ? error.stack : String(error)}`);
    });
  });
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    get requests() {
      return state.requests;
    },
    refused: () => state.requests.flatMap(({ index, problems }) => problems.map((each) => `request ${index}: ${each}`)),
    inject: (fault) => {
      if ('kind' in fault) state.always = fault;
      else state.faults.push(...fault);
    },
    recover: () => {
      state.always = undefined;
      state.faults = [];
    },
    set: (changed) => {
      state.options = { ...state.options, ...changed };
    },
    forget: () => {
      state.requests = [];
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function defaultReply({ index }: Seen): Reply {
  return { text: `This is the answer to request ${index}.` };
}

async function serve(request: IncomingMessage, response: ServerResponse, state: State): Promise<void> {
  const path = request.url ?? '/';
  const raw = await bytesOf(request);
  const wire = wireOf(path, state);
  const seen: Seen = {
    index: state.count,
    method: request.method ?? '',
    path,
    headers: request.headers,
    rawHeaders: request.rawHeaders,
    raw,
    units: [],
    tokens: 0,
    verdict: 'other',
    status: 0,
    problems: [],
    isAborted: false,
  };
  state.count += 1;
  if (wire === undefined || request.method !== 'POST') {
    state.requests.push(seen);
    other(seen, response);
    return;
  }
  await converse(seen, { wire, response, state });
}

type Turn = { readonly wire: Wire; readonly response: ServerResponse; readonly state: State };

async function converse(first: Seen, turn: Turn): Promise<void> {
  const { wire, response, state } = turn;
  const body = parsed(first);
  const reading = body === undefined ? undefined : wire.read(body, first.path);
  const isRead = reading !== undefined && !isProblem(reading);
  const units = isRead ? unitsOf(reading) : [];
  const tokens = units.reduce((sum, unit) => sum + unit.tokens, 0);
  const seen: Seen = {
    ...first,
    dialect: wire.dialect,
    ...(body ? { body } : {}),
    ...(isRead ? { model: reading.model, stream: reading.stream } : {}),
    units,
    tokens,
  };
  state.requests.push(seen);
  response.on('close', () => {
    seen.isAborted = !response.writableFinished;
  });
  const refusal = refusalOf(seen, reading, turn);
  if (refusal) return fail(seen, refusal, turn);
  if (isRead && body) await answer(seen, { reading, body }, turn);
}

function refusalOf(
  seen: Seen,
  reading: ReturnType<Wire['read']> | undefined,
  { wire, state }: Turn,
): Failure | undefined {
  const { keys, window } = state.options;
  const key = wire.keyOf(seen.headers, seen.path);
  if (key === undefined || (keys && !keys.includes(key))) {
    seen.verdict = 'unauthorized';
    return { status: 401, kind: 'auth', message: 'Incorrect API key provided.' };
  }
  if (reading === undefined) return invalid(seen, 'The request body is not valid JSON.');
  if (isProblem(reading)) return invalid(seen, `${reading.rule}: ${reading.message}`, reading);
  const found = wire.check(reading, seen.body ?? {}, seen.headers);
  if (found) return invalid(seen, `${found.rule}: ${found.message}`, found);
  // The engine's rules as well: what only they find is a mistake of one of the two.
  const [violation] = formats[wire.dialect]
    .validate(reading.shown ?? reading.messages)
    .filter(({ severity }) => severity === 'error');
  if (violation) return invalid(seen, `${violation.rule} at ${violation.at}: ${violation.detail}`);
  if (seen.tokens <= window || seen.path.includes('count_tokens')) return undefined;
  seen.verdict = 'too-long';
  return wire.tooLong(seen.tokens, window);
}

function invalid(
  seen: Seen,
  text: string,
  { message = text, param, code }: { message?: string; param?: string; code?: string } = {},
): Failure {
  seen.verdict = 'invalid';
  seen.problems = [text];
  return { status: 400, kind: 'invalid', message, param, code };
}

function fail(seen: Seen, failure: Failure, { wire, response }: Turn): void {
  seen.status = failure.status;
  response.writeHead(failure.status, {
    'content-type': 'application/json',
    'x-request-id': `req_${seen.index}`,
    ...(failure.retryAfter === undefined ? {} : { 'retry-after': String(failure.retryAfter) }),
  });
  response.end(JSON.stringify(wire.errorBody(failure)));
}

async function answer(seen: Seen, { reading, body }: { reading: Reading; body: Json }, turn: Turn): Promise<void> {
  const { wire, response, state } = turn;
  if (seen.path.includes('/count_tokens')) return send(seen, { input_tokens: seen.tokens }, response);
  if (seen.path.includes('/responses/compact')) return send(seen, compactedWindow(reading), response);
  const fault = state.faults.shift() ?? state.always;
  if (fault && (await isOver(fault, seen, turn))) return;
  const reply = faultyReply(fault, await state.options.reply(seen));
  const cached = state.cache(wire.dialect, `${wire.keyOf(seen.headers, seen.path)} ${reading.model}`, seen.units);
  const usage = usageOf(seen.tokens, cached, reply);
  const made = wire.answer({ id: String(seen.index), reading, body, path: seen.path, reply, usage });
  if (breakAnswer(fault, response, { wire, answer: made, isStream: reading.stream })) {
    seen.verdict = 'fault';
    return;
  }
  if (reading.stream) await stream(seen, made, turn);
  else send(seen, made.json, response);
}

/** Whether a fault has answered already, or never will. */
async function isOver(fault: Fault, seen: Seen, turn: Turn): Promise<boolean> {
  const { wire, response, state } = turn;
  const failure = failureOf(fault, wire, { tokens: seen.tokens, window: state.options.window });
  if (failure || ['timeout', 'reset', 'redirect'].includes(fault.kind)) seen.verdict = 'fault';
  if (failure) fail(seen, failure, turn);
  if (fault.kind === 'reset') response.socket?.resetAndDestroy();
  if (fault.kind === 'redirect') response.writeHead(307, { location: fault.location }).end();
  if (fault.kind === 'slow') await new Promise((resolve) => setTimeout(resolve, fault.ms));
  return seen.verdict === 'fault';
}

function usageOf(input: number, cached: { read: number; write: number }, reply: Reply): Usage {
  const reasoning = tokensOfText(reply.thinking ?? '');
  const calls = reply.calls ? tokensOfText(JSON.stringify(reply.calls)) : 0;
  const words = tokensOfText((reply.text ?? reply.refusal ?? '').slice(0, 200_000));
  return {
    input,
    cacheRead: cached.read,
    cacheWrite: cached.write,
    output: Math.max(1, words + calls + reasoning),
    reasoning,
  };
}

function send(seen: Seen, json: unknown, response: ServerResponse): void {
  seen.verdict = 'answered';
  seen.status = 200;
  const text = JSON.stringify(json);
  response.writeHead(200, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    'x-request-id': `req_${seen.index}`,
  });
  response.end(text);
}

async function stream(seen: Seen, { events, contentType }: Answer, { response, state }: Turn): Promise<void> {
  seen.verdict = 'answered';
  seen.status = 200;
  response.writeHead(200, {
    'content-type': contentType ?? 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache',
    'x-request-id': `req_${seen.index}`,
  });
  for (const event of events) {
    if (response.destroyed) return;
    const isReady = response.write(event);
    if (state.options.paceMs > 0) await new Promise((resolve) => setTimeout(resolve, state.options.paceMs));
    else if (!isReady) await new Promise((resolve) => response.once('drain', resolve).once('close', resolve));
  }
  response.end();
}

function wireOf(path: string, { responses }: State): Wire | undefined {
  const { pathname } = new URL(path, 'http://local');
  if (pathname === '/v1/chat/completions' || pathname === '/v1beta/openai/chat/completions') return chat;
  if (pathname === '/v1/responses' || pathname === '/v1/responses/compact') return responses;
  if (pathname === '/v1/messages' || pathname === '/v1/messages/count_tokens') return anthropic;
  return /^\/v1(beta)?\/models\/[^/]+:(generateContent|streamGenerateContent)$/.test(pathname) ? gemini : undefined;
}

/** Paths beside the dialects: a list of models, an echo of whatever is sent, a 404 for the rest. */
function other(seen: Seen, response: ServerResponse): void {
  const { pathname } = new URL(seen.path, 'http://local');
  if (pathname.endsWith('/models') && seen.method === 'GET') {
    send(seen, { object: 'list', data: [{ id: 'local-model', object: 'model', owned_by: 'local' }] }, response);
  } else if (pathname.endsWith('/echo')) {
    seen.status = 200;
    response.writeHead(200, { 'content-type': seen.headers['content-type'] ?? 'application/octet-stream' });
    response.end(seen.raw);
  } else {
    seen.status = 404;
    response.writeHead(404, { 'content-type': 'application/json' });
    response.end(
      JSON.stringify({
        error: {
          message: `Invalid URL (${seen.method} ${pathname})`,
          type: 'invalid_request_error',
          param: null,
          code: null,
        },
      }),
    );
  }
  seen.verdict = 'other';
}

async function bytesOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

function parsed({ raw, headers }: Seen): Json | undefined {
  try {
    const plain = { gzip: gunzipSync, br: brotliDecompressSync, deflate: inflateSync }[
      headers['content-encoding'] ?? ''
    ];
    const text = new TextDecoder('utf-8', { fatal: true }).decode(plain ? plain(raw) : raw);
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
