import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Brief } from '../model/brief.ts';
import { presets } from '../presets/index.ts';
import { pastOf } from '../record/past.ts';
import { compact } from './compact.ts';
import { createCompactor } from './compactor.ts';
import type { Ports } from './ports.ts';
import { preview } from './preview.ts';

const words = (count: number): string => 'some words to count here '.repeat(count / 5);
const user = (text: string) => ({ role: 'user', content: text });
const assistant = (text: string) => ({ role: 'assistant', content: text });
const grown = (exchanges: number): unknown[] =>
  Array.from({ length: exchanges }, (_, index) => [
    user(`q${index} ${words(100)}`),
    assistant(`a${index} ${words(100)}`),
  ]).flat();
const summarizer = () => Promise.resolve({ text: 'A short summary.' });
const create = (ports: Ports = {}, window = 4000) =>
  createCompactor({ format: 'openai-chat', policy: 'snapshot', window }, { summarizer, ...ports });

describe('a session', () => {
  test.each(['after a compaction', 'after an undo'])(
    'is told of a log kept elsewhere as if it were its own, %s',
    async (when) => {
      const world = { now: () => 1000 };
      const keeper = create(world);
      const messages = [...grown(13), user('now')];
      expect(await keeper.beforeModel(messages)).toMatchObject({ status: 'compressed' });
      const made = keeper.view(messages).length;
      if (when === 'after an undo') keeper.undo();
      const elsewhere = {
        past: pastOf(keeper.records()),
        seen: when === 'after an undo' ? messages.length : made,
      };
      const told = create(world);
      for (const more of [0, 1, 6]) {
        const all = [...messages, ...grown(more)];
        expect(told.decide(keeper.view(all), 'automatic', elsewhere)).toEqual(keeper.decide(all));
      }
      const untold = told.decide(messages);
      expect(untold.compact).toBe(true);
      expect(untold.messagesSince).toBe(messages.length);
    },
  );

  test('shows the given list itself until something is due, and then a view that later messages extend', async () => {
    const compactor = create();
    const messages = grown(5);
    const first = await compactor.beforeModel(messages);
    expect(first).toMatchObject({ status: 'noop', reason: 'below-threshold' });
    expect(first.messages).toBe(messages);
    messages.push(...grown(8), user('now'));
    const second = await compactor.beforeModel(messages);
    expect(second.status).toBe('compressed');
    messages.push(assistant('ok'), user('next'));
    const third = await compactor.beforeModel(messages);
    expect(third.status).toBe('noop');
    expect(third.messages).toEqual([...second.messages, assistant('ok'), user('next')]);
  });

  test('decides the same from running figures as from scratch, in both ways of keeping the history', async () => {
    for (const replaces of [false, true]) {
      const compactor = create();
      let messages: readonly unknown[] = [];
      for (const message of grown(60)) {
        messages = [...messages, message];
        const fresh = createCompactor({
          format: 'openai-chat',
          policy: 'snapshot',
          window: 4000,
          records: compactor.records(),
        });
        const decision = compactor.decide(messages);
        const { tokens, reason } = fresh.decide(messages);
        expect([decision.reason, decision.tokens]).toEqual([reason, tokens]);
        const outcome = await compactor.beforeModel(messages);
        if (replaces) messages = outcome.messages;
      }
      expect(compactor.records().length).toBeGreaterThan(1);
    }
  });

  test('runs one compaction at a time, and messages that arrive meanwhile stand behind the summary', async () => {
    let answer: (draft: { text: string }) => void = () => {};
    const draft = new Promise<{ text: string }>((resolve) => {
      answer = resolve;
    });
    const compactor = create({ summarizer: () => draft });
    const messages = [...grown(13), user('now')];
    const running = compactor.beforeModel(messages);
    const later = [...messages, assistant('meanwhile'), user('and this')];
    expect(await compactor.beforeModel(later)).toMatchObject({
      status: 'noop',
      reason: 'in-progress',
      messages: later,
    });
    expect(await compactor.compact(later)).toMatchObject({ status: 'noop', reason: 'in-progress' });
    answer({ text: 'Summary of what came before.' });
    const outcome = await running;
    expect(outcome.status).toBe('compressed');
    expect(compactor.view(later)).toEqual([...outcome.messages, assistant('meanwhile'), user('and this')]);
    expect(compactor.records().length).toBe(1);
  });

  test('does not ask the model again after a failure until the history grew by a tenth', async () => {
    const briefs: Brief[] = [];
    const failing = (brief: Brief) => {
      briefs.push(brief);
      return Promise.resolve({ text: '' });
    };
    const compactor = create({ summarizer: failing }, 4000);
    const messages = [...grown(11), user('now')];
    expect((await compactor.beforeModel(messages)).status).toBe('failed-empty-summary');
    expect(await compactor.beforeModel([...messages, assistant('x')])).toMatchObject({
      status: 'noop',
      reason: 'latched',
    });
    expect((await compactor.compact(messages)).status).toBe('failed-empty-summary');
    expect((await compactor.beforeModel(messages)).reason).toBe('latched');
    expect(briefs.length).toBe(2);
    expect((await compactor.beforeModel([...messages, assistant(words(400))])).status).toBe('failed-empty-summary');
    expect(briefs.length).toBe(3);
  });

  test('undo shows the originals again and redo the summary', async () => {
    const compactor = create();
    const messages = [...grown(13), user('now')];
    const { messages: compacted } = await compactor.beforeModel(messages);
    compactor.undo();
    expect(compactor.view(messages)).toBe(messages);
    compactor.redo();
    expect(compactor.view(messages)).toEqual(compacted);
  });

  test('a focus steers one compaction and stays out of the context', async () => {
    const briefs: Brief[] = [];
    const compactor = create({
      summarizer: (brief) => {
        briefs.push(brief);
        return Promise.resolve({ text: 'A short summary.' });
      },
    });
    const { messages } = await compactor.compact(grown(8), { focus: 'the login redirect' });
    expect(briefs[0]?.prompt).toContain('<focus>\nthe login redirect');
    expect(JSON.stringify(messages)).not.toContain('login redirect');
  });

  test('an edited history is a branch: the summary of the other one does not show', async () => {
    const compactor = create();
    const messages = [...grown(13), user('now')];
    await compactor.beforeModel(messages);
    const edited = [user('something else entirely'), ...grown(2)];
    expect(compactor.view(edited)).toBe(edited);
  });

  test('a counter that fails leaves the history as it is', async () => {
    const compactor = create({
      counter: () => {
        throw new Error('no vocabulary');
      },
    });
    const messages = grown(3);
    expect(compactor.decide(messages)).toMatchObject({ compact: false, reason: 'counter-failed' });
    const outcome = await compactor.beforeModel(messages);
    expect(outcome).toMatchObject({
      status: 'failed-token-count',
      findings: [{ detail: 'The counter threw: no vocabulary' }],
    });
    expect(outcome.messages).toBe(messages);
  });
});

describe('calibration', () => {
  const text = (characters: number) => user('x'.repeat(characters));
  const guard = (window: number) => createCompactor({ format: 'openai-chat', policy: 'threshold', window });

  test('doubles before any real count, then follows it', async () => {
    const compactor = guard(1_000_000);
    const messages = [text(400)];
    expect(compactor.decide(messages).tokens).toBe(200);
    await compactor.beforeModel(messages);
    compactor.afterModel({ promptTokens: 300 });
    messages.push(text(400));
    expect(compactor.decide(messages).tokens).toBe(600);
  });

  test('ignores partial and missing usage', async () => {
    const compactor = guard(1_000_000);
    const messages = [text(400)];
    await compactor.beforeModel(messages);
    compactor.afterModel({ promptTokens: 999, partial: true });
    compactor.afterModel({});
    compactor.afterModel({ promptTokens: 0 });
    expect(compactor.decide(messages).tokens).toBe(200);
  });

  test('a large tool result counts by the learnt factor: 140k real at 70k, then 80,000 characters: 180k', async () => {
    const compactor = guard(200_000);
    const messages: unknown[] = [text(280_000)];
    compactor.decide(messages);
    await compactor.beforeModel(messages);
    compactor.afterModel({ promptTokens: 140_000 });
    messages.push(text(80_000));
    expect(compactor.decide(messages)).toMatchObject({ tokens: 180_000, compact: true, reason: 'buffer-reached' });
  });

  test('is forgotten after a compaction, so that a stale factor cannot start the next one', async () => {
    const compactor = guard(10_000);
    const messages = [text(12_000), assistant('done'), user('go on')];
    await compactor.beforeModel(messages);
    compactor.afterModel({ promptTokens: 9000 });
    messages.push(assistant('more'), user('and on'));
    expect((await compactor.beforeModel(messages)).status).toBe('compressed');
    messages.push(assistant('yes'), user('again'));
    expect((await compactor.beforeModel(messages)).reason).toBe('below-threshold');
  });
});

test('a real count of the old request does not make the compacted one look large', async () => {
  const calls: Brief[] = [];
  const counted = (brief: Brief) => {
    calls.push(brief);
    return Promise.resolve({ text: 'A short summary.' });
  };
  const compactor = createCompactor(
    { format: 'openai-chat', policy: 'threshold', window: 12_000 },
    { summarizer: counted },
  );
  const messages = [...grown(13), user('now')];
  await compactor.beforeModel(messages);
  compactor.afterModel({ promptTokens: 10_500 });
  const outcome = await compactor.beforeModel([...messages, assistant('ok'), user('next')]);
  expect(outcome.status).toBe('compressed');
  expect(outcome.tokens.before).toBeGreaterThanOrEqual(10_500);
  expect(outcome.findings.map(({ code }) => code)).toEqual(['chunked']);
  expect(outcome.tokens.after).toBeLessThan(1000);
  expect(calls.length).toBe(3);
});

test('a view can be had where the counter fails, and records in force stay in force', async () => {
  const messages = [...grown(13), user('now')];
  const first = await compact({ format: 'openai-chat', messages, policy: 'snapshot', window: 4000 }, { summarizer });
  const broken = { counter: () => Number.NaN };
  const records = first.records;
  const again = await compact({ format: 'openai-chat', messages, policy: 'snapshot', window: 4000, records }, broken);
  expect(again).toMatchObject({ status: 'failed-token-count', messages: first.messages });
  const session = createCompactor({ format: 'openai-chat', policy: 'snapshot', window: 4000, records }, broken);
  expect(session.view(messages)).toEqual(first.messages);
});

test('a listener that throws does not lose the compaction', async () => {
  const onEvent = (): never => {
    throw new Error('the listener is broken');
  };
  const compactor = create({ onEvent });
  expect((await compactor.beforeModel([...grown(13), user('now')])).status).toBe('compressed');
  expect(compactor.records().length).toBe(1);
});

test('runs until below a threshold share one limit of model calls', async () => {
  let calls = 0;
  const ports: Ports = {
    maxCalls: 2,
    summarizer: () => {
      calls += 1;
      return Promise.resolve({ text: 'Short.' });
    },
  };
  const messages = Array.from({ length: 20 }, () => [user('q'), assistant(words(100)), assistant(words(100))]).flat();
  const input = {
    format: 'openai-chat',
    messages,
    policy: 'selective',
    window: 100_000,
    tokenThreshold: 100,
    untilBelow: true,
  } as const;
  const { counts, records } = await compact(input, ports);
  expect(calls).toBe(2);
  expect(records.length).toBeGreaterThan(2);
  expect(counts.compressed + counts.preserved).toBe(counts.before);
});

const anyMessage = fc.constantFrom<unknown>(
  user('words'),
  assistant('words'),
  { role: 'system', content: 'rules' },
  { role: 'assistant', tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } }] },
  {
    role: 'assistant',
    tool_calls: ['a', 'b'].map((id) => ({ id, type: 'function', function: { name: 'f', arguments: '{}' } })),
  },
  { role: 'tool', tool_call_id: 'a', content: 'result' },
  { role: 'tool', tool_call_id: 'b', content: 'result' },
);

test('running figures and figures from scratch lead to the same decision', () => {
  const policy = presets.deliberate({ window: 12 });
  fc.assert(
    fc.property(fc.array(anyMessage, { maxLength: 12 }), (messages) => {
      const session = createCompactor({ format: 'openai-chat', policy });
      for (let length = 1; length < messages.length; length += 2) session.decide(messages.slice(0, length));
      expect(session.decide(messages)).toEqual(preview({ format: 'openai-chat', messages, policy }).decision);
    }),
  );
});
