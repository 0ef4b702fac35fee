import { describe, expect, test } from 'vitest';
import { presets } from '../presets/index.ts';
import { decide, type Situation } from './decide.ts';

const situation = (tokens: number, rest: Partial<Situation> = {}): Situation => ({
  tokens: { request: tokens, history: tokens, fixed: 0 },
  messages: 100,
  turns: 50,
  messagesSince: 100,
  hasPendingCall: false,
  isRunning: false,
  ...rest,
});

describe('deliberate at a window of 1M', () => {
  const policy = presets.deliberate({ window: 1_000_000 });
  test.each([
    [42_000, 26, 400, true, 'absolute-tokens', false],
    [45_000, 20, 400, false, 'message-guard', false],
    [45_000, 30, 120, false, 'time-guard', false],
    [520_000, 10, 60, true, 'utilization', true],
    [40_000, 30, 400, false, 'below-threshold', false],
    [40_001, 25, 300, true, 'absolute-tokens', false],
    [500_000, 0, 0, true, 'utilization', true],
    [499_999, 0, 0, false, 'message-guard', false],
  ])(
    '%i tokens, %i messages, %i s: compact %s, %s',
    (tokens, messagesSince, secondsSince, compact, reason, isSafetyValve) => {
      const decision = decide(situation(tokens, { messagesSince, secondsSince }), policy, 'automatic');
      expect(decision).toMatchObject({ compact, reason, isSafetyValve, tokens, messagesSince, secondsSince });
    },
  );

  test('the first compaction has no time guard', () => {
    expect(decide(situation(42_000), policy, 'automatic')).toMatchObject({ compact: true, reason: 'absolute-tokens' });
  });

  test('a pending call puts it off, the valve included', () => {
    for (const tokens of [42_000, 520_000]) {
      const decision = decide(situation(tokens, { hasPendingCall: true }), policy, 'automatic');
      expect(decision).toMatchObject({ compact: false, reason: 'pending-tool-call' });
    }
  });
});

describe('limits', () => {
  const window = 100_000;
  test.each([
    ['snapshot', presets.snapshot({ window }), 50_000, 'above', 'threshold'],
    ['selective', presets.selective({ window }), 60_000, 'reached', 'token-threshold'],
    ['branch', presets.branch({ window }), 75_000, 'above', 'history-ratio'],
    ['threshold at 8k', presets.threshold({ window: 8000 }), 6400, 'reached', 'buffer-reached'],
    ['threshold at 128k', presets.threshold({ window: 128_000 }), 102_400, 'reached', 'buffer-reached'],
    ['threshold at 200k', presets.threshold({ window: 200_000 }), 180_000, 'reached', 'buffer-reached'],
    ['threshold at 1M', presets.threshold({ window: 1_000_000 }), 980_000, 'reached', 'buffer-reached'],
  ] as const)('%s: %s', (_, policy, limit, fires, reason) => {
    const compactsAt = (tokens: number): boolean => decide(situation(tokens), policy, 'automatic').compact;
    expect(compactsAt(limit - 1)).toBe(false);
    expect(compactsAt(limit)).toBe(fires === 'reached');
    expect(compactsAt(limit + 1)).toBe(true);
    expect(decide(situation(limit + 1), policy, 'automatic')).toMatchObject({ reason, limit });
  });

  test('branch compares what is left beside the reserved or the fixed part', () => {
    const policy = presets.branch({ window: 10_000, reserved: 2000 });
    expect(decide(situation(7000), policy, 'automatic').compact).toBe(true);
    expect(decide(situation(1000), policy, 'automatic').compact).toBe(false);
    const withTools = { request: 8000, history: 4000, fixed: 4000 };
    expect(decide(situation(0, { tokens: withTools }), policy, 'automatic').compact).toBe(false);
    expect(decide(situation(0, { tokens: { ...withTools, history: 4501 } }), policy, 'automatic').compact).toBe(true);
  });

  test('selective counts messages and prompts where it is told to', () => {
    const policy = presets.selective({ window, messageThreshold: 10, turnThreshold: 4 });
    const at = (messages: number, turns: number) =>
      decide(situation(1, { messages, turns }), policy, 'automatic').reason;
    expect([at(9, 3), at(10, 3), at(9, 4)]).toEqual(['below-threshold', 'message-threshold', 'turn-threshold']);
  });

  test('a threshold of 1 leaves only the check before sending', () => {
    const policy = presets.snapshot({ window, threshold: 1 });
    expect(decide(situation(94_999), policy, 'automatic').compact).toBe(false);
    expect(decide(situation(95_000), policy, 'automatic')).toMatchObject({ compact: true, reason: 'overflow' });
    const off = presets.snapshot({ window, threshold: 1, overflowAt: 1 });
    expect(decide(situation(200_000), off, 'automatic')).toMatchObject({ compact: false, reason: 'disabled' });
  });
});

describe('the latch', () => {
  const policy = presets.snapshot({ window: 100_000 });
  test.each([
    [60_000, 'automatic', false, 'latched'],
    [65_999, 'automatic', false, 'latched'],
    [66_000, 'automatic', true, 'threshold'],
    [60_000, 'manual', true, 'forced'],
  ] as const)('after a failure at 60,000: %i tokens, %s: compact %s, %s', (tokens, cause, compact, reason) => {
    expect(decide(situation(tokens, { latchedAt: 60_000 }), policy, cause)).toMatchObject({ compact, reason });
  });

  test('a request that no longer fits is compacted without a model', () => {
    const decision = decide(situation(101_000, { latchedAt: 100_500 }), policy, 'automatic');
    expect(decision).toMatchObject({ compact: true, modelFree: true });
  });
});

test('an empty history waits even when forced, and so does a running compaction', () => {
  const policy = presets.snapshot({ window: 1000 });
  expect(decide(situation(0, { messages: 0 }), policy, 'manual').reason).toBe('empty-history');
  expect(decide(situation(900, { isRunning: true }), policy, 'manual').reason).toBe('in-progress');
});

describe('a request that was settled', () => {
  const over = (by: 'success' | 'undo' | 'noop', tokens: number) =>
    situation(tokens, { settled: { by, tokens: 90_000 } });
  const snapshot = presets.snapshot({ window: 100_000 });
  test.each([
    ['success', 98_999, 'no-growth'],
    ['success', 99_001, 'threshold'],
    ['undo', 98_999, 'no-growth'],
    ['undo', 100_001, 'overflow'],
    ['noop', 91_000, 'no-growth'],
    ['noop', 92_000, 'threshold'],
  ] as const)('by a %s at 90,000 tokens: %i tokens give %s', (by, tokens, reason) => {
    const policy = reason === 'overflow' ? snapshot : { ...snapshot, triggers: snapshot.triggers.slice(0, 1) };
    expect(decide(over(by, tokens), policy, 'automatic').reason).toBe(reason);
  });

  test('is taken up at once where runs are taken one by one', () => {
    const selective = presets.selective({ window: 100_000 });
    expect(decide(over('success', 90_000), selective, 'automatic').compact).toBe(true);
    expect(decide(over('noop', 90_000), selective, 'automatic').reason).toBe('no-growth');
  });
});
