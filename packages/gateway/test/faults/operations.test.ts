import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sqliteStore } from '@epitome/store/sqlite';
import { trace } from '@opentelemetry/api';
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import type { Ports } from 'epitome';
import { afterEach, expect, test } from 'vitest';
import { hashOf } from '../../src/config/load.ts';
import type { Json } from '../upstream/index.ts';
import { ask, DIALECTS, historyOf, type Running, run } from './running.ts';

let running: Running | undefined;
let folder = '';
afterEach(async () => {
  await running?.stop();
  running = undefined;
  if (folder !== '') rmSync(folder, { recursive: true, force: true });
  folder = '';
});

const started = async (...given: Parameters<typeof run>): Promise<Running> => {
  running = await run(...given);
  return running;
};

const bytesIn = (place: string): string =>
  readdirSync(place)
    .map((name) => readFileSync(join(place, name), 'latin1'))
    .join('\n');

test('no key of a client or an upstream is in any log, answer, figure or file of the store', async () => {
  const client = 'sk-client-canary-Aa1Bb2Cc3Dd4Ee5Ff6';
  const upstreamKey = 'sk-ant-api03-upstream-canary-Zz9Yy8Xx7Ww6Vv5Uu4Tt3';
  folder = mkdtempSync(join(tmpdir(), 'epitome-canary-'));
  const { url, upstream, lines, store } = await started({
    store: await sqliteStore(join(folder, 'e.db')),
    yaml: `keys: [{ id: ci, hash: ${hashOf(client)}, scopes: [proxy, read, admin] }]\npolicies: [{ window: 6000 }]\ntimeouts: { upstream: 300 }`,
    env: { UPSTREAM_KEY: upstreamKey },
    upstream: { window: 6000 },
  });
  const headers = { authorization: `Bearer ${client}`, 'x-goog-api-key': client };
  const texts: string[] = [];
  const keep = async (response: Response): Promise<void> => {
    texts.push(await response.text().catch(() => ''), JSON.stringify([...response.headers]));
  };
  for (const dialect of DIALECTS) {
    for (const turns of [2, 40]) await keep(await ask(url, dialect, { messages: historyOf(dialect, turns), headers }));
    await keep(await ask(url, dialect, { stream: true, headers }));
    for (const kind of ['reset', 'server-error', 'timeout', 'malformed'] as const) {
      upstream.inject([{ kind }]);
      await keep(await ask(url, dialect, { headers }));
    }
    await keep(await ask(url, dialect, { body: `{"x": ${client}`, headers }));
    await keep(await ask(url, dialect, { headers: { authorization: `Bearer ${client}x` } }));
  }
  await keep(
    await fetch(`${url}/v1beta/models/m:generateContent?key=${client}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    }),
  );
  for (const path of ['/metrics', '/v1/conversations', '/openapi.json', '/healthz', '/nowhere'])
    await keep(await fetch(`${url}${path}`, { headers }));
  await store.close();
  const everything = [...texts, ...lines, bytesIn(folder), process.argv.join(' ')].join('\n');
  expect(lines.length).toBeGreaterThan(30);
  expect(everything).not.toContain(client);
  expect(everything).not.toContain(upstreamKey);
  expect(lines.join('')).not.toMatch(/Question|word word|fine fine/);
});

test('a key of the caller goes through to the provider and is kept nowhere', async () => {
  const own = 'sk-proj-own-canary-0123456789abcdefABCDEF';
  folder = mkdtempSync(join(tmpdir(), 'epitome-own-'));
  const { url, upstream, lines, store } = await started({ store: await sqliteStore(join(folder, 'e.db')) });
  await ask(url, 'openai-chat', { headers: { authorization: `Bearer ${own}` } });
  expect(upstream.requests[0]?.headers.authorization).toBe(`Bearer ${own}`);
  await store.close();
  expect([...lines, bytesIn(folder)].join('\n')).not.toContain(own);
});

test('a new configuration holds from the next request on, and streams under way go on', async () => {
  const { url, gateway, configOf } = await started({
    upstream: { paceMs: 15, reply: () => ({ text: 'word '.repeat(60) }) },
  });
  const slow = await ask(url, 'openai-chat', { stream: true });
  const env = { UPSTREAM_KEY: 'k' };
  gateway.reload(configOf(`keys: [{ id: new, hash: ${hashOf('new-key')} }]`, env));
  expect((await ask(url, 'openai-chat')).status).toBe(401);
  expect((await ask(url, 'openai-chat', { headers: { authorization: 'Bearer new-key' } })).status).toBe(200);
  expect(await slow.text()).toContain('[DONE]');
});

test('other timeouts in a new configuration hold for upstreams and for clients', async () => {
  const { url, gateway, upstream, configOf } = await started();
  await ask(url, 'openai-chat');
  gateway.reload(configOf('timeouts: { upstream: 200ms, header: 200ms }'));
  upstream.inject([{ kind: 'timeout' }]);
  expect((await ask(url, 'openai-chat')).status).toBe(504);
  const slow = connect(Number(new URL(url).port), '127.0.0.1');
  slow.write('POST /v1/messages HTTP/1.1\r\n');
  const [heard] = await once(slow, 'data');
  expect(String(heard)).toContain('408 Request Timeout');
});

test('another summarizer in a new configuration is asked from then on', async () => {
  const asked: string[] = [];
  const named = (name: string) => async () => {
    asked.push(name);
    return { text: '<state_snapshot><overall_goal>Look at the parts.</overall_goal></state_snapshot>' };
  };
  const { url, gateway, configOf } = await started({ engine: { summarizer: named('old') } });
  const force = { messages: historyOf('openai-chat', 30), headers: { 'x-epitome-force': 'true' } };
  await ask(url, 'openai-chat', force);
  gateway.reload(configOf(''), { summarizer: named('new') });
  await ask(url, 'anthropic', { ...force, messages: historyOf('anthropic', 30) });
  expect([...new Set(asked)]).toEqual(['old', 'new']);
});

test('figures, health and readiness are told, each to whom they are for', async () => {
  const { url } = await started();
  await ask(url, 'anthropic', { messages: historyOf('anthropic', 3) });
  expect(await (await fetch(`${url}/healthz`)).json()).toEqual({ status: 'ok' });
  expect(await (await fetch(`${url}/readyz`)).json()).toEqual({ status: 'ok' });
  expect((await fetch(`${url}/metrics`)).status).toBe(401);
  expect((await fetch(`${url}//metrics`, { headers: { authorization: 'Bearer x' } })).status).toBe(400);
  const metrics = await (await fetch(`${url}/metrics`, { headers: { authorization: 'Bearer x' } })).text();
  expect(metrics).toContain('epitome_requests_total{dialect="anthropic",upstream="local",status="200",turn="kept"} 1');
  expect(metrics).toMatch(/epitome_tokens_total\{dialect="anthropic",upstream="local",type="input"\} \d{3}/);
  expect(metrics).toContain('epitome_refused_total{code="unauthorized"} 1');
  expect(metrics).toContain('epitome_refused_total{code="bad-path"} 1');
});

test('whatever becomes of a request, it is no longer under way afterwards', async () => {
  const { url, lines } = await started({ upstream: { paceMs: 50 } });
  await ask(url, 'openai-chat', { body: '{"messages":[{bad}]}' });
  const { host, port } = new URL(url);
  const cut = connect(Number(port), '127.0.0.1');
  cut.write(`POST /v1/messages HTTP/1.1\r\nHost: ${host}\r\nX-Api-Key: test-key\r\nContent-Type: application/json\r\n`);
  cut.write('Content-Length: 90\r\n\r\n{"model":');
  const gone = new AbortController();
  const streaming = ask(url, 'openai-chat', { stream: true, signal: gone.signal });
  await (await streaming).body?.getReader().read();
  gone.abort();
  cut.destroy();
  await expect
    .poll(() => lines.filter((line) => line.includes('"message":"request"')).length, { timeout: 3000 })
    .toBe(3);
  const figures = await (await fetch(`${url}/metrics`, { headers: { authorization: 'Bearer test-key' } })).text();
  expect(figures).toContain('epitome_requests_in_flight 1\n');
});

test('what a summary takes counts for the key that needed it', async () => {
  const summarizer = async () => ({
    text: '<state_snapshot><overall_goal>Look at the parts.</overall_goal></state_snapshot>',
    usage: { inputTokens: 90_000, outputTokens: 20_000 },
    finish: 'stop',
  });
  const { url } = await started({
    yaml: `policies: [{ window: 6000 }]\nkeys: [{ id: ci, hash: ${hashOf('test-key')}, scopes: [proxy], budget: { tokensPerDay: 100k } }]`,
    env: { UPSTREAM_KEY: 'k' },
    engine: { summarizer },
  });
  const messages = historyOf('openai-chat', 40);
  expect((await ask(url, 'openai-chat', { messages })).status).toBe(200);
  expect((await ask(url, 'openai-chat', { messages })).status).toBe(429);
});

test('what a model was asked before its client went counts for their key', async () => {
  const client = new AbortController();
  const asked: string[] = [];
  const summarizer: Ports['summarizer'] = async ({ purpose }, signal) => {
    asked.push(purpose);
    const part = { text: 'Look at the parts of src.', usage: { inputTokens: 90_000, outputTokens: 20_000 } };
    if (purpose !== 'merge') return part;
    client.abort();
    return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  };
  const { url } = await started({
    yaml: `policies: [{ window: 6000 }]\nkeys: [{ id: ci, hash: ${hashOf('test-key')}, scopes: [proxy], budget: { tokensPerDay: 100k } }]`,
    env: { UPSTREAM_KEY: 'k' },
    engine: { summarizer },
  });
  const messages = historyOf('openai-chat', 40);
  await expect(ask(url, 'openai-chat', { messages, signal: client.signal })).rejects.toThrow();
  expect(asked).toEqual(['chunk', 'chunk', 'merge']);
  await expect.poll(async () => (await ask(url, 'openai-chat')).status).toBe(429);
});

test('a compaction is a span below that of its request', async () => {
  const exporter = new InMemorySpanExporter();
  trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }));
  const { url } = await started({ yaml: 'policies: [{ window: 6000 }]', upstream: { window: 6000 } });
  await ask(url, 'openai-chat', { messages: historyOf('openai-chat', 40) });
  await expect.poll(() => exporter.getFinishedSpans().length, { timeout: 3000 }).toBe(2);
  const [inner, outer] = exporter.getFinishedSpans();
  expect([inner?.name, outer?.name]).toEqual(['compact epitome', 'chat']);
  expect(inner?.parentSpanContext?.spanId).toBe(outer?.spanContext().spanId);
  expect(outer?.attributes['gen_ai.conversation.compacted']).toBe(true);
  trace.disable();
});

test('what is undone over the API is undone for the next request, and redone', async () => {
  const { url, upstream } = await started({ yaml: 'policies: [{ window: 6000 }]' });
  const messages = historyOf('openai-chat', 40);
  const first = await ask(url, 'openai-chat', { messages });
  expect(first.headers.get('x-epitome-status')).toMatch(/^compacted/);
  const id = first.headers.get('x-epitome-conversation') ?? '';
  const branch = decodeURIComponent(first.headers.get('x-epitome-branch') ?? 'main');
  const headers = { authorization: 'Bearer test-key', 'content-type': 'application/json' };
  const post = (verb: string): Promise<Response> =>
    fetch(`${url}/v1/conversations/${id}/${verb}`, { method: 'POST', headers, body: JSON.stringify({ branch }) });
  const shown = (): number => upstream.requests.at(-1)?.units.length ?? 0;
  const compacted = shown();
  expect((await post('undo')).status).toBe(200);
  await ask(url, 'openai-chat', { messages, headers: { 'x-epitome-window': '100k' } });
  expect(shown()).toBe(messages.length);
  expect((await post('redo')).status).toBe(200);
  await ask(url, 'openai-chat', { messages, headers: { 'x-epitome-window': '100k' } });
  expect(shown()).toBe(compacted);
  const detail = (await (
    await fetch(`${url}/v1/conversations/${id}/records/${first.headers.get('x-epitome-record')}`, { headers })
  ).json()) as Json;
  expect(detail).toMatchObject({ kind: 'compaction', state: 'completed' });
});

test('what was undone stays undone until the conversation has grown, though it is over the trigger (law 16)', async () => {
  const { url, upstream } = await started({ yaml: 'policies: [{ window: 12000 }]' });
  const all = historyOf('openai-chat', 80);
  const turn = async (turns: number): Promise<Headers> =>
    (await ask(url, 'openai-chat', { messages: all.slice(0, turns * 2 + 1) })).headers;
  let turns = 20;
  let told = await turn(turns);
  for (; !told.get('x-epitome-status')?.startsWith('compacted'); turns += 1) told = await turn(turns + 1);
  const body = JSON.stringify({ branch: decodeURIComponent(told.get('x-epitome-branch') ?? 'main') });
  const headers = { authorization: 'Bearer test-key', 'content-type': 'application/json' };
  await fetch(`${url}/v1/conversations/${told.get('x-epitome-conversation')}/undo`, { method: 'POST', headers, body });
  const reasons: unknown[] = [];
  for (const grown of [0, 1, 2]) {
    reasons.push((await turn(turns + grown)).get('x-epitome-status'));
    expect(upstream.requests.at(-1)?.units).toHaveLength((turns + grown) * 2 + 1);
  }
  expect(reasons.at(-1)).toBe('kept; reason=no-growth');
  expect((await turn(turns + 6)).get('x-epitome-status')).toBe('compacted; reason=utilization');
});

test('a stop waits for streams under way and takes nothing new', async () => {
  const { url, gateway } = await started({ upstream: { paceMs: 20, reply: () => ({ text: 'word '.repeat(60) }) } });
  const stream = await ask(url, 'anthropic', { stream: true });
  const closing = gateway.close();
  await expect(fetch(`${url}/healthz`)).rejects.toThrow();
  expect(await stream.text()).toContain('message_stop');
  await closing;
});
