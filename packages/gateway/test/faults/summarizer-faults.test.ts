import { createOpenAI } from '@ai-sdk/openai';
import { generateText } from 'ai';
import type { Ports } from 'epitome';
import { afterEach, describe, expect, test } from 'vitest';
import { createBreaker } from '../../src/turn/breaker.ts';
import { RateLimited } from '../../src/turn/rate-limit.ts';
import { startUpstream } from '../upstream/index.ts';
import { answerOf, ask, DIALECTS, historyOf, type Running, run, userOf } from './running.ts';

let running: Running | undefined;
afterEach(async () => {
  await running?.stop();
  running = undefined;
});

const BRIEF = { system: '', prompt: '', maxTokens: 10, purpose: 'summary' } as const;
const { signal } = new AbortController();

/** An error as SDKs throw it, with what the provider answered. */
function answered(statusCode: number, responseHeaders: Record<string, string> = {}): Error {
  return Object.assign(new Error('no'), { statusCode, responseHeaders });
}

const told = (response: Response): unknown[] => [
  response.status,
  response.headers.get('x-epitome-status'),
  response.headers.get('x-epitome-notice'),
];

/** Due, and small enough to be sent as it is; then too large for that. */
const DUE = 28;
const TOO_LONG = 40;
const YAML = 'policies: [{ window: 8000 }]';

describe.each(DIALECTS)('%s: a summarizer that is rate limited', (dialect) => {
  test('never holds up a turn that still fits: it goes out as it came, with a notice, and the model is left alone', async () => {
    let calls = 0;
    const summarizer = async (): Promise<never> => {
      calls += 1;
      throw answered(429, { 'retry-after': '20' });
    };
    running = await run({ yaml: YAML, engine: { summarizer } });
    for (const last of ['And now?', 'And then?']) {
      const messages = historyOf(dialect, DUE, last);
      const response = await ask(running.url, dialect, { messages });
      expect(told(response)).toEqual([
        200,
        'kept; reason=rate-limited',
        expect.stringMatching(/^compaction deferred \(rate limited, retry in (20|19)s\)$/),
      ]);
      const { raw } = running.upstream.requests.at(-1) ?? {};
      expect(String(raw)).toContain('Question 0 about');
    }
    expect(calls).toBe(1);
    expect(running.lines.join('')).toContain('compaction deferred (rate limited');
  });

  test('a turn that no longer fits is compacted without it', async () => {
    const summarizer = async (): Promise<never> => {
      throw answered(429, { 'retry-after': '20' });
    };
    running = await run({ yaml: YAML, engine: { summarizer } });
    const response = await ask(running.url, dialect, { messages: historyOf(dialect, TOO_LONG) });
    expect(told(response)).toEqual([200, expect.stringMatching(/^compacted;/), null]);
  });
});

test('when the time is over the summarizer is asked again, and the compaction is made', async () => {
  let calls = 0;
  const summarizer: Ports['summarizer'] = async () => {
    calls += 1;
    if (calls === 1) throw answered(429, { 'retry-after-ms': '300' });
    return { text: 'The user asked about the parts of src, one after the other, and every answer was fine.' };
  };
  running = await run({ yaml: YAML, engine: { summarizer } });
  const messages = historyOf('openai-chat', DUE);
  expect(told(await ask(running.url, 'openai-chat', { messages }))[1]).toBe('kept; reason=rate-limited');
  await new Promise((resolve) => setTimeout(resolve, 350));
  const response = await ask(running.url, 'openai-chat', { messages });
  expect(told(response)).toEqual([200, expect.stringMatching(/^compacted;/), null]);
  expect(calls).toBe(2);
});

describe('what a provider says of its load', () => {
  const loadedAt = Date.now();
  const soon = new Date(Date.now() + 30_000).toUTCString();
  test.each<[string, Error, number | undefined]>([
    ['429 with seconds', answered(429, { 'retry-after': '47' }), 47_000],
    ['429 without a time', answered(429), 20_000],
    ['529, Anthropic’s own', answered(529, { 'retry-after': '3' }), 3000],
    ['503 with a time', answered(503, { 'retry-after': '2' }), 2000],
    ['503 without one is a fault', answered(503), undefined],
    ['500', answered(500, { 'retry-after': '2' }), undefined],
    [
      'behind an error of retries',
      Object.assign(new Error('twice'), { lastError: answered(429, { 'retry-after': '4' }) }),
      4000,
    ],
    ['a day is no time to wait for', answered(429, { 'retry-after': '86400' }), 3_600_000],
    ['a date', answered(429, { 'retry-after': soon }), 30_000],
  ])('%s', async (_what, error, wait) => {
    const breaker = createBreaker(
      { summarizer: async () => Promise.reject(error) },
      { now: () => 0, onChange: () => {} },
    );
    const failure = await breaker
      .ports()
      .summarizer?.(BRIEF, signal)
      .catch((cause: unknown) => cause);
    expect(failure instanceof RateLimited).toBe(wait !== undefined);
    // A date has come nearer since the table was made, and says whole seconds.
    const late = wait === undefined ? 0 : Date.now() - loadedAt + 1000;
    expect(breaker.waitMs()).toBeLessThanOrEqual(wait ?? 0);
    expect(breaker.waitMs()).toBeGreaterThanOrEqual((wait ?? 0) - late);
    expect(breaker.ports().summarizer === undefined).toBe(wait !== undefined);
  });

  test('a fault of the moment is asked once more, a rate limit is not', async () => {
    const calls: number[] = [];
    for (const status of [500, 429]) {
      let asked = 0;
      const summarizer = async (): Promise<never> => {
        asked += 1;
        throw answered(status);
      };
      const breaker = createBreaker({ summarizer }, { now: () => 0, onChange: () => {} });
      await breaker
        .ports()
        .summarizer?.(BRIEF, signal)
        .catch(() => undefined);
      calls.push(asked);
    }
    expect(calls).toEqual([2, 1]);
  });
});

test('a provider’s own 429 by way of the AI SDK is known as one', async () => {
  const provider = await startUpstream();
  provider.inject([{ kind: 'rate-limit', retryAfter: 12 }]);
  const open = createOpenAI({ apiKey: 'k', baseURL: `${provider.url}/v1` });
  const summarizer: Ports['summarizer'] = async ({ prompt }) => {
    const { text } = await generateText({ model: open.chat('m'), prompt: `${prompt}.`, maxRetries: 0 });
    return { text };
  };
  const breaker = createBreaker({ summarizer }, { now: () => 0, onChange: () => {} });
  await breaker
    .ports()
    .summarizer?.(BRIEF, signal)
    .catch(() => undefined);
  await provider.close();
  expect(breaker.waitMs()).toBe(12_000);
});

test('a rate limit is no failure, nor is what was called off for it: the breaker does not open', async () => {
  const changes: string[] = [];
  const summarizer = async (_brief: unknown, given: AbortSignal): Promise<never> => {
    throw given.aborted ? new Error('called off') : answered(429, { 'retry-after': '0' });
  };
  const breaker = createBreaker({ summarizer }, { now: () => 0, onChange: (state) => changes.push(state) });
  const off = AbortSignal.abort(new RateLimited(1000));
  for (let at = 0; at < 5; at += 1) {
    for (const each of [signal, off])
      await breaker
        .ports()
        .summarizer?.(BRIEF, each)
        .catch(() => undefined);
  }
  expect(changes).toEqual([]);
});

test('a summarizer that takes too long, and nothing to show for it: the request goes out whole, and says so', async () => {
  const engine: Ports = { summarizer: () => new Promise(() => {}), timeoutMs: 500 };
  running = await run({ yaml: YAML, engine });
  const messages = ['Hi', 'Hello.', 'Go on', 'Yes.', 'And?'].map((text, at) =>
    (at % 2 === 0 ? userOf : answerOf)('openai-chat', text),
  );
  const response = await ask(running.url, 'openai-chat', { messages, headers: { 'x-epitome-force': 'true' } });
  expect(told(response)).toEqual([
    200,
    expect.stringMatching(/^kept; /),
    expect.stringMatching(/^Compaction timed out after 0\.5s; continuing with full history \(\d+% used\)\.$/),
  ]);
});

test('a summarizer that takes too long where a summary without it serves: nothing is said to be whole', async () => {
  const engine: Ports = { summarizer: () => new Promise(() => {}), timeoutMs: 100 };
  running = await run({ yaml: YAML, engine });
  const response = await ask(running.url, 'openai-chat', { messages: historyOf('openai-chat', TOO_LONG) });
  expect(told(response)).toEqual([200, expect.stringMatching(/^compacted;/), null]);
});

describe('a summarizer that does not answer', () => {
  const SUMMARY = 'The user asked about the parts of src, one after the other, and every answer was fine.';

  test('holds up a turn that still fits for a moment, the next one not at all; its summary serves a later turn', async () => {
    let calls = 0;
    let answer: (draft: { readonly text: string }) => void = () => {};
    const summarizer: Ports['summarizer'] = () => {
      calls += 1;
      return new Promise((resolve) => {
        answer = resolve;
      });
    };
    running = await run({ yaml: YAML, engine: { summarizer } });
    const pending = [200, 'kept; reason=summary-pending', expect.stringMatching(/no summary after 2s\); continuing/)];
    const started = performance.now();
    expect(told(await ask(running.url, 'openai-chat', { messages: historyOf('openai-chat', DUE) }))).toEqual(pending);
    const first = performance.now() - started;
    const more = [...historyOf('openai-chat', DUE), answerOf('openai-chat', 'Done.'), userOf('openai-chat', 'Next?')];
    expect(told(await ask(running.url, 'openai-chat', { messages: more }))).toEqual(pending);
    expect(first).toBeLessThan(4000);
    expect(performance.now() - started - first).toBeLessThan(1500);
    expect(String(running.upstream.requests.at(-1)?.raw)).toContain('Question 0 about');
    answer({ text: SUMMARY });
    await new Promise((resolve) => setTimeout(resolve, 200));
    const response = await ask(running.url, 'openai-chat', { messages: more });
    expect(told(response)).toEqual([200, expect.stringMatching(/^compacted;/), null]);
    expect(String(running.upstream.requests.at(-1)?.raw)).toContain(SUMMARY);
    expect(calls).toBe(1);
  });

  test('is waited for where the request does not fit without it', async () => {
    const summarizer: Ports['summarizer'] = async () => {
      await new Promise((resolve) => setTimeout(resolve, 2500));
      return { text: SUMMARY };
    };
    running = await run({ yaml: YAML, engine: { summarizer } });
    const response = await ask(running.url, 'openai-chat', { messages: historyOf('openai-chat', TOO_LONG) });
    expect(told(response)).toEqual([200, expect.stringMatching(/^compacted;/), null]);
    expect(String(running.upstream.requests.at(-1)?.raw)).toContain(SUMMARY);
  });
});
