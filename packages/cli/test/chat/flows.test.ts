import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ensureBuilt, run, scratch } from '../kit.ts';
import { type ChatModelServer, SUMMARY, startChatModel } from './model.ts';
import { CHAT_ID, readChat, seedChat } from './seeded.ts';
import { KEYS, openTerminal, type Terminal, type TerminalOptions } from './terminal.ts';

let model: ChatModelServer;
const { path } = scratch();

beforeAll(async () => {
  ensureBuilt();
  model = await startChatModel();
}, 120_000);
afterAll(() => model.close());

let made = 0;

type Seeding = { readonly window?: string; readonly config?: string; readonly telemetry?: string };

/** A chat of 46,000 tokens in a file, and how to go on with it. */
async function seeded({ window = '1m', config, telemetry }: Seeding) {
  made += 1;
  const store = path(`${made}.db`);
  const events = telemetry ?? path(`${made}.jsonl`);
  await seedChat(store);
  const args = [
    'chat',
    '--resume',
    CHAT_ID,
    '--store',
    store,
    '--no-tools',
    '--window',
    window,
    '--prices',
    '3,15,0.3',
  ];
  const settings = config ?? path(`${made}.yaml`);
  return {
    args: [...args, '--telemetry-file', events],
    env: { OPENAI_COMPATIBLE_BASE_URL: model.url, EPITOME_CONFIG: settings },
    store,
    config: settings,
    telemetry: events,
    /** The newest event, without the time it bears. */
    event: (): Record<string, unknown> => {
      const { at: _, ...rest } = JSON.parse(readFileSync(events, 'utf8').trim().split('\n').at(-1) ?? '{}');
      return rest;
    },
  };
}

/** The same in a terminal, at rest. */
async function begin({ window, config, telemetry, ...options }: TerminalOptions & Seeding = {}) {
  const chat = await seeded({
    ...(window === undefined ? {} : { window }),
    ...(config === undefined ? {} : { config }),
    ...(telemetry === undefined ? {} : { telemetry }),
  });
  const terminal = await openTerminal(chat.args, { ...options, env: { ...chat.env, ...options.env } });
  await terminal.shows('tokens · ');
  return { ...chat, terminal };
}

/** Compares the screen with the one that was looked at and kept; how small a summary is and which facts it holds is the engine's. */
function golden(terminal: Terminal, name: string): Promise<void> {
  const blank = (figures: string): string => figures.replace(/\d/g, '#');
  const shown = terminal.screen().replace(/→ \d+(?!k)|\d+ of\s+\d+\s+facts/g, blank);
  return expect(`${shown}\n`).toMatchFileSnapshot(`screens/${name}.txt`);
}

const QUESTION = 'What are you working on?';

/** Waits until the answer is there and the chat rests: nothing but the input and the reported size stands below it. */
function rests(terminal: Terminal): Promise<string> {
  return terminal.shows(/That is done\.\n+> *\n1k tokens · [^\n]*$/);
}

async function leave({ type, exited }: Terminal): Promise<void> {
  type('/exit\r');
  expect(await exited).toBe(0);
}

/** The event of a check-in at 46,192 tokens in a window of a million that nobody answered. */
const EVENT = {
  event: 'chat_compression',
  tokens_before: 46_192,
  tokens_after: expect.any(Number),
  preserve_strategy: 'percentage',
  messages_preserved: 9,
  messages_compressed: 20,
  had_user_goal: false,
  interactive_mode: true,
  utilization_at_trigger: 0.046192,
  goal_selection_method: 'auto',
  goal_extraction_success: true,
  goal_extraction_duration_ms: 0,
  goal_source: 'model',
  prompt_timeout_occurred: false,
  trigger_type: 'absolute_tokens',
  tokens_at_trigger: 46_192,
  messages_since_last_compress: 29,
  time_since_last_compress_seconds: null,
  user_selected_disable: false,
  user_selected_less_frequent: false,
  was_safety_valve: false,
  frequency_multiplier_applied: null,
  cumulative_frequency_reduction: 1,
  new_token_threshold: null,
  new_message_threshold: null,
  times_less_frequent_selected: 0,
  status: 'compressed',
  reason: 'absolute-tokens',
  preset: 'deliberate',
  rung: 'own',
  summarizer_model: 'openai-compatible/m',
  summarizer_calls: 1,
  summarizer_input_tokens: 1000,
  summarizer_output_tokens: 10,
  summarizer_cost: 0.00315,
  facts_kept: expect.any(Number),
  facts_lost: expect.any(Number),
  cache_tokens_rebilled: null,
};

/** What a chosen goal changes in it. */
const BY_GOAL = {
  preserve_strategy: 'since-last-prompt',
  messages_preserved: 1,
  messages_compressed: 28,
  had_user_goal: true,
  goal_selection_method: 'manual',
};

describe('the flows of a check-in', () => {
  test('1: a goal chosen with one key serves the summary, and the prompt stays', async () => {
    const { terminal, store, event } = await begin();
    terminal.type('What next?\r');
    await terminal.shows(QUESTION);
    await golden(terminal, 'question-80');
    terminal.type('1');
    await rests(terminal);
    await golden(terminal, 'result-80');
    expect(event()).toEqual({ ...EVENT, ...BY_GOAL });
    const { view, states } = await readChat(store);
    expect(states).toEqual(['completed']);
    expect(view.at(-2)).toContain('What next?');
    const asked = model.received.filter(({ purpose }) => purpose === 'summary').at(-1);
    expect(asked?.text).toContain('Keeping the query through the redirect');
    await leave(terminal);
  });

  test('2: nobody answers for thirty seconds: it is compacted as if they had said auto', async () => {
    const { terminal, event } = await begin();
    terminal.type('What next?\r');
    await terminal.shows('auto-compress in 30s');
    await terminal.advance(29_000);
    await terminal.shows('auto-compress in 1s');
    await terminal.advance(1000);
    await rests(terminal);
    expect(event()).toEqual({ ...EVENT, goal_selection_method: 'timeout', prompt_timeout_occurred: true });
    await leave(terminal);
  });

  test('3: "Don\'t ask me again" is saved and said, and the next chat is not asked', async () => {
    const { terminal, event, config, telemetry } = await begin();
    terminal.type('What next?\r');
    await terminal.shows(QUESTION);
    terminal.type('6');
    const shown = await rests(terminal);
    expect(shown).toContain('Interactive compression disabled');
    expect(event()).toEqual({ ...EVENT, user_selected_disable: true });
    await leave(terminal);
    const next = await begin({ config, telemetry });
    next.terminal.type('What next?\r');
    expect(await rests(next.terminal)).toContain('Chat history compressed');
    expect(next.event()).toEqual({ ...EVENT, ...UNASKED });
    await leave(next.terminal);
  });

  test('4: "Check in less often" raises the thresholds, for this chat and the next', async () => {
    const { terminal, event, config, telemetry } = await begin();
    terminal.type('What next?\r');
    await terminal.shows(QUESTION);
    terminal.type('7');
    const shown = await rests(terminal);
    expect(shown).toContain('Check-ins 1.5x less frequent: 40k→60k tokens, 25→38 messages');
    expect(event()).toEqual({
      ...EVENT,
      user_selected_less_frequent: true,
      frequency_multiplier_applied: 1.5,
      cumulative_frequency_reduction: 1.5,
      new_token_threshold: 60_000,
      new_message_threshold: 38,
      times_less_frequent_selected: 1,
    });
    await leave(terminal);
    const next = await begin({ config, telemetry });
    next.terminal.type('What next?\r');
    expect(await rests(next.terminal)).not.toContain('compressed');
    await leave(next.terminal);
  });

  test('5: at half the window compaction is required, and the opt-outs are not there', async () => {
    const { terminal, event } = await begin({ window: '90k' });
    terminal.type('What next?\r');
    const shown = await terminal.shows('⚠ Context at 51% capacity: compression required');
    expect(shown).not.toMatch(/Don't ask|less often/);
    expect(shown).toContain('5. Other…');
    terminal.type('7');
    terminal.type('2');
    await rests(terminal);
    expect(event()).toEqual({
      ...EVENT,
      ...BY_GOAL,
      utilization_at_trigger: expect.closeTo(0.513, 3),
      trigger_type: 'utilization_threshold',
      reason: 'utilization',
      was_safety_valve: true,
    });
    await leave(terminal);
  });

  test('where nobody sits, it is compacted without a question', async () => {
    const { args, env, event } = await seeded({});
    const { code, stdout } = await run([...args, '--plain'], { env, input: 'What next?\n' });
    expect([code, stdout]).toEqual([0, expect.stringContaining('✓ Chat history compressed')]);
    expect(stdout).toContain('That is **done**.');
    expect(event()).toEqual({ ...EVENT, ...UNASKED, interactive_mode: false });
  });
});

/** What it says where the question was turned off. */
const UNASKED = {
  interactive_mode: false,
  goal_extraction_success: null,
  goal_extraction_duration_ms: null,
  goal_source: null,
};

describe('the question', () => {
  test('takes arrows and Enter, Esc for auto, and a typed goal, whose writing stops the countdown', async () => {
    const { terminal, event } = await begin({ columns: 40 });
    terminal.type('What next?\r');
    await terminal.shows('auto-compress in 30s');
    await golden(terminal, 'question-40');
    terminal.type(KEYS.up);
    await terminal.shows('❯ 7.');
    terminal.type(`${KEYS.down}${KEYS.down}`);
    await terminal.shows('❯ 2.');
    terminal.type('5Fix the');
    await terminal.shows('> Fix the');
    await terminal.advance(60_000);
    terminal.type(' tests\r');
    const shown = await rests(terminal);
    expect(shown).toContain('Goal: Fix the tests');
    await golden(terminal, 'result-40');
    expect(event()).toMatchObject({ goal_selection_method: 'manual', had_user_goal: true });
    await leave(terminal);
  });

  test('ignores a second key, survives a resize, and a message sent meanwhile comes after it', async () => {
    const { terminal, store } = await begin();
    terminal.type('What next?\r');
    await terminal.shows(QUESTION);
    terminal.resize(40, 30);
    await terminal.shows(/What are\n+you working on\?/);
    terminal.resize(24, 30);
    await terminal.shows(/\(5%\nof 1M\)/);
    terminal.resize(40, 30);
    const asked = await terminal.shows(/What are\n+you working on\?/);
    expect(asked.match(/Context: 46k/g)).toHaveLength(1);
    terminal.type('and then?\r');
    await terminal.shows('waiting: and then?');
    terminal.type('11');
    await terminal.shows(/> and then\?\n+That is done\.\n+> *\n1k tokens/);
    terminal.type('x');
    await terminal.shows(/^> x/m);
    const { messages } = await readChat(store);
    const spoken = messages.slice(-4).map(({ role, content }) => (role === 'user' ? content : role));
    expect(spoken).toEqual(['What next?', 'assistant', 'and then?', 'assistant']);
    terminal.type('\u0015');
    await leave(terminal);
  });

  test('cancelled with Ctrl-C leaves the history whole and answers all the same', async () => {
    const { terminal, store } = await begin();
    model.play('summary', { kind: 'hang' });
    terminal.type('What next?\r');
    await terminal.shows(QUESTION);
    terminal.type('4');
    await terminal.shows('Summarizing… 0s · Ctrl-C stops');
    await terminal.advance(7000);
    await terminal.shows('Summarizing… 7s');
    terminal.type(KEYS.interrupt);
    const shown = await rests(terminal);
    expect(shown).toContain('Compaction cancelled; continuing with full history (5% used).');
    model.play('summary', { kind: 'text', text: SUMMARY });
    const { messages, view } = await readChat(store);
    expect(view.length).toBe(messages.length);
    await leave(terminal);
  });
});
