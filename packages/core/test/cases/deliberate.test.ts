import { describe, expect, test } from 'vitest';
import { type CompactionRecord, compact, preview } from '../../src/index.ts';
import { builders, scriptedSummarizer } from '../../src/testing/index.ts';
import { answers, asks, exchange, NOW, tablePorts } from '../support/sized.ts';

const { user, assistant, call, result } = builders['openai-chat'];
const base = { format: 'openai-chat', policy: 'deliberate' } as const;

/** An attempt so many seconds ago, when `tipId` was the newest message. */
function attempt(tipId: string, seconds: number): CompactionRecord {
  return {
    kind: 'compaction',
    id: 'earlier',
    at: NOW - seconds * 1000,
    status: 'noop',
    preset: 'deliberate',
    cause: 'automatic',
    reason: 'nothing-to-cut',
    method: 'none',
    degraded: false,
    tipId,
    covers: [],
    replaces: [],
    inserts: [],
    edits: [],
    text: '',
    tokens: { before: 0, after: 0, fixed: 0, basis: 'estimated' },
    counts: { before: 0, after: 0, compressed: 0, preserved: 0 },
    calls: 0,
    usage: { inputTokens: 0, outputTokens: 0 },
    findings: [],
  };
}

describe('when, with a window of 1M', () => {
  test.each([
    { tokens: 42_000, since: 26, seconds: 400, compact: true, isSafetyValve: false, reason: 'absolute-tokens' },
    { tokens: 45_000, since: 20, seconds: 400, compact: false, isSafetyValve: false, reason: 'message-guard' },
    { tokens: 45_000, since: 30, seconds: 120, compact: false, isSafetyValve: false, reason: 'time-guard' },
    { tokens: 520_000, since: 10, seconds: 60, compact: true, isSafetyValve: true, reason: 'utilization' },
    { tokens: 40_000, since: 30, seconds: 400, compact: false, isSafetyValve: false, reason: 'below-threshold' },
    { tokens: 45_000, since: 25, seconds: 300, compact: true, isSafetyValve: false, reason: 'absolute-tokens' },
    { tokens: 45_000, since: 24, seconds: 300, compact: false, isSafetyValve: false, reason: 'message-guard' },
    { tokens: 45_000, since: 25, seconds: 299, compact: false, isSafetyValve: false, reason: 'time-guard' },
  ])('$tokens tokens, $since messages, $seconds s: $reason', ({ tokens, since, seconds, ...expected }) => {
    const messages = [answers(4), ...exchange(tokens - 4, since)];
    const ids = messages.map((_, at) => `m${at}`);
    const { decision } = preview(
      { ...base, window: 1_000_000, messages, ids, records: [attempt('m0', seconds)] },
      tablePorts(),
    );
    expect(decision).toMatchObject({ ...expected, tokens, messagesSince: since, secondsSince: seconds });
    expect(decision.utilization).toBe(tokens / 1_000_000);
  });

  test('the first compaction of a conversation has no time guard', () => {
    const { decision } = preview({ ...base, window: 1_000_000, messages: exchange(45_000, 30) }, tablePorts());
    expect(decision).toMatchObject({ compact: true, reason: 'absolute-tokens' });
    expect(decision).not.toHaveProperty('secondsSince');
  });

  test('tool results and an answer in several messages do not count as messages', () => {
    const loop = Array.from({ length: 20 }, (_, at) => [
      call(`c${at}`, 'run'),
      result(`c${at}`, 'run', '#2000'),
    ]).flat();
    const messages = [asks(100), ...loop, answers(100), asks(1000)];
    const { decision } = preview({ ...base, window: 1_000_000, messages }, tablePorts());
    expect(decision).toMatchObject({ compact: false, reason: 'message-guard' });
    expect(decision.messagesSince).toBeLessThan(25);
  });

  test('a pending tool call puts it off, unless it is forced', () => {
    const messages = [...exchange(600_000, 30), asks(10), call('c1', 'run')];
    const given = { ...base, window: 1_000_000, messages };
    expect(preview(given, tablePorts()).decision.reason).toBe('pending-tool-call');
    expect(preview({ ...given, cause: 'manual' }, tablePorts()).decision).toMatchObject({
      compact: true,
      reason: 'forced',
    });
  });
});

describe('what a goal does', () => {
  const long = 'a few words about the parser '.repeat(10);
  // Five exchanges and an unanswered prompt.
  const messages = [
    ...Array.from({ length: 10 }, (_, at) => (at % 2 === 0 ? user(`${at} ${long}`) : assistant(`${at} ${long}`))),
    user('And now?'),
  ];
  const given = { ...base, window: 1_000_000, messages, cause: 'manual' } as const;
  const firstKept = (input: Parameters<typeof preview>[0]): unknown => preview(input).plan?.firstKept;

  test.each([
    { what: 'no goal: the newest 30%', input: given, split: 'share', kept: 8 },
    {
      what: 'a goal: since the last prompt',
      input: { ...given, goal: 'Ship it' },
      split: 'since-last-prompt',
      kept: 10,
    },
    {
      what: 'an agent: since the last prompt',
      input: { ...given, compressionTriggerUtilization: 0.3, window: 1000, cause: 'agent' as const },
      split: 'since-last-prompt',
      kept: 10,
    },
    {
      what: 'a goal with the other strategy',
      input: { ...given, goal: 'Ship it', compressionStrategy: 'percentage' as const },
      split: 'share',
      kept: 8,
    },
    { what: 'another share', input: { ...given, keep: 0.5 }, split: 'share', kept: 6 },
  ])('$what', ({ input, split, kept }) => {
    expect(preview(input).plan).toMatchObject({ split, firstKept: kept });
  });

  test('fewer than five messages to compact fall back to the percentage', () => {
    const four = [...messages.slice(0, 4), user('And now?'), assistant('Wait.')];
    expect(preview({ ...given, messages: four, goal: 'Ship it' }).plan).toMatchObject({ split: 'share' });
    expect(preview({ ...given, messages: four, goal: 'Ship it', minMessagesToCompact: 4 }).plan).toMatchObject({
      split: 'since-last-prompt',
      firstKept: 4,
    });
    expect(firstKept({ ...given, messages: messages.slice(0, 5), goal: 'Ship it' })).toBe(4);
  });

  test('a message that only carries tool results is not the last prompt', () => {
    const { user: asked, assistant: said, call: calls, result: gives } = builders.anthropic;
    const talk = [asked('1'), said('2'), asked('3'), said('4'), asked('5'), said('6'), asked('7')];
    const list = [...talk, calls('c1', 'run'), gives('c1', 'run', long)];
    expect(preview({ ...given, format: 'anthropic', messages: list, goal: 'Ship it' }).plan?.firstKept).toBe(6);
  });

  test('the prompt leads with it and asks for what was left out, which is returned and recorded', async () => {
    const text =
      '<state_snapshot>\n<overall_goal>Ship.</overall_goal>\n<discarded_context_summary>Small talk about tea.</discarded_context_summary>\n</state_snapshot>';
    const summarizer = scriptedSummarizer({ text });
    const outcome = await compact({ ...given, goal: 'Ship the parser' }, { summarizer });
    const prompt = summarizer.briefs[0]?.prompt ?? '';
    expect(prompt.startsWith('<current_goal>\nShip the parser\n</current_goal>')).toBe(true);
    expect(prompt).toContain('trajectory');
    expect(prompt).toContain('<discarded_context_summary>');
    expect(outcome.discardedContextSummary).toBe('Small talk about tea.');
    expect(outcome.record).toMatchObject({ goal: 'Ship the parser', discardedContextSummary: 'Small talk about tea.' });
    expect(outcome.counts).toEqual({ before: 11, after: 3, compressed: 10, preserved: 1 });
  });

  test('without a goal the snapshot is not asked for one', async () => {
    const summarizer = scriptedSummarizer('snapshot');
    const outcome = await compact(given, { summarizer });
    expect(summarizer.briefs[0]?.prompt).not.toContain('discarded_context_summary');
    expect(outcome).not.toHaveProperty('discardedContextSummary');
  });
});

test('guards count from the last attempt, whatever came of it', async () => {
  const messages = exchange(45_000, 30);
  const failed = await compact(
    { ...base, window: 1_000_000, messages },
    tablePorts({ summarizer: scriptedSummarizer('empty') }),
  );
  expect(failed.status).toBe('failed-empty-summary');
  const more = [...messages, ...exchange(20_000, 10)];
  const { decision } = preview(
    { ...base, window: 1_000_000, messages: more, records: failed.records },
    tablePorts({ now: () => NOW + 400_000 }),
  );
  expect(decision).toMatchObject({ reason: 'message-guard', messagesSince: 10, secondsSince: 400 });
});
