import { afterEach, describe, expect, test } from 'vitest';
import { routeOf } from '../src/dialects/route.ts';
import type { Upstream } from '../src/model/dialect.ts';
import { headersFrom, headersTo, queryTo } from '../src/upstream/headers.ts';
import { historyOf, type Running, run } from './faults/running.ts';
import { type Upstream as Server, startUpstream } from './upstream/index.ts';

const upstreamOf = (name: string, ...dialects: Upstream['dialects']): Upstream => ({
  name,
  baseUrl: `https://${name}.example`,
  dialects,
});
const THREE = [
  upstreamOf('openai', 'openai-chat', 'openai-responses'),
  upstreamOf('anthropic', 'anthropic'),
  upstreamOf('gemini', 'gemini'),
];

const POSTED = { method: 'POST', headers: {} };

test.each([
  ['/v1/chat/completions', 'openai', 'turn', 'openai-chat'],
  ['/v1/responses', 'openai', 'turn', 'openai-responses'],
  ['/v1/messages', 'anthropic', 'turn', 'anthropic'],
  ['/v1beta/models/m:generateContent', 'gemini', 'turn', 'gemini'],
  ['/v1beta/openai/chat/completions', 'gemini', 'turn', 'openai-chat'],
  ['/gemini/v1beta/openai/chat/completions', 'gemini', 'turn', 'openai-chat'],
  ['/v1beta/openai/embeddings', 'gemini', 'pass', 'openai-chat'],
  ['/v1beta/openai/responses', 'gemini', 'pass', 'openai-responses'],
  ['/v1beta/chat/completions', 'gemini', 'pass', 'openai-chat'],
  ['/openai/v1beta/chat/completions', 'openai', 'turn', 'openai-chat'],
])('%s goes to %s as a %s of %s', (path, name, kind, dialect) => {
  expect(routeOf({ ...POSTED, path }, THREE)).toMatchObject({ upstream: { name }, kind, dialect });
});

test('a path of Google goes to nobody where no upstream speaks Gemini', () => {
  expect(routeOf({ ...POSTED, path: '/v1beta/openai/chat/completions' }, THREE.slice(0, 2))).toBeUndefined();
});

const posted = async (url: string, path: string, headers = {}): Promise<Response> =>
  fetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer secret-key', ...headers },
    body: JSON.stringify({
      model: 'test-model',
      max_tokens: 9,
      messages: [{ role: 'user', content: 'private words' }],
    }),
  });

test("an upstream's leave for pages of any origin is not passed on", () => {
  const allowed = { 'access-control-allow-origin': '*', 'access-control-expose-headers': 'x', etag: 'e' };
  expect(headersFrom(allowed)).toEqual({ etag: 'e' });
});

describe('a mistyped name of an upstream', () => {
  test.each([
    ['/locla/v1/chat/completions', {}, /"code":"unknown-upstream"/],
    ['/locl/chat/completions', {}, /"code":"unknown-upstream"/],
    ['/Local/v1/messages', {}, /"type":"error","error":\{"type":"not_found_error"/],
    ['/gemni/v1beta/models/m:generateContent', {}, /"status":"NOT_FOUND"/],
    ['/locale/v1/files', { 'anthropic-version': '2023-06-01' }, /"type":"not_found_error"/],
    ['/gemimi/embeddings', {}, /"code":"unknown-upstream"/],
  ] as const)(
    'in %s takes conversation and key to nobody, and is told in its protocol',
    async (path, headers, shape) => {
      const other = await startUpstream({});
      const local = await startUpstream({});
      const yaml = `upstreams: [{ name: local, baseUrl: "${local.url}", dialects: [openai-chat, anthropic] }, { name: gemini, baseUrl: "${other.url}", dialects: [gemini] }]`;
      const running = await run({ yaml });
      const response = await posted(running.url, path, headers);
      const text = await response.text();
      expect([response.status, local.requests, other.requests]).toEqual([404, [], []]);
      expect(text).toMatch(/No upstream is called .{0,2}\w+.{0,2}; there are local, gemini/);
      expect(text).toMatch(shape);
      expect(response.headers.get('x-epitome-status')).toBe('refused; reason=unknown-upstream');
      await running.stop();
      await other.close();
      await local.close();
    },
  );

  test.each([
    ['/compatibility/v1/chat/completions', 'openai'],
    ['/beta/chat/completions', 'openai'],
    ['/zen/v1/messages', 'anthropic'],
    ['/serving-endpoints/chat/completions', 'openai'],
    ['/client/v4/accounts/a/ai/v1/chat/completions', 'openai'],
    ['/deployments/gpt-4o/chat/completions', 'openai'],
    ['/publishers/google/models/x:generateContent', 'gemini'],
    ['/llm/v1/responses', 'openai'],
  ])('is not what the path of a provider begins with: %s goes to %s', (path, name) => {
    expect(routeOf({ ...POSTED, path }, THREE)).toMatchObject({ kind: 'turn', upstream: { name }, path });
  });

  test('is not a word of a provider, however near a name is', () => {
    const upstreams = [upstreamOf('oai', 'openai-chat'), upstreamOf('modal', 'openai-chat')];
    for (const path of ['/ai/v1/chat/completions', '/model/chat/completions', '/models/x'])
      expect(routeOf({ ...POSTED, path }, upstreams)).toMatchObject({ upstream: { name: 'oai' }, path });
    expect(routeOf({ ...POSTED, path: '/aoi/v1/chat/completions' }, upstreams)).toBeUndefined();
  });

  test('cannot be told where there is one upstream, to which alone a key could go', () => {
    const path = '/opnai/v1/chat/completions';
    expect(routeOf({ ...POSTED, path }, THREE.slice(0, 1))).toMatchObject({ kind: 'turn', path });
  });

  test.each([
    ['/openai/v1/chat/completions', 'anthropic'],
    ['/api/v1/chat/completions', 'openai'],
    ['/inference/v1/chat/completions', 'openai'],
    ['/chat/completions', 'openai'],
    ['/anthropic/v1/messages', 'openai'],
    ['/api/paas/v4/chat/completions', 'openai'],
    ['/openai/deployments/x/chat/completions', 'anthropic'],
  ])('is not what %s begins with: servers have such paths', (path, without) => {
    const upstreams = THREE.filter(({ name }) => name !== without);
    const all = upstreamOf('all', 'openai-chat', 'anthropic');
    expect(routeOf({ ...POSTED, path }, [...upstreams, all])).toMatchObject({ kind: 'turn' });
  });
});

describe('a path that is no conversation, behind an exempt front, was a 404', () => {
  const oai = upstreamOf('oai', 'openai-chat', 'openai-responses');
  const ant = upstreamOf('ant', 'anthropic');
  const gem = upstreamOf('gem', 'gemini');
  const CLAUDE = { 'anthropic-version': '2023-06-01' };

  test.each([
    ['GET', '/openai/v1/models', oai, {}],
    ['GET', '/api/v1/models', oai, {}],
    ['GET', '/compatible-mode/v1/models', oai, {}],
    ['GET', '/inference/v1/models', oai, {}],
    ['GET', '/backend-api/codex/models', oai, {}],
    ['GET', '/models', oai, {}],
    ['POST', '/embeddings', oai, {}],
    ['POST', '/openai/v1/embeddings', oai, {}],
    ['POST', '/openai/deployments/e/embeddings', oai, {}],
    ['GET', '/openai/v1/responses/resp_1', oai, {}],
    ['GET', '/v2/models', oai, {}],
    ['GET', '/anthropic/v1/models', ant, CLAUDE],
    ['GET', '/anthropic/v1/models', ant, {}],
    ['POST', '/zen/v1/messages/batches', ant, {}],
    ['POST', '/upload/v1beta/files', gem, {}],
    ['GET', '/download/v1beta/files/x:download', gem, {}],
    ['GET', '/gateway/v1beta/models', gem, {}],
    ['GET', '/ant/v1/models', ant, {}],
  ])('%s %s goes to its upstream', (method, path, upstream, headers) => {
    const [, first = ''] = path.split('/');
    const rest = first === upstream.name ? path.slice(first.length + 1) : path;
    expect(routeOf({ method, path, headers }, [oai, ant, gem])).toMatchObject({ kind: 'pass', upstream, path: rest });
  });

  test.each([
    [upstreamOf('only', 'openai-chat'), '/openai/v1/responses/resp_1', 'openai-responses'],
    [upstreamOf('only', 'openai-responses'), '/openai/v1/models', 'openai-responses'],
    // Its configured key goes where this protocol has it, not where OpenAI's has.
    [upstreamOf('only', 'anthropic'), '/api/v1/models', undefined],
    [upstreamOf('only', 'gemini'), '/models', undefined],
  ])('with one upstream alone: %o %s', (only, path, dialect) => {
    const route = routeOf({ method: 'GET', path, headers: {} }, [only]);
    expect([route?.kind, route?.upstream, route?.dialect]).toEqual(['pass', only, dialect]);
  });

  test.each([
    ['/upload/v1beta/files', {}],
    ['/api/v1/models', { 'x-goog-api-key': 'k' }],
    ['/api/v1/models', CLAUDE],
    ['/anthropic/v1/models', {}],
  ])('but %s of a provider that is not configured takes its key to nobody', (path, headers) => {
    expect(routeOf({ method: 'GET', path, headers }, [oai])).toBeUndefined();
  });
});

describe("a caller's own key", () => {
  const PLACES = ['authorization', 'x-api-key', 'x-goog-api-key', 'api-key'] as const;
  const [openai, anthropic, gemini] = THREE;
  const all = upstreamOf('all', 'openai-chat', 'openai-responses', 'anthropic', 'gemini');

  test.each([
    [openai, ['authorization', 'api-key'], 'v=1'],
    [anthropic, ['authorization', 'x-api-key'], 'v=1'],
    [gemini, ['authorization', 'x-goog-api-key'], 'key=k&v=1'],
    [all, PLACES, 'key=k&v=1'],
  ] as const)('goes to $name only from where its clients put it', (upstream, places, query) => {
    const sending = { upstream: upstream ?? all, dialect: undefined, keys: 'caller', encoding: 'plain' } as const;
    const sent = headersTo(Object.fromEntries(PLACES.map((name) => [name, 'k'])), sending);
    expect(PLACES.filter((name) => name in sent).sort()).toEqual([...places].sort());
    expect(queryTo('key=k&v=1', sending)).toBe(query);
  });

  test('that comes as for another provider is sent to nobody', async () => {
    const openai = await startUpstream({});
    const yaml = `upstreams: [{ name: openai, baseUrl: "${openai.url}", dialects: [openai-chat] }]`;
    const running = await run({ yaml });
    const headers = { 'content-type': 'application/json', 'x-goog-api-key': 'google-key' };
    const body = JSON.stringify({ model: 'test-model', messages: historyOf('openai-chat', 1) });
    const path = '/v1/chat/completions?key=google-key';
    const response = await fetch(`${running.url}${path}`, { method: 'POST', headers, body });
    const [seen] = openai.requests;
    expect(response.status).toBe(401);
    expect(JSON.stringify([seen?.path, seen?.headers])).not.toContain('google-key');
    await running.stop();
    await openai.close();
  });
});

describe('Chat Completions at Gemini', () => {
  let running: Running | undefined;
  let google: Server | undefined;
  afterEach(async () => {
    await running?.stop();
    await google?.close();
  });

  test('the key of its callers goes to no other host, and their histories are compacted', async () => {
    google = await startUpstream({ window: 6000 });
    const openai = await startUpstream({});
    const yaml = `policies: [{ window: 6000 }]
upstreams: [{ name: openai, baseUrl: "${openai.url}", dialects: [openai-chat] }, { name: gemini, baseUrl: "${google.url}", dialects: [gemini] }]`;
    running = await run({ yaml });
    const response = await fetch(`${running.url}/v1beta/openai/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer google-key' },
      body: JSON.stringify({ model: 'gemini-2.5-pro', messages: historyOf('openai-chat', 40) }),
    });
    expect(response.headers.get('x-epitome-status')).toMatch(/^compacted;/);
    const asked = google.requests.map(({ verdict, headers }) => [verdict, headers.authorization]);
    expect(asked).toEqual([['answered', 'Bearer google-key']]);
    expect(openai.requests).toEqual([]);
    await openai.close();
  });
});
