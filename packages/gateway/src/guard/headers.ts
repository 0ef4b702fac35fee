import type { IncomingMessage } from 'node:http';
import type { Refusal } from '../model/call.ts';

// Headers of which two readers could take different ones; node itself keeps the first of some and joins others.
const ONCE: ReadonlySet<string> = new Set([
  'authorization',
  'content-encoding',
  'content-length',
  'content-type',
  'host',
  'origin',
  'transfer-encoding',
  'x-api-key',
  'x-goog-api-key',
  'api-key',
]);

/** What is wrong with the headers as they came over the wire. */
export function headerProblem({ rawHeaders, headers, method, httpVersion }: IncomingMessage): Refusal | undefined {
  if (headers.host === undefined && httpVersion === '1.1') return bad('The header host is missing; HTTP/1.1 wants it.');
  if (headers.expect !== undefined && !/^100-continue$/i.test(headers.expect)) return UNEXPECTED;
  const seen = new Set<string>();
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = (rawHeaders[at] ?? '').toLowerCase();
    if (seen.has(name) && ONCE.has(name)) return bad(`The header ${name} is there twice; send it once.`);
    seen.add(name);
  }
  if (headers['content-length'] !== undefined && headers['transfer-encoding'] !== undefined) {
    return bad(
      'Content-Length and Transfer-Encoding are both there; send one, as the length of the body is ambiguous.',
    );
  }
  const coding = headers['transfer-encoding'];
  if (coding !== undefined && coding.trim().toLowerCase() !== 'chunked') {
    return bad('The only Transfer-Encoding that is understood is chunked.');
  }
  // Java's client asks for HTTP/2 in passing and goes on without.
  if (headers.upgrade !== undefined && headers.upgrade.toLowerCase() !== 'h2c')
    return bad('There is nothing to upgrade to here; leave the header upgrade out.');
  return method === 'TRACE' || method === 'CONNECT' ? WRONG_METHOD : undefined;
}

const UNEXPECTED: Refusal = {
  status: 417,
  code: 'unknown-expectation',
  message: 'The header expect may ask for 100-continue alone.',
};
const WRONG_METHOD: Refusal = { status: 405, code: 'wrong-method', message: 'TRACE and CONNECT are not served.' };

// What a page of any origin may send without asking first.
const SIMPLE_TYPES = ['text/plain', 'application/x-www-form-urlencoded'];

/** Whether a body comes as something a web page can send without consent. */
export function typeProblem({ headers, method }: IncomingMessage): Refusal | undefined {
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
  if (!hasBody || method === 'GET' || method === 'HEAD') return undefined;
  const type = mediaTypeOf(headers['content-type']);
  if (type !== '' && !SIMPLE_TYPES.includes(type)) return undefined;
  return {
    status: 415,
    code: 'unsupported-media-type',
    message: 'Send the body with `content-type: application/json`.',
  };
}

/** The type alone, in small letters. */
export function mediaTypeOf(header: string | undefined): string {
  return (header ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

function bad(message: string): Refusal {
  return { status: 400, code: 'bad-headers', message };
}
