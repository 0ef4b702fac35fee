import { describe, expect, test } from 'vitest';
import { compact, type Decision, policyNamed, preview } from '../../src/index.ts';
import { scriptedSummarizer } from '../../src/testing/index.ts';
import { exchange, tablePorts } from '../support/sized.ts';

type Row = {
  readonly what: string;
  readonly preset: string;
  readonly options: Readonly<Record<string, unknown>>;
  /** The last size at which nothing happens, or the first at which it does. */
  readonly limit: number;
  readonly fires: 'above' | 'reached';
  readonly reason: Decision['reason'];
  readonly messages?: number;
};

const rows: readonly Row[] = [
  {
    what: 'snapshot at half the window',
    preset: 'snapshot',
    options: { window: 100_000 },
    limit: 50_000,
    fires: 'above',
    reason: 'threshold',
  },
  {
    what: 'snapshot with a threshold of its own',
    preset: 'snapshot',
    options: { window: 100_000, threshold: 0.7 },
    limit: 70_000,
    fires: 'above',
    reason: 'threshold',
  },
  {
    what: 'snapshot just before the window overflows',
    preset: 'snapshot',
    options: { window: 100_000, threshold: 1 },
    limit: 95_000,
    fires: 'reached',
    reason: 'overflow',
  },
  {
    what: 'deliberate at its tokens',
    preset: 'deliberate',
    options: { window: 1_000_000 },
    limit: 40_000,
    fires: 'above',
    reason: 'absolute-tokens',
    messages: 30,
  },
  {
    what: 'deliberate at half the window, guards aside',
    preset: 'deliberate',
    options: { window: 60_000 },
    limit: 30_000,
    fires: 'reached',
    reason: 'utilization',
  },
  {
    what: 'selective at its tokens',
    preset: 'selective',
    options: { window: 128_000 },
    limit: 60_000,
    fires: 'reached',
    reason: 'token-threshold',
  },
  {
    what: 'branch at three quarters of what is available',
    preset: 'branch',
    options: { window: 10_000, reserved: 2000 },
    limit: 6000,
    fires: 'above',
    reason: 'history-ratio',
  },
  {
    what: 'threshold with 8k',
    preset: 'threshold',
    options: { window: 8000 },
    limit: 6400,
    fires: 'reached',
    reason: 'buffer-reached',
  },
  {
    what: 'threshold with 128k',
    preset: 'threshold',
    options: { window: 128_000 },
    limit: 102_400,
    fires: 'reached',
    reason: 'buffer-reached',
  },
  {
    what: 'threshold with 200k',
    preset: 'threshold',
    options: { window: 200_000 },
    limit: 180_000,
    fires: 'reached',
    reason: 'buffer-reached',
  },
  {
    what: 'threshold with 199,999',
    preset: 'threshold',
    options: { window: 199_995 },
    limit: 159_996,
    fires: 'reached',
    reason: 'buffer-reached',
  },
  {
    what: 'threshold with 1M',
    preset: 'threshold',
    options: { window: 1_000_000 },
    limit: 980_000,
    fires: 'reached',
    reason: 'buffer-reached',
  },
  {
    what: 'threshold with a buffer of its own',
    preset: 'threshold',
    options: { window: 8000, buffer: 500 },
    limit: 7500,
    fires: 'reached',
    reason: 'buffer-reached',
  },
];

describe.each(rows)('$what', ({ preset, options, limit, fires, reason, messages = 8 }) => {
  const decideAt = (tokens: number): Decision =>
    preview(
      { policy: policyNamed(preset, options), format: 'openai-chat', messages: exchange(tokens, messages) },
      tablePorts(),
    ).decision;

  test.each([
    { offset: -1, compacts: false },
    { offset: 0, compacts: fires === 'reached' },
    { offset: 1, compacts: true },
  ])(`at ${limit} and $offset: $compacts`, ({ offset, compacts }) => {
    const decision = decideAt(limit + offset);
    expect(decision).toMatchObject({ compact: compacts, tokens: limit + offset });
    expect(decision.reason).toBe(compacts ? reason : 'below-threshold');
    expect(decision.limit).toBe(limit);
  });
});

describe('counts of messages and prompts', () => {
  const selective = (options: object, messages: number): Decision =>
    preview(
      {
        policy: 'selective',
        window: 128_000,
        ...options,
        format: 'openai-chat',
        messages: exchange(messages * 10, messages),
      },
      tablePorts(),
    ).decision;

  test.each([
    { options: { messageThreshold: 10 }, below: 9, at: 10, reason: 'message-threshold' },
    { options: { turnThreshold: 4 }, below: 6, at: 7, reason: 'turn-threshold' },
  ])('$reason is reached at $at messages, not at $below', ({ options, below, at, reason }) => {
    expect(selective(options, below).reason).toBe('below-threshold');
    expect(selective(options, at)).toMatchObject({ compact: true, reason });
  });
});

test('the whole request is compared: system prompt and tools count, in the list or beside it', () => {
  const messages = exchange(900, 4);
  const base = { format: 'openai-chat', policy: 'snapshot', window: 2000, messages } as const;
  expect(preview(base, tablePorts()).decision.compact).toBe(false);
  const fixed = { system: '#60', tools: '#60' };
  expect(preview({ ...base, ...fixed }, tablePorts())).toMatchObject({
    status: 'compressed',
    tokens: { before: 1020, fixed: 120 },
  });
  const inList = [{ role: 'system', content: '#116' }, ...messages];
  expect(preview({ ...base, messages: inList }, tablePorts())).toMatchObject({ tokens: { before: 1020, fixed: 120 } });
});

test('branch compares the history alone, and what is fixed takes from the room for it', () => {
  const base = { format: 'openai-chat', policy: 'branch', window: 10_000, messages: exchange(6500, 10) } as const;
  expect(preview({ ...base, system: '#1000' }, tablePorts()).decision).toMatchObject({ compact: false, limit: 6750 });
  expect(preview({ ...base, system: '#2000' }, tablePorts()).decision).toMatchObject({ compact: true, limit: 6000 });
});

test.each(['automatic', 'manual', 'agent', 'overflow'] as const)(
  'an empty history is a noop, even when %s',
  async (cause) => {
    const summarizer = scriptedSummarizer('normal');
    const input = { format: 'openai-chat', policy: 'snapshot', window: 500, messages: [], cause } as const;
    expect(await compact(input, tablePorts({ summarizer }))).toMatchObject({
      status: 'noop',
      reason: 'empty-history',
      records: [],
    });
    expect(summarizer.briefs).toEqual([]);
  },
);

test.each(['manual', 'overflow'] as const)('%s compacts far below the trigger', (cause) => {
  const input = {
    format: 'openai-chat',
    policy: 'snapshot',
    window: 100_000,
    messages: exchange(1000, 10),
    cause,
  } as const;
  expect(preview(input, tablePorts())).toMatchObject({
    status: 'compressed',
    reason: cause === 'manual' ? 'forced' : 'overflow',
  });
});

test('a threshold of 1 turns its trigger off; with both off nothing is automatic', () => {
  const input = { format: 'openai-chat', policy: 'snapshot', window: 1000, threshold: 1, overflowAt: 1 } as const;
  expect(preview({ ...input, messages: exchange(5000, 8) }, tablePorts()).decision).toMatchObject({
    compact: false,
    reason: 'disabled',
  });
});
