import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Fault, Json } from '../upstream/index.ts';
import { ask, DIALECTS, errorIn, historyOf, type Running, run } from './running.ts';

let running: Running;

beforeAll(async () => {
  running = await run({ yaml: 'timeouts: { upstream: 400 }\npolicies: [{ window: 8000 }]' });
});
afterAll(() => running.stop());
beforeEach(() => {
  running.upstream.recover();
  running.upstream.forget();
});

const statusOf = (response: Response): string => response.headers.get('x-epitome-status') ?? '';
const ENDS: Readonly<Record<string, RegExp>> = {
  'openai-chat': /\[DONE\]/,
  'openai-responses': /response\.completed/,
  anthropic: /message_stop/,
  gemini: /"finishReason"/,
};

describe.each(DIALECTS)('%s', (dialect) => {
  test.each<[Fault, number, RegExp]>([
    [{ kind: 'timeout' }, 504, /did not answer in time/],
    [{ kind: 'reset' }, 502, /broke the connection off/],
  ])(
    '$kind: the client is told in its own dialect, and what was done with the request',
    async (fault, status, said) => {
      running.upstream.inject([fault]);
      const response = await ask(running.url, dialect);
      expect(response.status).toBe(status);
      expect(response.headers.get('x-epitome-status')).toBe('kept; reason=below-threshold');
      expect(errorIn(dialect, (await response.json()) as Json)).toMatch(said);
    },
  );

  test.each<[Fault, number, RegExp]>([
    [{ kind: 'rate-limit', retryAfter: 17 }, 429, /Rate limit/],
    [{ kind: 'server-error' }, 500, /had an error/],
    [{ kind: 'overloaded' }, dialect === 'anthropic' ? 529 : 503, /Overloaded/],
  ])('$kind: the provider’s own answer goes through', async (fault, status, said) => {
    running.upstream.inject([fault]);
    const response = await ask(running.url, dialect);
    expect(response.status).toBe(status);
    expect(response.headers.get('retry-after')).toBe(fault.kind === 'rate-limit' ? '17' : null);
    expect(errorIn(dialect, (await response.json()) as Json)).toMatch(said);
    expect(running.upstream.requests).toHaveLength(1);
  });

  test.each<Fault>([{ kind: 'malformed' }, { kind: 'empty' }, { kind: 'refusal' }, { kind: 'huge', bytes: 3_000_000 }])(
    '$kind: byte for byte what the provider sent',
    async (fault) => {
      running.upstream.inject([fault, fault]);
      const through = await ask(running.url, dialect);
      const direct = await ask(running.upstream.url, dialect);
      expect(through.status).toBe(200);
      // The upstream numbers its answers.
      const plain = (text: string): string => text.replace(/([-_])\d+"/g, '$1N"');
      expect(plain(await through.text())).toBe(plain(await direct.text()));
    },
  );

  test.each<Fault>([
    { kind: 'cut', after: 3 },
    { kind: 'stall', after: 3 },
  ])('a stream that ends in the middle ($kind) says so, and pretends no end', async (fault) => {
    running.upstream.inject([fault]);
    const response = await ask(running.url, dialect, { stream: true });
    const text = await response.text();
    expect(response.status).toBe(200);
    expect(text).not.toMatch(ENDS[dialect] ?? /never/);
    const events = text.trimEnd().split('\n\n');
    const last = events.at(-1) ?? '';
    const data = JSON.parse(last.slice(last.indexOf('data: ') + 6)) as Json;
    const told =
      dialect === 'openai-responses'
        ? (data['message'] ?? (data['error'] as Json)?.['message'])
        : errorIn(dialect, data);
    expect(told).toEqual(expect.any(String));
    if (dialect === 'anthropic' || dialect === 'openai-responses') expect(last).toMatch(/^event: error/);
    expect(running.lines.at(-1)).toContain('"incomplete"');
  });

  test('a stream without its last event goes through as it is, and the log says so', async () => {
    running.upstream.inject([{ kind: 'unfinished', after: 2 }]);
    const text = await (await ask(running.url, dialect, { stream: true })).text();
    expect(text).not.toMatch(/error":[^n]|event: error/);
    await expect.poll(() => running.lines.at(-1)).toContain('"incomplete"');
    await (await ask(running.url, dialect, { stream: true })).text();
    await expect.poll(() => running.lines.at(-1)).toContain('"complete"');
  });

  test('a body that breaks off breaks off for the client too', async () => {
    running.upstream.inject([{ kind: 'cut' }]);
    const response = await ask(running.url, dialect);
    await expect(response.text()).rejects.toThrow();
  });

  test('too long for the provider: compacted once, sent once more', async () => {
    running.upstream.set({ window: 4000 });
    const response = await ask(running.url, dialect, { messages: historyOf(dialect, 24, `Retry in ${dialect}?`) });
    running.upstream.set({ window: 128_000 });
    expect(response.status).toBe(200);
    expect(statusOf(response)).toMatch(/^compacted; .*retried/);
    expect(running.upstream.requests.map(({ verdict }) => verdict)).toEqual(['too-long', 'answered']);
  });

  test('too long whatever is done: the provider’s own error, and that we failed', async () => {
    running.upstream.inject({ kind: 'context-length' });
    const response = await ask(running.url, dialect, {
      messages: historyOf(dialect, 10, `Always too long in ${dialect}?`),
    });
    expect(response.status).toBe(400);
    expect(statusOf(response)).toMatch(/^failed; reason=/);
    expect(errorIn(dialect, (await response.json()) as Json)).toMatch(/context|too long|exceed/i);
    expect(running.upstream.requests.length).toBeLessThanOrEqual(2);
  });

  const announced = dialect === 'openai-responses' ? 2 : 0;

  test('too long, said in the stream before any answer: compacted once, sent once more', async () => {
    running.upstream.inject([{ kind: 'overflow-event', after: announced }]);
    const messages = historyOf(dialect, 20, `Streamed in ${dialect}?`);
    const response = await ask(running.url, dialect, { messages, stream: true });
    expect(statusOf(response)).toMatch(/^compacted; .*retried/);
    expect(await response.text()).toMatch(ENDS[dialect] ?? /never/);
    const [first, second] = running.upstream.requests;
    expect(running.upstream.requests).toHaveLength(2);
    expect(second?.tokens).toBeLessThan((first?.tokens ?? 0) * 0.7);
  });

  test('too long, said in the stream whatever is done: the provider’s own event, and that we failed', async () => {
    running.upstream.inject({ kind: 'overflow-event', after: announced });
    const messages = historyOf(dialect, 20, `Streamed too long in ${dialect}?`);
    const response = await ask(running.url, dialect, { messages, stream: true });
    expect(statusOf(response)).toMatch(/^failed; reason=overflow/);
    expect(await response.text()).toMatch(/too long|context|exceed/i);
    expect(running.upstream.requests).toHaveLength(2);
  });

  test('an error behind the first words is passed on, and nothing is sent twice', async () => {
    running.upstream.inject([{ kind: 'overflow-event', after: 4 }]);
    const messages = historyOf(dialect, 20, `Broken later in ${dialect}?`);
    const response = await ask(running.url, dialect, { messages, stream: true });
    expect(await response.text()).toMatch(/too long|context|exceed/i);
    expect(running.upstream.requests).toHaveLength(1);
  });

  test('a redirect is not followed', async () => {
    running.upstream.inject([{ kind: 'redirect', location: 'http://169.254.169.254/latest/meta-data' }]);
    const response = await ask(running.url, dialect);
    expect(response.status).not.toBe(200);
    expect(running.upstream.requests).toHaveLength(1);
  });
});

test('after any fault the next turn is served, and the store holds what was sent', async () => {
  const messages = historyOf('openai-chat', 3, 'After a fault?');
  for (const fault of ['timeout', 'reset', 'server-error', 'cut'] as const) {
    running.upstream.inject([{ kind: fault }]);
    await ask(running.url, 'openai-chat', { messages })
      .then((response) => response.text())
      .catch(() => '');
    expect((await ask(running.url, 'openai-chat', { messages })).status).toBe(200);
  }
  const log = running.store.forTenant((await tenants())[0] ?? '');
  const found = await log.recall('"After a fault"');
  expect(found).toHaveLength(1);
});

async function tenants(): Promise<readonly string[]> {
  const { hashOf } = await import('../../src/config/load.ts');
  return [`key-${hashOf('test-key').slice(0, 32)}`];
}

test('an upstream whose name resolves to a private address is not said to have broken off', async () => {
  const { port } = new URL(running.upstream.url);
  const hidden = `{ name: hidden, baseUrl: "http://localhost:${port}", dialects: [openai-chat], allowPrivate: false }`;
  const inner = await run({ yaml: `upstreams: [${hidden}]` });
  const response = await ask(inner.url, 'openai-chat');
  const told = errorIn('openai-chat', (await response.json()) as Json);
  await inner.stop();
  expect([response.status, told]).toEqual([502, expect.stringMatching(/private address; set allowPrivate for it/)]);
  expect(running.upstream.requests).toEqual([]);
});
