import { once } from 'node:events';
import { type IncomingHttpHeaders, type IncomingMessage, request as open, type Server } from 'node:http';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import zlib from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hashOf } from '../../src/config/load.ts';
import { readPieces } from '../../src/guard/body.ts';
import { createLedger } from '../../src/guard/budget.ts';
import { jsonProblem } from '../../src/guard/json.ts';
import type { ClientKey } from '../../src/model/config.ts';
import type { Exchange } from '../../src/model/report.ts';
import { portOf, sendRaw, startGuarded } from './server.ts';

const KEY = 'ept-the-key-of-the-test';
const CONFIG = `
upstreams: [{ name: a, baseUrl: "http://127.0.0.1:1", dialects: [openai-chat], key: { env: UP } }]
keys:
  - { id: ci, hash: ${hashOf(KEY)}, tenant: acme, scopes: [proxy] }
  - { id: old, hash: ${hashOf('expired-key')}, expires: 2020-01-01 }
hosts: [gateway.example]
limits: { bodyBytes: 100000, depth: 50, ratio: 100 }
`;

let server: Server;
let port: number;

beforeAll(async () => {
  server = await startGuarded(CONFIG, { UP: 'k' });
  port = portOf(server);
});
afterAll(() => server.closeAllConnections());

type Sent = {
  readonly path?: string;
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string | Buffer;
};

async function send({ path = '/v1/chat/completions', method = 'POST', headers = {}, body = '{}' }: Sent, to = port) {
  const all = { 'content-type': 'application/json', authorization: `Bearer ${KEY}`, ...headers };
  const kept = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''));
  const sent = open({ port: to, host: '127.0.0.1', path, method, headers: kept });
  sent.end(method === 'GET' ? undefined : body);
  const [response] = (await once(sent, 'response')) as [
    AsyncIterable<Buffer> & { statusCode: number; headers: IncomingHttpHeaders },
  ];
  let text = '';
  for await (const chunk of response) text += chunk;
  return { status: response.statusCode, ...JSON.parse(text) } as {
    status: number;
    code?: string;
    message?: string;
    bytes?: number;
    caller?: object;
  };
}

test('a body that comes byte by byte is held in few pieces, in its order', async () => {
  const sent = Buffer.from(JSON.stringify(Array.from({ length: 2000 }, (_, at) => at)));
  const chunks = [...Array.from(sent, (_, at) => sent.subarray(at, at + 1)), Buffer.alloc(9000, ' '), Buffer.from(' ')];
  const request = Object.assign(Readable.from(chunks), { headers: {}, complete: true }) as unknown as IncomingMessage;
  const limits = { bodyBytes: 1e6, depth: 50, ratio: 100, connectionsPerAddress: 1, time: 1000 };
  const pieces = await readPieces(request, limits, new AbortController().signal);
  if (!Array.isArray(pieces)) throw new Error('refused');
  expect(Buffer.concat(pieces).equals(Buffer.concat(chunks))).toBe(true);
  expect(pieces.length).toBeLessThan(300);
});

test('who comes as they should is let in, as whom they are', async () => {
  expect(await send({ body: '{"a":1}' })).toEqual({
    status: 200,
    bytes: 7,
    caller: { tenant: 'acme', keyId: 'ci', scopes: ['proxy'], key: 'ours' },
  });
});

describe('keys', () => {
  test.each<[string, Record<string, string>, string?]>([
    ['none', { authorization: '' }],
    ['a wrong one', { authorization: 'Bearer wrong' }],
    ['the right one in the wrong case', { authorization: `Bearer ${KEY.toUpperCase()}` }],
    ['with something behind it', { authorization: `Bearer ${KEY}x` }],
    ['a part of it', { authorization: `Bearer ${KEY.slice(0, -1)}` }],
    ['another scheme', { authorization: `Basic ${KEY}` }],
    ['an expired one', { authorization: 'Bearer expired-key' }],
    ['its hash', { authorization: `Bearer ${hashOf(KEY)}` }],
    ['two that differ', { 'x-api-key': 'other' }],
    ['two that differ, one in the query', {}, '/v1/x?key=other'],
    ['an empty one', { authorization: 'Bearer ' }],
  ])('%s: 401, with the same body', async (_what, headers, path = '/v1/x') => {
    expect(await send({ headers, path })).toEqual({
      status: 401,
      code: 'unauthorized',
      message: 'The key is missing or not valid; send it as your client does for its provider.',
    });
  });

  test.each([
    ['x-api-key', { authorization: '', 'x-api-key': KEY }],
    ['x-goog-api-key', { authorization: '', 'x-goog-api-key': KEY }],
    ['api-key', { authorization: '', 'api-key': KEY }],
    ['a scheme in small letters', { authorization: `bearer ${KEY}` }],
    ['the same one twice in two headers', { 'x-api-key': KEY }],
  ])('%s is understood', async (_what, headers) => {
    expect((await send({ headers })).status).toBe(200);
  });

  test('in the query, as clients of Gemini send it', async () => {
    expect((await send({ path: `/v1beta/models/x?key=${KEY}`, headers: { authorization: '' } })).status).toBe(200);
  });

  test.each([
    '//v1/x',
    '/%2e%2e/metrics',
    '/metrics',
    '/ui',
    '/v1/conversations',
    '/HEALTHZ',
    '/healthz/',
    '/healthz?x',
  ])('%s is behind the door', async (path) => {
    expect((await send({ path, method: 'GET', headers: { authorization: '' } })).status).toBe(401);
  });

  test.each(['/healthz', '/readyz'])('%s is not', async (path) => {
    expect((await send({ path, method: 'GET', headers: { authorization: '', host: '10.1.2.3' } })).status).toBe(200);
    expect((await send({ path, method: 'POST', headers: { authorization: '' } })).status).toBe(401);
  });
});

describe('where a request comes from', () => {
  test.each<[string, Record<string, string>, number]>([
    ['localhost', { host: 'localhost:PORT' }, 200],
    ['the address of IPv6', { host: '[::1]:PORT' }, 200],
    ['a name of the configuration', { host: 'gateway.example' }, 200],
    ['that name in capitals with a port', { host: 'Gateway.Example:8443' }, 200],
    ['another name', { host: 'evil.example' }, 403],
    ['a name that begins like loopback', { host: '127.0.0.1.evil.example' }, 403],
    ['another address of loopback', { host: '127.0.0.2:PORT' }, 403],
    ['another port', { host: 'localhost:1' }, 403],
    ['loopback without its port', { host: 'localhost' }, 403],
    ['a page of another origin', { origin: 'https://evil.example' }, 403],
    ['a page that hides its origin', { origin: 'null' }, 403],
    ['a page of this host', { origin: 'http://localhost:PORT', host: 'localhost:PORT' }, 200],
    ['a page of another port here', { origin: 'http://localhost:1', host: 'localhost:PORT' }, 403],
    ['a browser across sites', { 'sec-fetch-site': 'cross-site' }, 403],
    ['a browser on the same site', { 'sec-fetch-site': 'same-site' }, 403],
    ['a browser at the same origin', { 'sec-fetch-site': 'same-origin' }, 200],
    ['a browser asked by its user', { 'sec-fetch-site': 'none' }, 200],
  ])('%s', async (_what, headers, status) => {
    const own = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, value.replace('PORT', String(port))]),
    );
    expect((await send({ headers: own })).status).toBe(status);
  });
});

describe('headers', () => {
  const HEAD = `POST /v1/x HTTP/1.1\r\nHost: gateway.example\r\n`;
  const TYPE = 'Content-Type: application/json\r\n';
  test.each<[string, string]>([
    [
      'two keys',
      `${HEAD}${TYPE}Authorization: Bearer ${KEY}\r\nAuthorization: Bearer ${KEY}\r\nContent-Length: 2\r\n\r\n{}`,
    ],
    ['two keys of another name', `${HEAD}${TYPE}X-Api-Key: ${KEY}\r\nx-api-key: ${KEY}\r\nContent-Length: 2\r\n\r\n{}`],
    ['two hosts', `${HEAD}Host: gateway.example\r\n${TYPE}Content-Length: 2\r\n\r\n{}`],
    ['no host', `POST /v1/x HTTP/1.1\r\n${TYPE}Content-Length: 2\r\n\r\n{}`],
    ['two lengths', `${HEAD}${TYPE}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`],
    ['a length and chunks', `${HEAD}${TYPE}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
    ['another coding of the transfer', `${HEAD}${TYPE}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`],
    ['a folded line', `${HEAD}${TYPE}X-Fold: a\r\n b\r\nContent-Length: 2\r\n\r\n{}`],
    ['a space before the colon', `${HEAD}Authorization : Bearer ${KEY}\r\nContent-Length: 2\r\n\r\n{}`],
    ['a bare carriage return', `${HEAD}X-A: b\rX-C: d\r\nContent-Length: 2\r\n\r\n{}`],
    ['a NUL', `${HEAD}X-A: b\0\r\nContent-Length: 2\r\n\r\n{}`],
  ])('%s: 400', async (_what, text) => {
    const answer = await sendRaw(port, text);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).not.toContain('"caller"');
  });

  test.each<[string, string, number]>([
    ['text', 'text/plain', 415],
    ['a form', 'application/x-www-form-urlencoded', 415],
    ['no type', '', 415],
    ['many parts', 'multipart/form-data; boundary=x', 415],
    ['JSON with a charset', 'application/json; charset=utf-8', 200],
    ['JSON in capitals', 'Application/JSON', 200],
  ])('%s as the type of a body that is read', async (_what, type, status) => {
    expect((await send({ headers: { 'content-type': type } })).status).toBe(status);
  });

  test('a method that shows headers, or tunnels, is not served', async () => {
    expect(await sendRaw(port, `TRACE / HTTP/1.1\r\nHost: gateway.example\r\nConnection: close\r\n\r\n`)).toMatch(
      /^HTTP\/1\.1 405 /,
    );
  });
});

test('a list of more entries than any provider takes is not read', () => {
  const listOf = (entries: number): Buffer => Buffer.from(`{"messages":[${'1,'.repeat(entries - 1)}1]}`);
  expect(jsonProblem(listOf(100_000), 50)).toBeUndefined();
  expect(jsonProblem(listOf(100_001), 50)?.message).toMatch(/more than 100000 entries in one list or object, at byte/);
});

const zeros = Buffer.alloc(90_000, ' ');

describe('bodies', () => {
  test.each<[string, Sent, number, RegExp?]>([
    ['as large as it may be', { body: `"${'x'.repeat(99_998)}"` }, 200],
    ['larger', { body: `"${'x'.repeat(100_000)}"` }, 413, /larger than 100000 bytes/],
    ['larger, in chunks', { headers: { 'transfer-encoding': 'chunked' }, body: `"${'x'.repeat(200_000)}"` }, 413],
    ['gzip', { headers: { 'content-encoding': 'gzip' }, body: zlib.gzipSync('{"a":1}') }, 200],
    ['deflate', { headers: { 'content-encoding': 'deflate' }, body: zlib.deflateSync('{"a":1}') }, 200],
    ['br', { headers: { 'content-encoding': 'br' }, body: zlib.brotliCompressSync('{"a":1}') }, 200],
    [
      'gzip that is larger inside',
      { headers: { 'content-encoding': 'gzip' }, body: zlib.gzipSync(Buffer.alloc(1e6)) },
      413,
    ],
    ['gzip that blows up', { headers: { 'content-encoding': 'gzip' }, body: zlib.gzipSync(zeros) }, 413, /far larger/],
    [
      'br that blows up',
      { headers: { 'content-encoding': 'br' }, body: zlib.brotliCompressSync(zeros) },
      413,
      /far larger/,
    ],
    ['gzip that is none', { headers: { 'content-encoding': 'gzip' }, body: '{"a":1}' }, 400, /cannot be decompressed/],
    [
      'gzip that is cut',
      { headers: { 'content-encoding': 'gzip' }, body: zlib.gzipSync('{"a":1}').subarray(0, 20) },
      400,
    ],
    ['an unknown coding', { headers: { 'content-encoding': 'lzma' } }, 415, /gzip, deflate, br/],
    ['a coding twice', { headers: { 'content-encoding': 'gzip, gzip' } }, 415],
    ['a byte order mark', { body: '\uFEFF{}' }, 400, /byte order mark, at byte 0/],
    [
      'a broken character',
      { body: Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xff]), Buffer.from('"}')]) },
      400,
      /not valid UTF-8 at byte 6/,
    ],
    [
      'a cut character',
      { body: Buffer.concat([Buffer.from(`{"${'ä'.repeat(500)}":"`), Buffer.from([0xe2, 0x82]), Buffer.from('"}')]) },
      400,
      /UTF-8 at byte 1007/,
    ],
    [
      'an encoded surrogate',
      { body: Buffer.concat([Buffer.from('"'), Buffer.from([0xed, 0xa0, 0x80]), Buffer.from('"')]) },
      400,
      /UTF-8 at byte 2/,
    ],
    ['half a pair', { body: '{"a":"\\ud83d"}' }, 400, /surrogate pair at byte 6/],
    ['the other half', { body: '{"a":"\\uDE00"}' }, 400, /surrogate pair at byte 6/],
    ['two first halves', { body: '{"a":"\\ud83d\\ud83d"}' }, 400, /at byte 6/],
    ['a pair', { body: '{"a":"\\ud83d\\ude00"}' }, 200],
    ['a backslash and a u', { body: '{"a":"\\\\ud83d"}' }, 200],
    ['an emoji', { body: '{"a":"👍"}' }, 200],
    ['depth as it may be', { body: `${'['.repeat(50)}${']'.repeat(50)}` }, 200],
    ['deeper', { body: `${'['.repeat(51)}${']'.repeat(51)}` }, 400, /more than 50 deep, at byte 50/],
    ['brackets in text', { body: JSON.stringify({ a: '[{'.repeat(100), b: '\\"[['.repeat(100) }) }, 200],
    ['ten thousand deep', { body: '['.repeat(10_000) }, 400, /more than 50 deep/],
    [
      'an address of its own',
      { body: '{"base_url":"http://169.254.169.254/"}' },
      400,
      /upstreams are those of the configuration/,
    ],
    ['the same in disguise', { body: '{"messages":[],"api\\u005fBase" : "http://x"}' }, 400, /upstreams/],
    [
      'an address for the upstream in extra_body',
      { body: '{"a":[{"b":1}],"extra_body":{"api_base":"http://169.254.169.254/"}}' },
      400,
    ],
    ['one deeper in it', { body: '{"extra_body":{"x":[{"Base_URL":"y"}]}}' }, 400],
    ['the word behind it', { body: '{"extra_body":{},"tools":[{"base_url":"x"}]}' }, 200],
    ['the word in a message', { body: '{"messages":[{"role":"user","content":"base_url"}],"x":"api_base"}' }, 200],
    ['the word deeper', { body: '{"tools":[{"base_url":"x"}]}' }, 200],
    ['nothing', { body: '' }, 200],
  ])('%s', async (_what, sent, status, said) => {
    const answer = await send(sent);
    expect(answer.status).toBe(status);
    if (said) expect(answer.message).toMatch(said);
  });

  test.skipIf(!('zstdCompressSync' in zlib))('zstd, where Node has it', async () => {
    const compress = Reflect.get(zlib, 'zstdCompressSync') as (text: string) => Buffer;
    expect((await send({ headers: { 'content-encoding': 'zstd' }, body: compress('{"a":1}') })).bytes).toBe(7);
  });

  test('the client that goes in the middle leaves nothing behind', async () => {
    const socket = connect(port, '127.0.0.1');
    socket.write(
      `POST /v1/x HTTP/1.1\r\nHost: gateway.example\r\nContent-Type: application/json\r\nAuthorization: Bearer ${KEY}\r\nContent-Length: 50\r\n\r\n{"a":`,
    );
    await new Promise((resolve) => setTimeout(resolve, 50));
    socket.destroy();
    expect((await send({})).status).toBe(200);
  });
});

describe('without client keys', () => {
  test('callers bring the key of their provider and have a tenant of its hash', async () => {
    const own = await startGuarded('');
    const { caller } = await send({ headers: { authorization: 'Bearer sk-mine' } }, portOf(own));
    expect(caller).toEqual({
      tenant: `key-${hashOf('sk-mine').slice(0, 32)}`,
      keyId: 'anonymous',
      scopes: ['proxy', 'read', 'admin'],
    });
    expect((await send({ headers: { authorization: '' } }, portOf(own))).status).toBe(401);
    own.close().closeAllConnections();
  });

  test('a shared tenant is everybody’s on this machine', async () => {
    const own = await startGuarded('sharedTenant: local');
    expect((await send({ headers: { authorization: '' } }, portOf(own))).caller).toMatchObject({ tenant: 'local' });
    expect((await send({ headers: { origin: 'http://evil.example' } }, portOf(own))).status).toBe(403);
    own.close().closeAllConnections();
  });
});

test('an address has so many connections and no more', async () => {
  const own = await startGuarded('limits: { connectionsPerAddress: 3 }');
  const ask = `GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n`;
  const sockets = await Promise.all(
    Array.from({ length: 5 }, async () => {
      const socket = connect(portOf(own), '127.0.0.1');
      socket.write(ask);
      const [answer] = (await once(socket, 'data')) as [Buffer];
      return { socket, status: answer.toString('latin1').slice(9, 12) };
    }),
  );
  expect(sockets.map(({ status }) => status).sort()).toEqual(['200', '200', '200', '429', '429']);
  for (const { socket } of sockets) socket.destroy();
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(await sendRaw(portOf(own), `GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)).toMatch(
    /^HTTP\/1\.1 200/,
  );
  own.close().closeAllConnections();
});

describe('budgets', () => {
  const key: ClientKey = { id: 'ci', hash: '', tenant: 't', scopes: ['proxy'] };
  const caller = { tenant: 't', keyId: 'ci', scopes: ['proxy'] } as const;
  const used = (input: number): Exchange => ({ caller, usage: { input }, model: 'm' }) as unknown as Exchange;

  test('requests by the minute fill up again', () => {
    let now = 0;
    const keys = [{ ...key, budget: { requestsPerMinute: 2 } }];
    const ledger = createLedger({ now: () => now, pricesOf: () => undefined });
    expect([1, 2, 3].map(() => ledger.check(caller, keys)?.status)).toEqual([undefined, undefined, 429]);
    expect(ledger.check(caller, keys)?.retryAfterSeconds).toBe(30);
    now = 30_000;
    expect(ledger.check(caller, keys)).toBeUndefined();
  });

  test('what a request took too much is owed, and a clock that goes back gives nothing', () => {
    let now = 1e9;
    const keys = [{ ...key, budget: { tokensPerDay: 1000 } }];
    const ledger = createLedger({ now: () => now, pricesOf: () => undefined });
    ledger.spend(used(1500), keys);
    expect(ledger.check(caller, keys)).toMatchObject({ status: 429, message: expect.stringContaining('tokens') });
    now -= 5e8;
    expect(ledger.check(caller, keys)?.status).toBe(429);
    now += 0.4 * 86_400_000;
    expect(ledger.check(caller, keys)?.status).toBe(429);
    now += 0.2 * 86_400_000;
    expect(ledger.check(caller, keys)).toBeUndefined();
  });

  test('dollars go by the prices of the model; keys without a budget have none', () => {
    const keys = [{ ...key, budget: { dollarsPerDay: 1 } }];
    const ledger = createLedger({ now: () => 0, pricesOf: () => ({ input: 2, output: 8 }) });
    ledger.spend(used(400_000), keys);
    expect(ledger.check(caller, keys)).toBeUndefined();
    ledger.spend(used(200_000), keys);
    expect(ledger.check(caller, keys)?.status).toBe(429);
    expect(ledger.check({ ...caller, keyId: 'other' }, keys)).toBeUndefined();
  });

  test('requests that are under way at once do not all count on the same rest', () => {
    const keys = [{ ...key, budget: { tokensPerDay: 1000, dollarsPerDay: 1 } }];
    const ledger = createLedger({ now: () => 0, pricesOf: () => ({ input: 10, output: 10 }) });
    const holding = { caller, model: 'm', estimate: () => ({ input: 500, output: 100 }) };
    const holds = [1, 2, 3].map(() => ledger.hold(holding, keys));
    expect(holds.map((hold) => 'status' in hold && hold.status)).toEqual([false, false, 429]);
    expect(holds[2]).toMatchObject({ retryAfterSeconds: 1, message: expect.stringContaining('under way') });
    const [first] = holds;
    if (first !== undefined && 'adjust' in first) first.adjust({ input: 10 });
    expect(ledger.hold(holding, keys)).not.toHaveProperty('status');
    expect(ledger.hold(holding, keys)).toHaveProperty('status', 429);
  });

  test('what was set aside comes back when a request has ended, and what it took is gone', () => {
    const keys = [{ ...key, budget: { tokensPerDay: 1000 } }];
    const ledger = createLedger({ now: () => 0, pricesOf: () => undefined });
    const holding = { caller, model: 'm', estimate: () => ({ input: 5000 }) };
    for (let at = 0; at < 3; at += 1) {
      const hold = ledger.hold(holding, keys);
      expect(ledger.hold(holding, keys)).toHaveProperty('status', 429);
      ledger.spend(used(300), keys);
      if ('release' in hold) hold.release();
    }
    expect(ledger.hold(holding, keys)).not.toHaveProperty('status');
    ledger.spend(used(300), keys);
    expect(ledger.check(caller, keys)?.status).toBe(429);
  });
});
