import { afterEach, expect, test } from 'vitest';
import { ask, DIALECTS, historyOf, type Running, run } from './faults/running.ts';

let running: Running | undefined;
afterEach(async () => {
  await running?.stop();
  running = undefined;
});

const YAML = `
models: [{ match: "*", window: 16000 }]
policies: [{ preset: branch, options: { reuse: shared-cutoff } }]`;

test.each(DIALECTS)('%s: a summary that is taken from another branch is sent, as it is measured', async (dialect) => {
  running = await run({ upstream: { window: 100_000 }, yaml: YAML });
  const send = async (last: string) => ask(running?.url ?? '', dialect, { messages: historyOf(dialect, 60, last) });
  const first = await send('Question one?');
  expect(first.headers.get('x-epitome-status')).toMatch(/^compacted;/);
  for (const last of ['Question two, edited?', 'Question three?']) {
    const answer = await send(last);
    expect(answer.headers.get('x-epitome-status')).toMatch(/^reused;/);
    expect(answer.headers.get('x-epitome-branch')).not.toBe(first.headers.get('x-epitome-branch'));
    expect(answer.headers.get('x-epitome-record')).toBe(first.headers.get('x-epitome-record'));
    const { raw, tokens } = running.upstream.requests.at(-1) ?? { raw: '', tokens: 0 };
    expect(String(raw)).toContain(last);
    expect(String(raw)).not.toContain('Question 0 about');
    // Both are estimates, by different rules.
    const told = Number(answer.headers.get('x-epitome-tokens-after'));
    expect(Math.abs(tokens / told - 1)).toBeLessThan(0.2);
    expect(Number(answer.headers.get('x-epitome-tokens-before'))).toBeGreaterThan(2 * told);
  }
});
