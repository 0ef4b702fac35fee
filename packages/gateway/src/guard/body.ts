import type { IncomingMessage } from 'node:http';
import type { Transform } from 'node:stream';
import zlib from 'node:zlib';
import { decoderOf, leaveDecoder } from '../coding/decoder.ts';
import type { Refusal } from '../model/call.ts';
import type { Limits } from '../model/config.ts';

// A few bytes of header become a little text at any ratio.
const FREE_BYTES = 64 * 1024;

/** What a body may be, and the milliseconds it may take. */
export type BodyLimits = Limits & { readonly time: number };

/** The body in the pieces it comes in, decompressed and counted on the way: nothing larger than the limit is ever held. */
export async function readPieces(
  request: IncomingMessage,
  limits: BodyLimits,
  signal: AbortSignal,
): Promise<Pieces | Refusal> {
  const decoder = decoderOf(request.headers['content-encoding'] ?? '');
  if (decoder === undefined) return unsupported();
  if (Number(request.headers['content-length'] ?? 0) > limits.bodyBytes) return tooLarge(limits);
  return collect({ request, decoder, limits }, signal);
}

type Collecting = {
  readonly request: IncomingMessage;
  readonly decoder: Transform | 'none';
  readonly limits: BodyLimits;
};

type Pieces = readonly Buffer[];

function collect({ request, decoder, limits }: Collecting, signal: AbortSignal): Promise<Pieces | Refusal> {
  return new Promise((resolve, reject) => {
    const vessel = vesselFor({ decoder, limits });
    const end = (result: Pieces | Refusal): void => {
      stop();
      resolve(result);
    };
    const aborted = (): void => {
      stop();
      reject(signal.reason);
    };
    const timer = setTimeout(() => end(LATE), limits.time);
    const stop = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', aborted);
      request.off('data', vessel.count).off('data', take).off('end', whole).off('close', cut);
      if (decoder !== 'none') {
        request.unpipe(decoder);
        leaveDecoder(decoder);
      }
      request.resume();
    };
    const take = (chunk: Buffer): void => {
      const problem = vessel.take(chunk);
      if (problem !== undefined) end(problem);
    };
    const whole = (): void => end(vessel.pieces);
    // A client that goes in the middle of its body has sent no request.
    const cut = (): void => {
      if (!request.complete) end(CUT);
    };
    if (signal.aborted) return aborted();
    signal.addEventListener('abort', aborted, { once: true });
    request.on('close', cut);
    // What is not encoded needs no stream of its own in between.
    if (decoder === 'none') return void request.on('data', take).on('end', whole);
    request.on('data', vessel.count);
    decoder.on('data', take).on('end', whole);
    decoder.on('error', () => end(BROKEN));
    request.pipe(decoder);
  });
}

/** What a body is collected in. */
type Vessel = {
  /** Counts what came in, where it is not what is taken. */
  readonly count: (chunk: Buffer) => void;
  readonly take: (chunk: Buffer) => Refusal | undefined;
  readonly pieces: Pieces;
};

function vesselFor({ decoder, limits }: Omit<Collecting, 'request'>): Vessel {
  const pieces: Buffer[] = [];
  let [read, made, small] = [0, 0, 0];
  return {
    count: (chunk) => {
      read += chunk.length;
    },
    take: (chunk) => {
      pieces.push(chunk);
      small = chunk.length < SMALL ? small + 1 : 0;
      if (small === MOST_SMALL) {
        pieces.push(Buffer.concat(pieces.splice(-MOST_SMALL)));
        small = 0;
      }
      made += chunk.length;
      if (made > limits.bodyBytes) return tooLarge(limits);
      return decoder !== 'none' && made > FREE_BYTES + read * limits.ratio ? BOMB : undefined;
    },
    pieces,
  };
}

// A piece of a few bytes takes some hundred in memory: whoever sends such ones must not have them all held.
const SMALL = 4096;
const MOST_SMALL = 256;

function unsupported(): Refusal {
  const known = ['gzip', 'deflate', 'br', ...('createZstdDecompress' in zlib ? ['zstd'] : [])];
  const message = `This Content-Encoding is not understood; there are ${known.join(', ')}, one at a time.`;
  return { status: 415, code: 'unsupported-encoding', message };
}

function tooLarge({ bodyBytes }: Limits): Refusal {
  const message = `The body is larger than ${bodyBytes} bytes; \`limits.bodyBytes\` of the configuration says how large it may be.`;
  return { status: 413, code: 'body-too-large', message };
}

const BOMB: Refusal = {
  status: 413,
  code: 'body-too-large',
  message: 'The compressed body becomes far larger than bodies do; send it as it is, or raise `limits.ratio`.',
};

const BROKEN: Refusal = {
  status: 400,
  code: 'invalid-encoding',
  message: 'The body cannot be decompressed as its Content-Encoding says.',
};

const LATE: Refusal = {
  status: 408,
  code: 'body-too-late',
  message: 'The body did not arrive in time; `timeouts.body` of the configuration says how long it may take.',
};

const CUT: Refusal = {
  status: 400,
  code: 'body-cut-off',
  message: 'The body ended before its end; send all of it.',
};
