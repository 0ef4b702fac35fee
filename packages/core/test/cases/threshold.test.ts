import { describe, expect, test } from 'vitest';
import { compact, preview } from '../../src/index.ts';
import { builders, scriptedSummarizer } from '../../src/testing/index.ts';

const { user, assistant, call, result } = builders['openai-chat'];
const base = { format: 'openai-chat', policy: 'threshold' } as const;
const characters = (count: number): string => 'abcd efg '.repeat(Math.ceil(count / 9)).slice(0, count);

describe('the estimate', () => {
  test.each([
    { what: 'heuristic 100, nothing real', length: 400, calibration: undefined, tokens: 200 },
    {
      what: 'real 1000 at heuristic 500, now 750',
      length: 3000,
      calibration: { real: 1000, heuristic: 500 },
      tokens: 1500,
    },
    { what: 'real 300 at 600: the factor is 1', length: 2400, calibration: { real: 300, heuristic: 600 }, tokens: 600 },
    {
      what: 'real 10,000 at 1,000: the real count wins over the cap',
      length: 4000,
      calibration: { real: 10_000, heuristic: 1000 },
      tokens: 10_000,
    },
    {
      what: 'real 140k at 70k, then 80,000 characters',
      length: 360_000,
      calibration: { real: 140_000, heuristic: 70_000 },
      tokens: 180_000,
    },
  ])('$what: $tokens', ({ length, calibration, tokens }) => {
    const messages = [user(characters(length))];
    const given = { ...base, window: 200_000, messages, ...(calibration === undefined ? {} : { calibration }) };
    expect(preview(given).decision.tokens).toBe(tokens);
  });

  test('180k of a window of 200k is where it compacts', () => {
    const messages = [user(characters(280_000)), assistant(characters(80_000)), user('')];
    const calibration = { real: 140_000, heuristic: 70_000 };
    expect(preview({ ...base, window: 200_000, messages, calibration }).decision).toMatchObject({
      compact: true,
      reason: 'buffer-reached',
      limit: 180_000,
    });
    const before = preview({ ...base, window: 200_000, messages: messages.slice(0, 1), calibration });
    expect(before.decision).toMatchObject({ compact: false, tokens: 140_000 });
  });

  test('the factors are options', () => {
    const messages = [user(characters(400))];
    expect(preview({ ...base, window: 8000, messages, defaultFactor: 3 }).decision.tokens).toBe(300);
    const calibration = { real: 900, heuristic: 100 };
    const more = [user(characters(800))];
    expect(preview({ ...base, window: 8000, messages: more, calibration, maxFactor: 8 }).decision.tokens).toBe(1600);
  });
});

describe('everything becomes a handover', () => {
  const history = [user(characters(4000)), assistant(characters(4000)), user('What is next?')];

  test('a summary, and the current request word for word', async () => {
    const summarizer = scriptedSummarizer({
      text: '## Current State\nThe parser works.\n## Exact Next Steps\nTest it.',
    });
    const outcome = await compact({ ...base, window: 8000, messages: history, cause: 'manual' }, { summarizer });
    expect(outcome.messages).toHaveLength(2);
    expect(outcome.messages[1]).toBe(history[2]);
    const summary = JSON.stringify(outcome.messages[0]);
    expect(summary).toContain('## Exact Next Steps');
    expect(summary).toContain("the user's current request follows");
    for (const section of ['Current State', 'Key Information', 'Context & Decisions', 'Exact Next Steps']) {
      expect(summarizer.briefs[0]?.prompt).toContain(`## ${section}`);
    }
  });

  test('after a finished answer nobody is told to continue', async () => {
    const summarizer = scriptedSummarizer('normal');
    const messages = [...history, assistant('The tests.')];
    const outcome = await compact({ ...base, window: 8000, messages, cause: 'manual' }, { summarizer });
    expect(JSON.stringify(outcome.messages)).not.toContain('Continue from there');
    expect(outcome.messages.map((native) => Object(native).role)).toEqual(['user', 'assistant']);
  });

  test('still over the limit: half the budget each time, at most three times more, then the next rung', async () => {
    // Each is no more than twice what was asked, and too much beside this system prompt all the same.
    const summarizer = scriptedSummarizer(...[790, 780, 770, 760].map((length) => ({ text: characters(length) })));
    const messages = [user(characters(20_000)), user('Go.')];
    const given = { ...base, window: 2000, summaryMaxTokens: 1600, messages, system: characters(2500) };
    const outcome = await compact(given, { summarizer, summarizerWindow: 1_000_000 });
    expect(summarizer.briefs.map(({ maxTokens }) => maxTokens)).toEqual([1600, 800, 400, 200]);
    expect(outcome.method).not.toBe('model');
    expect(outcome.tokens.after).toBeLessThan(1600);
  });

  test('no retry where the first summary fits', async () => {
    const summarizer = scriptedSummarizer('normal');
    const outcome = await compact({ ...base, window: 4000, messages: history }, { summarizer });
    expect(outcome).toMatchObject({ status: 'compressed', method: 'model', degraded: false });
    expect(summarizer.briefs).toHaveLength(1);
  });
});

describe('the model call fails', () => {
  test('a mechanical summary serves: 200 characters of each message, tool-only messages as one line', async () => {
    const emoji = '👩‍👩‍👧‍👦'.repeat(60);
    const messages = [
      user(characters(900)),
      call('c1', 'read_file', { path: 'a.ts' }),
      result('c1', 'read_file', emoji),
      assistant('Done.'),
      user('Next?'),
    ];
    const outcome = await compact(
      { ...base, window: 8000, messages, cause: 'manual' },
      { summarizer: scriptedSummarizer('rejects') },
    );
    expect(outcome).toMatchObject({ status: 'compressed', method: 'mechanical', degraded: true });
    expect(outcome.findings.map(({ code }) => code)).toEqual(['summarizer-failed']);
    const lines = (outcome.record?.text ?? '').split('\n');
    expect(lines).toHaveLength(4);
    expect(lines[0]).toBe(`- user: ${characters(900).slice(0, 200).trim()}`);
    expect(lines[1]).toBe('- assistant: (calls read_file) {"path":"a.ts"}');
    expect([...(lines[2] ?? '').replace('- tool: ', '')]).toHaveLength(200);
    expect(outcome.record?.text.isWellFormed()).toBe(true);
  });

  test('the number of characters is an option', async () => {
    const messages = [user(characters(900)), assistant(characters(900)), user('Next?')];
    const { record } = await compact({ ...base, window: 8000, messages, cause: 'manual', fallbackChars: 20 });
    expect(record?.text).toBe(`- user: ${characters(20).trim()}\n- assistant: ${characters(20).trim()}`);
  });
});

describe('a conversation larger than the window of the summarizer', () => {
  const messages = [
    ...Array.from({ length: 12 }, (_, at) => (at % 2 === 0 ? user : assistant)(`part${at} ${characters(4000)}`)),
    user('Go.'),
  ];
  const given = { ...base, window: 100_000, messages, cause: 'manual' } as const;

  test('is summarized in parts and merged, and nothing is left out', async () => {
    const summarizer = scriptedSummarizer('normal');
    const outcome = await compact(given, { summarizer, summarizerWindow: 12_000 });
    const purposes = summarizer.briefs.map(({ purpose }) => purpose);
    expect(purposes.at(-1)).toBe('merge');
    expect(new Set(purposes.slice(0, -1))).toEqual(new Set(['chunk']));
    const shown = summarizer.briefs.map(({ prompt }) => prompt).join('');
    for (const at of Array.from({ length: 12 }, (_, index) => index)) expect(shown).toContain(`part${at} `);
    expect(outcome.findings.map(({ code }) => code)).toEqual(['chunked']);
  });

  test('where one call is allowed the oldest whole messages are left out, and the record says so', async () => {
    const summarizer = scriptedSummarizer('normal');
    const outcome = await compact(given, { summarizer, summarizerWindow: 12_000, maxCalls: 1 });
    expect(summarizer.briefs).toHaveLength(1);
    expect(summarizer.briefs[0]?.prompt).not.toContain('part0 ');
    expect(summarizer.briefs[0]?.prompt).toContain('part11 ');
    expect(outcome.record?.findings.map(({ code }) => code)).toEqual(['left-out']);
  });
});
