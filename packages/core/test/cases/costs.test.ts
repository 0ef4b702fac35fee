import { expect, test } from 'vitest';
import { costModel } from '../../src/economics/index.ts';
import { compact, createCompactor, presets } from '../../src/index.ts';

const words = (count: number): string => 'plain words of a message '.repeat(Math.ceil(count / 5));
const history = (turns: number): unknown[] =>
  Array.from({ length: turns }, (_, at) => [
    { role: 'user', content: `Question ${at}: ${words(200)}` },
    { role: 'assistant', content: `Answer ${at}: ${words(200)}` },
  ]).flat();

const prices = { input: 3, output: 15, cachedRead: 0.3, cacheWrite: 3.75 };
const input = { format: 'openai-chat', window: 10_000, messages: history(18) } as const;
const summarizer = async () => ({ text: 'The story so far.', usage: { inputTokens: 7000, outputTokens: 100 } });

test('what does not pay waits, with its figures, until the window is nearly full', async () => {
  const ports = { summarizer, costs: costModel({ prices, callsLeft: 2 }) };
  const waited = await compact(input, ports);
  expect(waited).toMatchObject({ status: 'noop', reason: 'does-not-pay', decision: { payback: { pays: false } } });
  expect(waited.decision.payback?.netCost).toBeGreaterThan(0);
  const urgent = await compact({ ...input, messages: history(23) }, ports);
  expect(urgent.status).toBe('compressed');
});

test('what pays is done, and the outcome and its record say what it saves', async () => {
  const { status, payback, record, tokens } = await compact(input, {
    summarizer,
    costs: costModel({ prices, callsLeft: () => 200 }),
  });
  expect(status).toBe('compressed');
  expect(payback).toMatchObject({ pays: true, breakEvenCall: expect.any(Number) });
  expect(payback?.tokensShed).toBeCloseTo(tokens.before - tokens.after, -1);
  expect(payback?.tokensRebilled).toBeGreaterThan(0);
  expect(payback?.netCost).toBeLessThan(0);
  expect(record?.payback).toEqual(payback);
});

test('a compaction that is asked for runs whatever it costs', async () => {
  const costs = costModel({ prices, callsLeft: 0 });
  const outcome = await compact({ ...input, cause: 'manual' }, { summarizer, costs });
  expect(outcome).toMatchObject({ status: 'compressed', payback: { pays: false } });
});

test('a digest costs nothing to write, so it pays much sooner', async () => {
  const costs = costModel({ prices, callsLeft: 8 });
  expect((await compact(input, { summarizer, costs })).reason).toBe('does-not-pay');
  expect((await compact(input, { costs })).status).toBe('compressed');
});

test('a safety valve does not wait for money', async () => {
  const policy = presets.deliberate({ window: 10_000 });
  const compactor = createCompactor({ format: 'openai-chat', policy }, { costs: costModel({ prices, callsLeft: 0 }) });
  expect(compactor.decide(input.messages)).toMatchObject({ compact: true, isSafetyValve: true });
});
