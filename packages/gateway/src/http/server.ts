import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { refusalStatus } from '../model/call.ts';
import type { Config } from '../model/config.ts';

/** A listening server that can be stopped without breaking anything off. */
export type Listener = {
  readonly listen: (at: Config['listen']) => Promise<AddressInfo>;
  readonly address: () => AddressInfo | undefined;
  /** Other limits from now on, for connections that are open as well. */
  readonly limit: (timeouts: Config['timeouts']) => void;
  /** Takes nothing new, and resolves when all requests have ended, or the time is over and what is left was told to break off. */
  readonly close: (graceMs: number, breakOff: () => void) => Promise<void>;
};

/** Who is asked about what comes in. */
export type Handlers = {
  /** Whether a connection may stay, before anything was read of it. */
  readonly connects: (socket: Socket) => boolean;
  readonly serve: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
};

/** Serves each request of the connections that may stay. */
export function createListener(timeouts: Config['timeouts'], { connects, serve }: Handlers): Listener {
  const underWay = new Set<Promise<void>>();
  let isClosing = false;
  const options = {
    ...limitsOf(timeouts),
    // How late a limit may be noticed.
    connectionsCheckingInterval: 500,
    // One without is refused by the guard, in the shape of every other refusal.
    requireHostHeader: false,
  };
  const take = (request: IncomingMessage, response: ServerResponse): void => {
    if (isClosing) response.setHeader('connection', 'close');
    const ending = serve(request, response).catch(() => void response.destroy());
    underWay.add(ending);
    void ending.finally(() => underWay.delete(ending));
  };
  // An `Expect` that Node does not know is refused by the guard as well.
  const server = createServer(options, take).on('checkExpectation', take);
  server.on('connection', (socket) => {
    if (!connects(socket)) socket.end(rawAnswer(MANY));
  });
  server.on('clientError', refuseRaw);
  // Node makes no request of it, and without a listener hangs up.
  server.on('connect', (_, socket) => void socket.end(rawAnswer(NO_TUNNEL)));
  return {
    listen: (at) => listenOn(server, at),
    address: () => addressOf(server),
    limit: (changed) => void Object.assign(server, limitsOf(changed)),
    close: async (graceMs, breakOff) => {
      isClosing = true;
      const closed = new Promise<void>((resolve) => void server.close(() => resolve()));
      server.closeIdleConnections();
      await Promise.race([allOf(underWay), after(graceMs)]);
      breakOff();
      await Promise.race([allOf(underWay), after(LAST_WORDS_MS)]);
      server.closeAllConnections();
      await closed;
    },
  };
}

// For a stream to end as its protocol says.
const LAST_WORDS_MS = 1000;

function limitsOf({ header, body, idle }: Config['timeouts']): Limits {
  return {
    headersTimeout: header,
    // A body that is read here is refused in its dialect when it is late; this is for those that go through.
    requestTimeout: header + body,
    keepAliveTimeout: idle,
  };
}

type Limits = Pick<Server, 'headersTimeout' | 'requestTimeout' | 'keepAliveTimeout'>;

function listenOn(server: Server, { host, port }: Config['listen']): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      const address = addressOf(server);
      if (address === undefined) reject(new Error('The server listens at no address.'));
      else resolve(address);
    });
  });
}

function addressOf(server: Server): AddressInfo | undefined {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address : undefined;
}

// Requests that come in on an open connection while we wait are served as well.
async function allOf(underWay: ReadonlySet<Promise<void>>): Promise<void> {
  while (underWay.size > 0) await Promise.all(underWay);
}

function after(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds).unref();
  });
}

/** A refusal of what never became a request. */
type RawRefusal = { readonly status: string; readonly code: string; readonly message: string };

const MANY: RawRefusal = {
  status: '429 Too Many Requests',
  code: 'too-many-connections',
  message: 'Too many connections from this address; close some, or raise `limits.connectionsPerAddress`.',
};
const LATE: RawRefusal = {
  status: '408 Request Timeout',
  code: 'request-too-late',
  message: 'The request did not arrive in time; `timeouts.header` and `timeouts.body` say how long it may take.',
};
const OVERFLOW: RawRefusal = {
  status: '431 Request Header Fields Too Large',
  code: 'headers-too-large',
  message: 'The headers are too large; leave out what the provider does not need, such as cookies.',
};
const NO_REQUEST: RawRefusal = {
  status: '400 Bad Request',
  code: 'bad-request',
  message: 'This is no valid HTTP request; HTTP/1.1 is spoken here, without TLS.',
};
const NO_TUNNEL: RawRefusal = {
  status: '405 Method Not Allowed',
  code: 'wrong-method',
  message: 'TRACE and CONNECT are not served.',
};
const BY_ERROR: Readonly<Record<string, RawRefusal>> = {
  ERR_HTTP_REQUEST_TIMEOUT: LATE,
  HPE_HEADER_OVERFLOW: OVERFLOW,
};

/** What never became a request: no dialect is known, and nothing of it is repeated. */
function refuseRaw(error: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable || socket.bytesWritten > 0) {
    socket.destroy();
    return;
  }
  socket.end(rawAnswer(BY_ERROR[error.code ?? ''] ?? NO_REQUEST));
}

function rawAnswer({ status, code, message }: RawRefusal): string {
  const type = status.startsWith('429') ? 'rate_limit_error' : 'invalid_request_error';
  const body = JSON.stringify({ error: { message, type, param: null, code: null } });
  const head = [
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
    `x-epitome-status: ${refusalStatus({ status: Number.parseInt(status, 10), code })}`,
    'connection: close',
  ];
  return `HTTP/1.1 ${status}\r\n${head.join('\r\n')}\r\n\r\n${body}`;
}
