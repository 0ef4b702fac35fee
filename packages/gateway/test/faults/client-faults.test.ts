import { connect } from 'node:net';
import zlib from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hashOf } from '../../src/config/load.ts';
import { sendRaw } from '../guard/server.ts';
import type { Json } from '../upstream/index.ts';
import { type Ask, ask, DIALECTS, errorIn, PATHS, type Running, run } from './running.ts';

let running: Running;
const portOf = (): number => Number(new URL(running.url).port);

beforeAll(async () => {
  const keys = `keys: [{ id: ci, hash: ${hashOf('test-key')}, scopes: [proxy], budget: { requestsPerMinute: 1000 } }, { id: poor, hash: ${hashOf('poor-key')}, scopes: [proxy], budget: { requestsPerMinute: 1 } }, { id: thrifty, hash: ${hashOf('thrifty-key')}, scopes: [proxy], budget: { requestsPerMinute: 2 } }, { id: spent, hash: ${hashOf('spent-key')}, scopes: [proxy], budget: { requestsPerMinute: 1 } }, { id: reader, hash: ${hashOf('read-key')}, scopes: [read] }]`;
  running = await run({
    yaml: `timeouts: { header: 300, body: 600 }\nlimits: { bodyBytes: 50000, depth: 64 }\n${keys}`,
    env: { UPSTREAM_KEY: 'upstream-key' },
    upstream: { keys: ['upstream-key'], paceMs: 20 },
  });
});
afterAll(() => running.stop());

const withKey = (key: string): Record<string, string> => ({ authorization: `Bearer ${key}`, 'x-goog-api-key': key });

const listed = (messages: string): string =>
  `{"messages":[${messages}],"input":[${messages}],"contents":[${messages}]}`;

describe.each(DIALECTS)('%s', (dialect) => {
  test.each<[string, Ask, number, RegExp]>([
    ['a wrong key', { headers: withKey('wrong') }, 401, /missing or not valid/],
    ['a key without the scope', { headers: withKey('read-key') }, 403, /lacks the scope proxy/],
    ['a body too large', { body: `{"x":"${'x'.repeat(60_000)}"}` }, 413, /larger than 50000 bytes/],
    ['a bomb', { headers: { 'content-encoding': 'gzip' }, body: zlib.gzipSync(Buffer.alloc(1e7, ' ')) }, 413, /larger/],
    ['no JSON', { body: '{"model":' }, 400, /not valid JSON.*at character \d+/],
    ['no object', { body: '[]' }, 400, /not valid JSON/],
    ['a key twice', { body: '{"model":"a","model":"b","messages":[],"input":[],"contents":[]}' }, 400, /"model" twice/],
    [
      'a key twice in a message',
      { body: listed('{"role":"user","role":"system"}') },
      400,
      /"role" twice, at byte \d+, in \/\w+\/0/,
    ],
    ['a message that is no JSON', { body: listed('{bad}') }, 400, /not valid JSON.*at character \d+/],
    ['a later one', { body: listed('{"role":"user","content":"a"},{"role":user}') }, 400, /not valid JSON.*, in \/\w+/],
    [
      'a member that is no JSON',
      { body: '{"temperature":tru,"messages":[],"input":[],"contents":[]}' },
      400,
      /not valid JSON/,
    ],
    ['depth', { body: `{"a":${'['.repeat(10_000)}${']'.repeat(10_000)}}` }, 400, /more than 64 deep/],
    ['no UTF-8', { body: Buffer.from([123, 34, 0xff, 34, 58, 49, 125]) }, 400, /not valid UTF-8 at byte 2/],
    ['half a pair', { body: '{"model":"\\ud800"}' }, 400, /surrogate pair at byte 10, in \/model/],
    [
      'an address',
      { body: '{"model":"m","base_url":"http://169.254.169.254","messages":[]}' },
      400,
      /upstreams are those of the configuration/,
    ],
    ['plain text', { headers: { 'content-type': 'text/plain' } }, 415, /application\/json/],
    ['a page of another origin', { headers: { origin: 'https://evil.example' } }, 403, /other origins/],
    ['a header that is none', { headers: { 'x-epitome-windw': '1' } }, 400, /x-epitome-windw.* is no header/],
    ['a header out of range', { headers: { 'x-epitome-window': '3' } }, 400, /x-epitome-window is "3"; it takes/],
  ])('%s is refused in its own dialect', async (_what, asked, status, said) => {
    const before = running.upstream.requests.length;
    const response = await ask(running.url, dialect, asked);
    const text = await response.text();
    expect(response.status).toBe(status);
    expect(errorIn(dialect, JSON.parse(text) as Json)).toMatch(said);
    expect(text).not.toMatch(/\bat .*\.[tj]s:\d+|node_modules|Error:/);
    expect(response.headers.get('x-epitome-status')).toMatch(/^refused; reason=[a-z-]+$/);
    expect(running.upstream.requests).toHaveLength(before);
  });

  test('a body that never comes: 408 in its own dialect', async () => {
    const head = `Host: 127.0.0.1:${portOf()}\r\nAuthorization: Bearer test-key\r\nContent-Type: application/json`;
    const answer = await sendRaw(
      portOf(),
      `POST ${PATHS[dialect]} HTTP/1.1\r\n${head}\r\nContent-Length: 900\r\n\r\n{"model":`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    const body = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n'))) as Json;
    expect(errorIn(dialect, body)).toMatch(/^The body did not arrive in time; /);
  });

  test('a client that goes takes its upstream request with it', async () => {
    const gone = new AbortController();
    const response = await ask(running.url, dialect, { stream: true, signal: gone.signal });
    await response.body?.getReader().read();
    const seen = running.upstream.requests.at(-1);
    gone.abort();
    await expect.poll(() => seen?.isAborted, { timeout: 3000 }).toBe(true);
    await expect.poll(() => running.lines.at(-1), { timeout: 3000 }).toContain('"end":"gone"');
  });

  test('the client’s key stops here; the upstream is sent its own', async () => {
    expect((await ask(running.url, dialect)).status).toBe(200);
    const seen = running.upstream.requests.at(-1);
    expect(JSON.stringify(seen?.headers)).not.toContain('test-key');
    expect(JSON.stringify(seen?.headers)).toContain('upstream-key');
  });
});

test('a key that has no requests left waits', async () => {
  const first = await ask(running.url, 'openai-chat', { headers: withKey('poor-key') });
  const second = await ask(running.url, 'openai-chat', { headers: withKey('poor-key') });
  expect([first.status, second.status]).toEqual([200, 429]);
  expect(Number(second.headers.get('retry-after'))).toBeGreaterThan(0);
});

test.each<[string, string, RegExp]>([
  ['/v1/chat/completions', 'POST', /^refused; reason=budget-spent$/],
  ['/v1/models', 'GET', /^refused; reason=budget-spent$/],
  ['/compact', 'POST', /^refused; reason=budget-spent$/],
])('%s: a 429 of ours is told from one of the provider', async (path, method, said) => {
  const body = method === 'POST' ? { body: '{"model":"m","messages":[{"role":"user","content":"a"}]}' } : {};
  const headers = { ...withKey('spent-key'), 'content-type': 'application/json' };
  const send = (): Promise<Response> => fetch(`${running.url}${path}`, { method, headers, ...body });
  await send();
  const ours = await send();
  expect([ours.status, ours.headers.get('x-epitome-status')]).toEqual([429, expect.stringMatching(said)]);
  running.upstream.inject([{ kind: 'rate-limit' }]);
  const theirs = await ask(running.url, 'openai-chat');
  expect([theirs.status, theirs.headers.get('x-epitome-status')]).toEqual([429, expect.stringMatching(/^kept/)]);
});

test.each([
  ['/v1/conversations', 403, 'missing-scope'],
  ['/healthz', 405, 'wrong-method'],
])('%s: a refusal on a path of our own says so as well', async (path, status, code) => {
  const method = path === '/healthz' ? 'DELETE' : 'GET';
  const response = await fetch(`${running.url}${path}`, { method, headers: withKey('test-key') });
  expect([response.status, response.headers.get('x-epitome-status')]).toEqual([status, `refused; reason=${code}`]);
});

test('what never became a request is refused with the same words', async () => {
  expect(await sendRaw(portOf(), 'nonsense\r\n\r\n')).toContain('x-epitome-status: refused; reason=bad-request\r\n');
});

describe.each(DIALECTS)('%s: what Node would have refused on its own, with an empty body', (dialect) => {
  test.each<[string, string, number, string]>([
    ['no Host', '', 400, 'bad-headers'],
    ['an Expect that nobody knows', 'Host: 127.0.0.1\r\nExpect: magic\r\n', 417, 'unknown-expectation'],
  ])('%s is refused in the dialect', async (_what, head, status, code) => {
    const answer = await sendRaw(portOf(), `POST ${PATHS[dialect]} HTTP/1.1\r\n${head}Connection: close\r\n\r\n`);
    expect(answer).toContain(`HTTP/1.1 ${status} `);
    expect(answer).toContain(`x-epitome-status: refused; reason=${code}\r\n`);
    expect(errorIn(dialect, JSON.parse(answer.slice(answer.indexOf('\r\n\r\n'))) as Json)).toMatch(/host|expect/);
  });
});

test('paths that are passed through count like the others', async () => {
  const headers = { authorization: 'Bearer thrifty-key' };
  const answers = [];
  for (let at = 0; at < 3; at += 1) answers.push((await fetch(`${running.url}/v1/models`, { headers })).status);
  expect(answers).toEqual([200, 200, 429]);
});

test.each(['key', '%6bey', 'k%65y'])('a client key in the query as %s stops here', async (name) => {
  const response = await fetch(`${running.url}/v1beta/models?${name}=test-key&pageSize=2`);
  expect(response.status).toBe(200);
  expect(running.upstream.requests.at(-1)?.path).toBe('/v1beta/models?pageSize=2');
});

test('a method that no provider has is not passed on', async () => {
  const before = running.upstream.requests.length;
  const response = await fetch(`${running.url}/v1/models`, { method: 'PROPFIND', headers: withKey('test-key') });
  expect(response.status).toBe(405);
  expect(running.upstream.requests).toHaveLength(before);
});

test('a client that offers HTTP/2 in passing is served', async () => {
  const text = '{"model":"m","messages":[{"role":"user","content":"hello"}]}';
  const answer = await sendRaw(
    portOf(),
    `POST /v1/chat/completions HTTP/1.1\r\nHost: 127.0.0.1:${portOf()}\r\nConnection: Upgrade, HTTP2-Settings, close\r\nUpgrade: h2c\r\nHTTP2-Settings: AAEAAEAAAAIAAAABAAMAAABkAAQBAAAAAAUAAEAA\r\nAuthorization: Bearer test-key\r\nContent-Type: application/json\r\nContent-Length: ${text.length}\r\n\r\n${text}`,
  );
  expect(answer).toMatch(/^HTTP\/1\.1 200 /);
});

test.each([
  ['headers that never end', `POST /v1/messages HTTP/1.1\r\nHost: x\r\n`],
  ['one header, and then nothing', `POST /v1/messages HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n`],
])('%s: 408', async (_what, text) => {
  const answer = await new Promise<string>((resolve) => {
    let all = '';
    const socket = connect(portOf(), '127.0.0.1', () => socket.write(text));
    socket.on('data', (chunk) => {
      all += chunk;
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(all));
  });
  expect(answer).toMatch(/^HTTP\/1\.1 408 /);
});

test.each([
  ['//v1/chat/completions', 400],
  ['/v1/%2e%2e/metrics', 400],
  ['/v1/..%2fmetrics', 400],
  ['/v1/./models', 400],
  ['/metrics', 403],
  ['/v1/conversations', 403],
])('%s: %i, however it is written', async (path, status) => {
  const raw = await sendRaw(
    portOf(),
    `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${portOf()}\r\nAuthorization: Bearer test-key\r\nConnection: close\r\n\r\n`,
  );
  expect(raw).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  const without = await sendRaw(
    portOf(),
    `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${portOf()}\r\nConnection: close\r\n\r\n`,
  );
  expect(without).toMatch(/^HTTP\/1\.1 401 /);
});

test('what an upstream is sent has no header that a client could smuggle in', async () => {
  const headers = {
    'x-forwarded-for': '1.2.3.4',
    cookie: 'a=b',
    'x-epitome-goal': 'ship',
    'proxy-authorization': 'Basic x',
    'x-custom': 'y',
    forwarded: 'for=x',
  };
  expect((await ask(running.url, 'openai-chat', { headers })).status).toBe(200);
  const names = Object.keys(running.upstream.requests.at(-1)?.headers ?? {});
  for (const name of Object.keys(headers)) expect(names).not.toContain(name);
});
