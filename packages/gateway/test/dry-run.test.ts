import { afterEach, expect, test } from 'vitest';
import { answerOf, ask, historyOf, type Running, run } from './faults/running.ts';

let running: Running | undefined;
afterEach(async () => {
  await running?.stop();
  running = undefined;
});

const dialect = 'openai-chat';
const YAML = `sharedTenant: local\nmodels: [{ match: "*", window: 8000, prices: { input: 3, output: 15 } }]`;
const DRY = { 'x-epitome-dry-run': 'true' };
const figure = (response: Response, name: string): number =>
  Number(response.headers.get(`x-epitome-${name}`) ?? Number.NaN);
const statusOf = (response: Response): string | null => response.headers.get('x-epitome-status');

test('a dry run tells tokens after and the net cost, asks no model, and keeps nothing', async () => {
  let calls = 0;
  const summarizer = async (): Promise<never> => {
    calls += 1;
    throw new Error('not to be asked');
  };
  running = await run({ yaml: YAML, engine: { summarizer }, upstream: { window: 100_000 } });
  const messages = historyOf(dialect, 40);
  const response = await ask(running.url, dialect, { messages, headers: DRY });
  expect(statusOf(response)).toBe('planned; reason=utilization');
  expect(figure(response, 'tokens-after')).toBeLessThan(figure(response, 'tokens-before') / 2);
  expect(figure(response, 'net-cost')).toBeLessThan(0);
  expect(calls).toBe(0);
  expect(JSON.parse(String(running.upstream.requests.at(-1)?.raw)).messages).toEqual(messages);
  expect(await running.store.forTenant('local').conversations()).toEqual([]);
});

test('a dry run on a compacted conversation is about its view, not about the whole history', async () => {
  running = await run({ yaml: YAML, upstream: { window: 100_000 } });
  const messages = historyOf(dialect, 40);
  const made = await ask(running.url, dialect, { messages });
  expect(statusOf(made)).toMatch(/^compacted;/);
  const response = await ask(running.url, dialect, { messages, headers: DRY });
  expect(statusOf(response)).toBe('kept; reason=below-threshold');
  expect(figure(response, 'tokens-after')).toBeCloseTo(figure(made, 'tokens-after'), -2);
  expect(figure(response, 'tokens-before')).toBeGreaterThan(5000);
  expect(JSON.parse(String(running.upstream.requests.at(-1)?.raw)).messages).toEqual(messages);
});

test('a plan is told also where the provider finds the request too long, as it is without the plan', async () => {
  running = await run({ yaml: YAML, upstream: { window: 5000 } });
  const response = await ask(running.url, dialect, { messages: historyOf(dialect, 40), headers: DRY });
  expect([response.status, statusOf(response)]).toEqual([400, 'planned; reason=utilization']);
  expect(running.upstream.requests).toHaveLength(1);
});

test('a dry run knows a window that was found out, as the turn does that it tells of', async () => {
  const dialect = 'openai-responses';
  running = await run({ yaml: 'models: [{ match: "*", window: 32000 }]', upstream: { window: 100_000 } });
  running.upstream.inject([{ kind: 'context-length' }]);
  const past = historyOf(dialect, 40);
  const found = await ask(running.url, dialect, { messages: past });
  expect(statusOf(found)).toBe('compacted; reason=overflow; retried');
  const messages = [...past, answerOf(dialect, 'Done.'), ...historyOf(dialect, 40)];
  expect(statusOf(await ask(running.url, dialect, { messages, headers: DRY }))).toMatch(/^planned;/);
  expect(statusOf(await ask(running.url, dialect, { messages }))).toMatch(/^compacted;/);
});

test('a request that is not due is told as kept, in as many tokens as it came in', async () => {
  running = await run({ yaml: YAML });
  const response = await ask(running.url, dialect, { messages: historyOf(dialect, 3), headers: DRY });
  expect(statusOf(response)).toBe('kept; reason=below-threshold');
  expect(figure(response, 'tokens-after')).toBe(figure(response, 'tokens-before'));
});
