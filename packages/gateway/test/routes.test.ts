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
    ['/nope/v1/chat/completions', {}, /"code":"unknown-upstream"/],
    ['/nope/chat/completions', {}, /"code":"unknown-upstream"/],
    ['/nope/v1/messages', {}, /"type":"error","error":\{"type":"not_found_error"/],
    ['/nope/v1beta/models/m:generateContent', {}, /"status":"NOT_FOUND"/],
    ['/nope/v1/files', { 'anthropic-version': '2023-06-01' }, /"type":"not_found_error"/],
  ] as const)(
    'in %s takes conversation and key to nobody, and is told in its protocol',
    async (path, headers, shape) => {
      const running = await run();
      const response = await posted(running.url, path, headers);
      const text = await response.text();
      expect([response.status, running.upstream.requests]).toEqual([404, []]);
      expect(text).toMatch(/No upstream is called .{0,2}nope.{0,2}; there are local/);
      expect(text).toMatch(shape);
      expect(response.headers.get('x-epitome-status')).toBe('refused; reason=unknown-upstream');
      await running.stop();
    },
  );

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
