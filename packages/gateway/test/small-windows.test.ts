import { afterEach, expect, test } from 'vitest';
import { ask, DIALECTS, historyOf, type Running, run } from './faults/running.ts';

let running: Running | undefined;
afterEach(async () => {
  await running?.stop();
  running = undefined;
});

const figure = (response: Response, name: string): number => Number(response.headers.get(`x-epitome-${name}`));

test.each(DIALECTS.flatMap((dialect) => [256, 400, 600].map((window) => [dialect, window] as const)))(
  '%s: a request for a window of %i tokens is made to fit it, and the same bytes go out again',
  async (dialect, window) => {
    running = await run({ upstream: { window: 100_000 } });
    const messages = historyOf(dialect, 40);
    const headers = { 'x-epitome-window': String(window) };
    const first = await ask(running.url, dialect, { messages, headers });
    expect(first.headers.get('x-epitome-status')).toBe('compacted; reason=utilization');
    expect(first.headers.get('x-epitome-record')).not.toBeNull();
    expect(figure(first, 'tokens-after')).toBeLessThanOrEqual(window);
    const again = await ask(running.url, dialect, { messages, headers });
    expect(again.headers.get('x-epitome-status')).toMatch(/^reused;/);
    const [one, two] = running.upstream.requests.map(({ raw }) => String(raw));
    expect(one?.length).toBeLessThan(2000);
    expect(two).toBe(one);
  },
);
