import { describe, expect, test } from 'vitest';
import { compact, presets } from '../index.ts';
import { builders, scriptedSummarizer } from '../testing/index.ts';
import { type Asked, type CheckInInput, checkIn } from './check-in.ts';
import type { Answer, Choice, Question } from './choice.ts';
import { courseOf } from './course.ts';
import { lessOften, NO_REDUCTIONS } from './less-often.ts';
import { resultLines, resultOf } from './result.ts';
import { CHECK_IN_DEFAULTS } from './settings.ts';
import { compressionEvent } from './telemetry.ts';

const settings = CHECK_IN_DEFAULTS;
const goal = 'Implementing user authentication';

describe('what each answer does', () => {
  const auto = { goal: '', split: 'percentage', method: 'auto', cause: 'automatic', changes: {} };
  const led = { goal, split: 'since-last-prompt', changes: {} };
  test.each<[string, Answer, object]>([
    ['a goal', { kind: 'goal', goal, by: 'listed' }, { ...led, method: 'manual', cause: 'automatic' }],
    ['Other', { kind: 'goal', goal, by: 'typed' }, { ...led, method: 'manual', cause: 'automatic' }],
    ['auto', { kind: 'auto' }, auto],
    ['timeout', { kind: 'timeout' }, { ...auto, method: 'timeout' }],
    ['never again', { kind: 'disable' }, { ...auto, changes: { compressionInteractive: false } }],
    [
      'less often',
      { kind: 'less-often' },
      { ...auto, changes: { compressionTriggerTokens: 60_000, compressionMinMessagesSinceLastCompress: 38 } },
    ],
    ['an agent', { kind: 'agent', task: goal }, { ...led, method: 'agent', cause: 'agent' }],
    ['nobody', { kind: 'unasked' }, auto],
  ])('%s', (_name, answer, expected) => {
    expect(courseOf(answer, { settings })).toMatchObject(expected);
  });

  test('the setting says what a goal keeps', () => {
    const chosen: Answer = { kind: 'goal', goal, by: 'listed' };
    const percentage = { ...settings, compressionStrategy: 'percentage' } as const;
    expect(courseOf(chosen, { settings: percentage }).split).toBe('percentage');
  });
});

describe('less often', () => {
  test('compounds up to the most its settings take', () => {
    const seen: (readonly number[])[] = [];
    let now = settings;
    let reductions = NO_REDUCTIONS;
    for (let time = 0; time < 5; time += 1) {
      const course = courseOf({ kind: 'less-often' }, { settings: now, reductions });
      now = { ...now, ...course.changes };
      reductions = course.lessOften?.reductions ?? reductions;
      seen.push([now.compressionTriggerTokens, now.compressionMinMessagesSinceLastCompress, reductions.cumulative]);
    }
    expect(seen).toEqual([
      [60_000, 38, 1.5],
      [90_000, 57, 2.25],
      [135_000, 86, 3.375],
      [200_000, 100, 5.0625],
      [200_000, 100, 7.59375],
    ]);
  });

  test.each([
    [0, 'Check-ins 1.5x less frequent: 40k→60k tokens, 25→38 messages', undefined],
    [1, 'Check-ins 1.5x less frequent: 40k→60k tokens, 25→38 messages', undefined],
    [2, 'Check-ins 1.5x less frequent: 40k→60k tokens, 25→38 messages', expect.stringContaining('3 times')],
  ])(
    'after %i times says what it did, and after the third what might suit better',
    (times, confirmation, suggestion) => {
      const course = courseOf({ kind: 'less-often' }, { settings, reductions: { times, cumulative: 1 } });
      expect(resultOf(ENDED, course)).toMatchObject({ confirmation, ...(suggestion ? { suggestion } : {}) });
      if (suggestion === undefined) expect(resultOf(ENDED, course)).not.toHaveProperty('suggestion');
    },
  );

  test('at the end of the range says so and changes nothing', () => {
    const most = { ...settings, compressionTriggerTokens: 200_000, compressionMinMessagesSinceLastCompress: 100 };
    const course = courseOf({ kind: 'less-often' }, { settings: most });
    expect(course.changes).toEqual({});
    expect(resultOf(ENDED, course).confirmation).toBe(
      'Check-ins are already as rare as they can be: 200k tokens, 100 messages',
    );
  });

  test('rounds as on paper', () => {
    const odd = { ...settings, compressionMinMessagesSinceLastCompress: 15, compressionFrequencyMultiplier: 2.3 };
    expect(lessOften(odd).messages).toEqual({ before: 15, after: 35 });
  });
});

const { user, assistant } = builders['openai-chat'];
const long = 'a few words about the parser '.repeat(10);
const messages = [
  ...Array.from({ length: 10 }, (_, at) => (at % 2 === 0 ? user(`${at} ${long}`) : assistant(`${at} ${long}`))),
  user('Implementing user authentication.'),
];
const outcome = await compact(
  { format: 'openai-chat', messages, policy: presets.deliberate({ window: 1000 }), goal },
  {
    summarizer: scriptedSummarizer({
      text: '<state_snapshot>\n<overall_goal>Ship.</overall_goal>\n<discarded_context_summary>Talk about tea.</discarded_context_summary>\n</state_snapshot>',
    }),
  },
);
const ENDED = outcome;

const input: CheckInInput = {
  format: 'openai-chat',
  messages,
  decision: { tokens: 52_000, isSafetyValve: false },
  window: 1_000_000,
  asked: { kind: 'user' },
  settings,
};
const chooses =
  (choice: Choice, seen: Question[] = []) =>
  async (question: Question): Promise<Choice> => {
    seen.push(question);
    return choice;
  };

describe('a check-in', () => {
  test('asks with the goals it found', async () => {
    const seen: Question[] = [];
    const { course, wasAsked } = await checkIn(input, { prompt: chooses({ kind: 'goal', goal, by: 'listed' }, seen) });
    expect(seen).toEqual([
      {
        goals: expect.arrayContaining([goal]),
        tokens: 52_000,
        window: 1_000_000,
        isSafetyValve: false,
        timeoutSeconds: 30,
      },
    ]);
    expect(course).toMatchObject({ goal, method: 'manual' });
    expect(wasAsked).toBe(true);
  });

  const nobody: Asked = { kind: 'nobody' };
  test.each<[string, CheckInInput, object]>([
    [
      'an agent is led by its task',
      { ...input, asked: { kind: 'agent', task: ' Port the\nparser ' } },
      { goal: 'Port the parser', method: 'agent' },
    ],
    [
      'an agent without a task is not led',
      { ...input, asked: { kind: 'agent', task: ' ' } },
      { goal: '', method: 'auto' },
    ],
    ['nobody is there', { ...input, asked: nobody }, { goal: '', method: 'auto' }],
    [
      'the question is off',
      { ...input, settings: { ...settings, compressionInteractive: false } },
      { goal: '', method: 'auto' },
    ],
    ['there are no goals', { ...input, messages: [user('hi')] }, { goal: '', method: 'auto' }],
  ])('does not ask where %s', async (_name, given, expected) => {
    const seen: Question[] = [];
    const { course, wasAsked } = await checkIn(given, { prompt: chooses({ kind: 'disable' }, seen) });
    expect(seen).toEqual([]);
    expect(wasAsked).toBe(false);
    expect(course).toMatchObject(expected);
  });

  test.each<[string, () => Promise<Choice>]>([
    ['fails', () => Promise.reject(new Error('no terminal'))],
    ['answers nonsense', async () => ({ kind: 'maybe' }) as unknown as Choice],
    ['answers nothing', async () => undefined as unknown as Choice],
    ['answers with a goal of blanks', async () => ({ kind: 'goal', goal: ' \n', by: 'typed' })],
  ])('compacts automatically where whoever is asked %s', async (_name, prompt) => {
    expect((await checkIn(input, { prompt })).answer).toEqual({ kind: 'auto' });
  });

  test.each<Choice>([{ kind: 'disable' }, { kind: 'less-often' }])(
    'takes no $kind where compaction is required',
    async (choice) => {
      const required = { ...input, decision: { tokens: 520_000, isSafetyValve: true } };
      const { answer, course } = await checkIn(required, { prompt: chooses(choice) });
      expect(answer).toEqual({ kind: 'auto' });
      expect(course.changes).toEqual({});
    },
  );

  test('throws when it is cancelled, and only then', async () => {
    const stop = new AbortController();
    const waiting = checkIn(
      input,
      {
        prompt: (_question, signal) =>
          new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('gone')))),
      },
      stop.signal,
    );
    setTimeout(() => stop.abort());
    await expect(waiting).rejects.toThrow(/abort/i);
  });
});

describe('the event of an attempt', () => {
  const eventOf = async (given: CheckInInput, choice: Choice) => {
    const checked = await checkIn(given, { prompt: chooses(choice), now: () => 0 });
    return compressionEvent({
      ended: outcome,
      checkIn: checked,
      preset: 'deliberate',
      summarizer: { model: 'm', cost: 0.25 },
    });
  };

  test('is complete for a goal', async () => {
    const event = await eventOf(input, { kind: 'goal', goal, by: 'listed' });
    expect(event).toEqual({
      event: 'chat_compression',
      tokens_before: outcome.tokens.before,
      tokens_after: outcome.tokens.after,
      preserve_strategy: 'since-last-prompt',
      messages_preserved: 1,
      messages_compressed: 10,
      had_user_goal: true,
      interactive_mode: true,
      utilization_at_trigger: outcome.decision.utilization,
      goal_selection_method: 'manual',
      goal_extraction_success: false,
      goal_extraction_duration_ms: 0,
      goal_source: 'derived',
      prompt_timeout_occurred: false,
      trigger_type: 'utilization_threshold',
      tokens_at_trigger: outcome.tokens.before,
      messages_since_last_compress: 11,
      time_since_last_compress_seconds: null,
      user_selected_disable: false,
      user_selected_less_frequent: false,
      was_safety_valve: true,
      frequency_multiplier_applied: null,
      cumulative_frequency_reduction: 1,
      new_token_threshold: null,
      new_message_threshold: null,
      times_less_frequent_selected: 0,
      status: 'compressed',
      reason: 'utilization',
      preset: 'deliberate',
      rung: 'own',
      summarizer_model: 'm',
      summarizer_calls: 1,
      summarizer_input_tokens: expect.any(Number),
      summarizer_output_tokens: expect.any(Number),
      summarizer_cost: 0.25,
      facts_kept: null,
      facts_lost: null,
      cache_tokens_rebilled: null,
    });
  });

  test.each<[string, CheckInInput, Choice, object]>([
    [
      'a timeout',
      input,
      { kind: 'timeout' },
      { goal_selection_method: 'timeout', prompt_timeout_occurred: true, had_user_goal: false },
    ],
    ['never again', input, { kind: 'disable' }, { goal_selection_method: 'auto', user_selected_disable: true }],
    [
      'less often',
      input,
      { kind: 'less-often' },
      {
        goal_selection_method: 'auto',
        user_selected_less_frequent: true,
        frequency_multiplier_applied: 1.5,
        cumulative_frequency_reduction: 1.5,
        new_token_threshold: 60_000,
        new_message_threshold: 38,
        times_less_frequent_selected: 1,
      },
    ],
    [
      'an agent',
      { ...input, asked: { kind: 'agent', task: goal } },
      { kind: 'auto' },
      { goal_selection_method: 'agent', interactive_mode: false, had_user_goal: true, goal_extraction_success: null },
    ],
    [
      'nobody',
      { ...input, asked: { kind: 'nobody' } },
      { kind: 'auto' },
      { goal_selection_method: 'auto', interactive_mode: false },
    ],
  ])('tells of %s', async (_name, given, choice, expected) => {
    expect(await eventOf(given, choice)).toMatchObject(expected);
  });

  test('holds no word of the conversation, the goal or the summary', async () => {
    const event = await eventOf(input, { kind: 'goal', goal, by: 'typed' });
    expect(JSON.stringify(event)).not.toMatch(/parser|authentication|tea|Ship/);
  });

  test('counts what became of facts where there is a ledger', async () => {
    const told = user(`Look at src/app/login.ts and listen on port 8443. ${long.repeat(3)}`);
    const talk = [told, assistant(long.repeat(20)), user('And now?')];
    const kept = await compact({ format: 'openai-chat', messages: talk, window: 4000, cause: 'manual' });
    const checked = await checkIn({ ...input, asked: { kind: 'nobody' } });
    const event = compressionEvent({ ended: kept, checkIn: checked, preset: 'epitome' });
    expect(event).toMatchObject({ facts_kept: 2, facts_lost: 0, trigger_type: 'forced' });
  });
});

test('the result says everything the user should know', () => {
  const lines = resultLines(resultOf(outcome, courseOf({ kind: 'goal', goal, by: 'listed' }, { settings })));
  expect(lines).toEqual([
    '✓ Chat history compressed',
    `Goal: ${goal}`,
    expect.stringMatching(/^Before: \d+ tokens → After: \d+ tokens$/),
    '10 messages compressed, 1 preserved',
    'Left out: Talk about tea.',
  ]);
  expect(resultLines(resultOf(outcome, courseOf({ kind: 'disable' }, { settings }))).at(-1)).toMatch(
    /^Interactive compression disabled/,
  );
});
