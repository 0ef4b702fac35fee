import { afterEach, describe, expect, test } from 'vitest';
import { ask, historyOf, type Running, run } from './running.ts';

let running: Running | undefined;
afterEach(async () => {
  await running?.stop();
  running = undefined;
});

const dialect = 'openai-responses';
const YAML = 'models: [{ match: "*", window: 32000 }]';
const verdicts = ({ upstream }: Running, from = 0): readonly string[] =>
  upstream.requests.slice(from).map(({ verdict }) => verdict);

describe('an overflow that names no figures', () => {
  test('is healed by the one retry, whose size is at most half of what was refused', async () => {
    running = await run({ yaml: YAML, upstream: { window: 5_000 } });
    const response = await ask(running.url, dialect, { messages: historyOf(dialect, 40) });
    expect(verdicts(running)).toEqual(['too-long', 'answered']);
    expect(response.headers.get('x-epitome-status')).toBe('compacted; reason=overflow; retried');
    const [refused, retried] = running.upstream.requests.map(({ tokens }) => tokens);
    expect(retried).toBeLessThanOrEqual((refused ?? 0) / 2);
  });

  test('is remembered for the conversation: later turns fit at once', async () => {
    running = await run({ yaml: YAML, upstream: { window: 5_000 } });
    for (let turns = 40; turns < 80; turns += 2) {
      const response = await ask(running.url, dialect, { messages: historyOf(dialect, turns) });
      expect(response.status).toBe(200);
    }
    expect(verdicts(running).filter((verdict) => verdict === 'too-long').length).toBeLessThanOrEqual(2);
  });

  test('a window far smaller than what was refused is found within a few turns', async () => {
    running = await run({ yaml: YAML, upstream: { window: 1_500 } });
    const statuses: number[] = [];
    for (let turns = 40; turns < 46; turns += 1) {
      const response = await ask(running.url, dialect, { messages: historyOf(dialect, turns) });
      statuses.push(response.status);
    }
    expect(statuses.slice(2)).toEqual([200, 200, 200, 200]);
  });
});
