import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ensureBuilt, run, scratch } from '../kit.ts';
import { BY_GOAL, EVENT, NOTHING_DONE, UNASKED } from './event.ts';
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
  const blank = (figures: string): string => figures.replace(/\d+/g, '##');
  const shown = terminal.screen().replace(/→ \d+(?!k)|\d+ of\s+\d+\s+facts/g, blank);
  return expect(`${shown}\n`).toMatchFileSnapshot(`screens/${name}.txt`);
}

const QUESTION = 'What are you working on?';

/** Waits until the answer is there and the chat rests: nothing but the input and the reported size stands below it. */
function rests(terminal: Terminal): Promise<string> {
  return terminal.shows(/That is done\.\n+> *\n1k(?: tokens)? · [^\n]*$/);
}

async function leave({ type, exited }: Terminal): Promise<void> {
  type('/exit\r');
  expect(await exited).toBe(0);
}

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

test('what one chat saves holds in another that is open, from its next check on', async () => {
  const one = await begin();
  const other = await begin({ config: one.config });
  one.terminal.type('What next?\r');
  await one.terminal.shows(QUESTION);
  one.terminal.type('6');
  await rests(one.terminal);
  other.terminal.type('What next?\r');
  expect(await rests(other.terminal)).toContain('Chat history compressed');
  expect(other.event()).toEqual({ ...EVENT, ...UNASKED });
  await leave(one.terminal);
  await leave(other.terminal);
});

test('a compact: block of another preset asks nobody, and says nothing where there is nothing to cut', async () => {
  const config = path('block.yaml');
  writeFileSync(config, 'compact: {token_threshold: 20000}\n');
  const { terminal, telemetry } = await begin({ config });
  for (const prompt of ['What next?', 'And then?']) {
    terminal.type(`${prompt}\r`);
    const shown = await terminal.shows(new RegExp(`> ${prompt.replace('?', '\\?')}\\n+That is done\\.\\n+> *\\n1k`));
    expect(shown).not.toMatch(/working on|compress/);
  }
  expect(existsSync(telemetry)).toBe(false);
  writeFileSync(config, 'compact: {preset: snapshot, threshold: 0.01}\n');
  terminal.type('And now?\r');
  await terminal.shows(/> And now\?\n+✓ Chat history compressed[\s\S]*That is done\.\n+> *\n1k/);
  await leave(terminal);
});

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

  test('stopped before it is answered is an attempt, too', async () => {
    const { terminal, event } = await begin();
    terminal.type('What next?\r');
    await terminal.shows(QUESTION);
    terminal.type(KEYS.interrupt);
    expect(await rests(terminal)).toContain('Compaction cancelled; continuing with full history (5% used).');
    expect(event()).toEqual({
      ...EVENT,
      ...NOTHING_DONE,
      ...UNASKED,
      interactive_mode: true,
      status: 'cancelled',
      summarizer_model: null,
    });
    await leave(terminal);
  });

  test('an empty Other is auto; with one goal the numbers close up; Esc is for the question whatever is written', async () => {
    model.play('goals', { kind: 'text', text: 'Only this one goal' });
    const { terminal, event } = await begin();
    terminal.type('What next?\r');
    const shown = await terminal.shows(QUESTION);
    expect(shown).toMatch(/1\. Only this one goal\n +2\. Auto-compress\n +3\. Other…\n +4\. Don't ask/);
    terminal.type('3');
    await terminal.shows('> ');
    terminal.type(KEYS.enter);
    await rests(terminal);
    expect(event()).toEqual(EVENT);
    await leave(terminal);
    const next = await begin();
    next.terminal.type('What next?\r');
    await next.terminal.shows(QUESTION);
    next.terminal.type('half a message');
    await next.terminal.shows('> half a message');
    next.terminal.type(KEYS.escape);
    await next.terminal.shows(/> half a message *\n1k tokens/);
    expect(next.event()).toEqual(EVENT);
    next.terminal.type('\u0015');
    await leave(next.terminal);
    model.play('goals');
  });

  test('an answer in the instant time is up: there is one compaction, and the key is not typed', async () => {
    const { terminal, event, telemetry } = await begin();
    terminal.type('What next?\r');
    await terminal.shows('auto-compress in 30s');
    const up = terminal.advance(30_000);
    terminal.type('1');
    await up;
    await rests(terminal);
    expect(event()).toMatchObject({ goal_selection_method: expect.stringMatching(/^(manual|timeout)$/) });
    expect(readFileSync(telemetry, 'utf8').trim().split('\n')).toHaveLength(1);
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
    await terminal.shows(/> and then\?\n+That is done\.\n+> *\n1k · /);
    terminal.type('x');
    await terminal.shows(/^> x/m);
    const { messages } = await readChat(store);
    const spoken = messages.slice(-4).map(({ role, content }) => (role === 'user' ? content : role));
    expect(spoken).toEqual(['What next?', 'assistant', 'and then?', 'assistant']);
    terminal.type('\u0015');
    await leave(terminal);
  });

  test('cancelled with Ctrl-C leaves the history whole and answers all the same', async () => {
    const { terminal, store, event } = await begin();
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
    expect(event()).toEqual({ ...EVENT, ...NOTHING_DONE, status: 'cancelled' });
    model.play('summary', { kind: 'text', text: SUMMARY });
    const { messages, view } = await readChat(store);
    expect(view.length).toBe(messages.length);
    await leave(terminal);
  });

  test('that somebody else compacted while the question was open is left to them, and no model is asked', async () => {
    const { terminal, args, env, store, event } = await begin();
    terminal.type('What next?\r');
    await terminal.shows(QUESTION);
    const { code } = await run([...args, '--plain', '--telemetry-file', path('sooner.jsonl')], {
      env,
      input: '/compress\n',
    });
    expect(code).toBe(0);
    const sofar = model.received.length;
    terminal.type('4');
    expect(await rests(terminal)).toContain('Somebody else compacted this chat meanwhile; their summary stands.');
    expect(event()).toEqual({ ...EVENT, ...NOTHING_DONE, status: 'superseded' });
    expect((await readChat(store)).states).toEqual(['completed']);
    expect(model.received.slice(sofar).map(({ purpose }) => purpose)).toEqual(['chat']);
    await leave(terminal);
  });

  test('put off by a rate limit is an attempt, and so is the one that comes later', async () => {
    const { terminal, event } = await begin();
    model.play('summary', { kind: 'status', status: 429, headers: { 'retry-after': '20' } });
    terminal.type('What next?\r');
    await terminal.shows(QUESTION);
    terminal.type('1');
    expect(await rests(terminal)).toContain('Compaction deferred (rate limited, retry in 20s)');
    const { preserve_strategy, had_user_goal, goal_selection_method } = BY_GOAL;
    const byGoal = { preserve_strategy, had_user_goal, goal_selection_method };
    expect(event()).toEqual({ ...EVENT, ...NOTHING_DONE, ...byGoal, status: 'deferred' });
    model.play('summary', { kind: 'text', text: SUMMARY });
    await terminal.advance(20_000);
    terminal.type('And now?\r');
    await terminal.shows(/✓ Chat history compressed[\s\S]*That is done\.\n+> *\n/);
    expect(event()).toMatchObject({ ...byGoal, status: 'compressed', messages_since_last_compress: 31 });
    await leave(terminal);
  });

  test('that has nobody to write it fails in one line, and the turn goes on', async () => {
    const config = path('keyless.yaml');
    writeFileSync(config, 'summarizer: openai/gpt-5\n');
    const { terminal, event } = await begin({ config });
    terminal.type('What next?\r');
    const shown = await rests(terminal);
    expect(shown).toMatch(/^! Compaction failed: [^\n]*OPENAI_API_KEY/m);
    expect(shown.replace(/\n +/g, ' ')).toContain('; continuing with full history (5% used).');
    const nobody = { ...NOTHING_DONE, ...UNASKED, interactive_mode: true, summarizer_model: null };
    expect(event()).toEqual({ ...EVENT, ...nobody, status: 'failed' });
    await leave(terminal);
  });

  test('that somebody else was faster with gives way to theirs, and says so', async () => {
    const { terminal, args, env, store, event } = await begin();
    model.play('summary', { kind: 'hang' }, { kind: 'text', text: SUMMARY });
    terminal.type('What next?\r');
    await terminal.shows(QUESTION);
    terminal.type('4');
    await terminal.shows('Summarizing…');
    await expect.poll(async () => (await readChat(store)).states).toEqual(['started']);
    const { code } = await run([...args, '--plain', '--telemetry-file', path('faster.jsonl')], {
      env,
      input: '/compress\n',
    });
    expect(code).toBe(0);
    await terminal.advance(60_000);
    const isOver = async (): Promise<boolean> => {
      await terminal.advance(500);
      return terminal.screen().includes('That is done.');
    };
    await expect.poll(isOver, { timeout: 20_000 }).toBe(true);
    expect(await rests(terminal)).toContain('Somebody else compacted this chat meanwhile; their summary stands.');
    expect(event()).toMatchObject({ status: 'superseded', goal_selection_method: 'auto' });
    await leave(terminal);
  });
});
