import { type Log, memoryStore, type Store, StoreError, type StoreErrorCode } from '@epitome/store';
import { afterEach, describe, expect, test } from 'vitest';
import { hashOf } from '../../src/config/load.ts';
import type { Json } from '../upstream/index.ts';
import { ask, historyOf, type Running, run } from './running.ts';

let running: Running | undefined;
afterEach(async () => {
  await running?.stop();
  running = undefined;
});

/** A store that fails from a moment on: a port of ours, in the hands of a bad disk. */
function failing(
  code: StoreErrorCode,
  reading: ReadonlySet<PropertyKey> = new Set(),
): { store: Store; fail: () => void; recover: () => void } {
  const inner = memoryStore();
  let isFailing = false;
  const guarded = (log: Log): Log =>
    new Proxy(log, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== 'function' || !isFailing || reading.has(name)) return value;
        return async () => {
          throw new StoreError(code, `The store is ${code}, at /secret/place/epitome.db.`);
        };
      },
    });
  return {
    store: { ...inner, forTenant: (tenant) => guarded(inner.forTenant(tenant)) },
    fail: () => {
      isFailing = true;
    },
    recover: () => {
      isFailing = false;
    },
  };
}

const CODES: readonly StoreErrorCode[] = ['full', 'locked', 'corrupt', 'unavailable', 'read-only', 'closed'];

describe.each(CODES)('a store that is %s', (code) => {
  test('from the start: the request goes through, and the answer says so', async () => {
    const { store, fail, recover } = failing(code);
    fail();
    running = await run({ store });
    const response = await ask(running.url, 'openai-chat');
    expect(response.status).toBe(200);
    expect(response.headers.get('x-epitome-status')).toBe(`failed; reason=store-${code}`);
    expect(running.lines.join('')).toContain('"fault"');
    expect((await fetch(`${running.url}/readyz`)).status).toBe(503);
    recover();
  });

  test('in the middle of a conversation: what is too long still fits, and afterwards nothing is lost', async () => {
    const { store, fail, recover } = failing(code);
    running = await run({ store, yaml: 'policies: [{ window: 6000 }]', upstream: { window: 6000 } });
    expect((await ask(running.url, 'openai-chat', { messages: historyOf('openai-chat', 5) })).status).toBe(200);
    fail();
    const long = await ask(running.url, 'openai-chat', { messages: historyOf('openai-chat', 40, 'while it fails') });
    expect(long.status).toBe(200);
    expect(long.headers.get('x-epitome-status')).toContain(`store-${code}`);
    recover();
    const after = await ask(running.url, 'openai-chat', { messages: historyOf('openai-chat', 41, 'when it is back') });
    expect(after.status).toBe(200);
    expect(after.headers.get('x-epitome-status')).toMatch(/^(compacted|reused|kept)/);
    expect(running.upstream.refused()).toEqual([]);
    expect(running.upstream.requests.map(({ verdict }) => verdict)).toEqual(['answered', 'answered', 'answered']);
  });
});

test('a store that can be read and not written is not ready, until it can be written again', async () => {
  const { store, fail, recover } = failing('full', new Set(['conversation', 'snapshot', 'find', 'viewOf', 'records']));
  running = await run({ store });
  const { url } = running;
  // Within a second the last answer holds, where nothing was noticed meanwhile.
  const ready = async (): Promise<number> => (await fetch(`${url}/readyz`)).status;
  expect(await ready()).toBe(200);
  fail();
  const response = await ask(url, 'openai-chat');
  expect(response.headers.get('x-epitome-status')).toBe('failed; reason=store-full');
  expect(await ready()).toBe(503);
  recover();
  await expect.poll(ready, { timeout: 5000 }).toBe(200);
  expect(await store.forTenant('epitome-health').conversations()).toEqual([]);
});

test('the API says what the store says, by status', async () => {
  const { store, fail, recover } = failing('full');
  running = await run({ store });
  fail();
  const response = await fetch(`${running.url}/v1/conversations`, { headers: { authorization: 'Bearer test-key' } });
  expect(response.status).toBe(507);
  recover();
});

test('a window that a provider told is kept to while the store fails', async () => {
  const { store, fail, recover } = failing('unavailable');
  running = await run({ store, yaml: 'models: [{ match: "*", window: 32000 }]', upstream: { window: 5000 } });
  const messages = historyOf('openai-chat', 40);
  expect((await ask(running.url, 'openai-chat', { messages })).status).toBe(200);
  fail();
  const response = await ask(running.url, 'openai-chat', { messages });
  expect(response.headers.get('x-epitome-status')).toBe('compacted; reason=store-unavailable');
  expect(running.upstream.requests.map(({ verdict }) => verdict)).toEqual(['too-long', 'answered', 'answered']);
  recover();
});

test('a summary made while the store fails is paid for by its key, in the log and among the figures', async () => {
  const { store, fail, recover } = failing('unavailable');
  let asked = 0;
  running = await run({
    store,
    yaml: `policies: [{ window: 6000 }]\nkeys: [{ id: ci, hash: ${hashOf('test-key')}, scopes: [proxy, admin], budget: { tokensPerDay: 100k } }]`,
    env: { UPSTREAM_KEY: 'k' },
    engine: {
      summarizer: async () => {
        asked += 1;
        return { text: SUMMARY, usage: { inputTokens: 90_000, outputTokens: 20_000 }, finish: 'stop' };
      },
    },
  });
  fail();
  const { url, lines } = running;
  const short = await ask(url, 'openai-chat');
  const long = await ask(url, 'openai-chat', { messages: historyOf('openai-chat', 40) });
  expect([short, long].map(({ headers }) => headers.get('x-epitome-status'))).toEqual([
    'failed; reason=store-unavailable',
    'compacted; reason=store-unavailable',
  ]);
  expect(asked).toBeGreaterThan(0);
  expect((await ask(url, 'openai-chat')).status).toBe(429);
  const told = lines.map((line) => JSON.parse(line) as Json).filter(({ message }) => message === 'compaction');
  expect(told).toMatchObject([{ client: 'ci', trigger: 'threshold', outcome: 'committed' }]);
  const figures = await fetch(`${url}/metrics`, { headers: { authorization: 'Bearer test-key' } });
  expect(await figures.text()).toMatch(/^epitome_compactions_total\{[^}]*outcome="committed"[^}]*\} 1$/m);
  recover();
});

const SUMMARY = '<state_snapshot><overall_goal>Look at the parts.</overall_goal></state_snapshot>';
