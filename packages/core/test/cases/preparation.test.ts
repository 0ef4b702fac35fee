import { expect, test } from 'vitest';
import { createCompactor, type Summarizer } from '../../src/index.ts';

const words = (count: number): string => 'plain words of a message '.repeat(Math.ceil(count / 5));
const turn = (at: number): readonly unknown[] => [
  { role: 'user', content: `Question ${at}: ${words(200)}` },
  { role: 'assistant', content: `Answer ${at}: ${words(200)}` },
];

/** Waits until something holds; what is loaded lazily takes its time. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 1));
}

/** A summarizer that answers when it is told to. */
function slow(): { summarizer: Summarizer; asked: number; answer: (text?: string) => void; signals: AbortSignal[] } {
  const waiting: ((text: string) => void)[] = [];
  const kit = {
    asked: 0,
    signals: [] as AbortSignal[],
    answer: (text = 'The story so far.') => {
      for (const done of waiting.splice(0)) done(text);
    },
    summarizer: (_brief: unknown, signal: AbortSignal) => {
      kit.asked += 1;
      kit.signals.push(signal);
      return new Promise<{ text: string }>((resolve) => waiting.push((text) => resolve({ text })));
    },
  };
  return kit;
}

// 10,000 tokens: compacts at 7,000, prepares from 5,950 on; a turn is some 420.
const input = { format: 'openai-chat', window: 10_000, mask: false } as const;
const NEAR = 15;
const DUE = 17;
const history = (turns: number): unknown[] => Array.from({ length: turns }, (_, at) => turn(at)).flat();

test('near the trigger a summary is begun, nobody waits, and the view stays as it is', async () => {
  const model = slow();
  const compactor = createCompactor(input, model);
  const messages = history(NEAR);
  const outcome = await compactor.beforeModel(messages);
  expect(outcome).toMatchObject({ status: 'noop', reason: 'below-threshold' });
  expect(outcome.messages).toBe(messages);
  await until(() => model.asked === 1);
  expect(model.asked).toBe(1);
  await compactor.beforeModel(messages);
  expect(model.asked).toBe(1);
});

test('at the trigger what was prepared is swapped in at once, with what came meanwhile behind it', async () => {
  const model = slow();
  const compactor = createCompactor(input, model);
  const messages = history(NEAR);
  await compactor.beforeModel(messages);
  await until(() => model.asked === 1);
  model.answer();
  await compactor.settled();
  for (let at = NEAR; at < DUE; at += 1) messages.push(...turn(at));
  const outcome = await compactor.beforeModel(messages);
  expect(outcome).toMatchObject({ status: 'compressed', reason: 'prepared', method: 'model' });
  expect(model.asked).toBe(1);
  expect(outcome.messages.slice(-4)).toEqual(messages.slice(-4));
  expect(JSON.stringify(outcome.messages[0])).toContain('The story so far.');
  expect(outcome.tokens.after).toBeLessThan(outcome.tokens.before);
  expect(compactor.view(messages)).toEqual(outcome.messages);
  expect(compactor.records()).toHaveLength(1);
});

test('what is still under way at the trigger is waited for, not begun again', async () => {
  const model = slow();
  const compactor = createCompactor(input, model);
  const messages = history(NEAR);
  await compactor.beforeModel(messages);
  for (let at = NEAR; at < DUE; at += 1) messages.push(...turn(at));
  const running = compactor.beforeModel(messages);
  await until(() => model.asked === 1);
  model.answer();
  expect(model.asked).toBe(1);
  expect((await running).status).toBe('compressed');
});

test.each<[what: string, change: (messages: unknown[]) => unknown[]]>([
  ['an edited history', (messages) => [{ role: 'user', content: 'Another start.' }, ...messages.slice(1)]],
  ['a history that was cut', (messages) => [...messages.slice(0, 4), ...history(DUE + 1).slice(2)]],
])('what was prepared for another history is never published: %s', async (_what, change) => {
  const model = slow();
  const compactor = createCompactor(input, model);
  await compactor.beforeModel(history(NEAR));
  await until(() => model.asked === 1);
  model.answer('Of the old history.');
  await compactor.settled();
  const running = compactor.beforeModel(change(history(DUE + 1)));
  await until(() => model.asked === 2);
  model.answer('Of the new history.');
  const { messages, status } = await running;
  expect(status).toBe('compressed');
  expect(JSON.stringify(messages)).toContain('Of the new history.');
  expect(JSON.stringify(messages)).not.toContain('Of the old history.');
});

test('a compaction that was asked for stops the one in the background', async () => {
  const model = slow();
  const compactor = createCompactor(input, model);
  const messages = history(NEAR);
  await compactor.beforeModel(messages);
  await until(() => model.asked === 1);
  const running = compactor.compact(messages);
  await until(() => model.asked === 2);
  expect(model.signals[0]?.aborted).toBe(true);
  model.answer();
  expect((await running).record?.reason).toBe('forced');
  expect(compactor.records()).toHaveLength(1);
});

test('an abort at the trigger stops what is waited for, and leaves no record', async () => {
  const model = slow();
  const compactor = createCompactor(input, model);
  const messages = history(NEAR);
  await compactor.beforeModel(messages);
  const stop = new AbortController();
  const running = compactor.beforeModel(history(DUE), {}, stop.signal);
  await until(() => model.asked === 1);
  stop.abort(new Error('enough'));
  await expect(running).rejects.toThrow('enough');
  expect(compactor.records()).toEqual([]);
});

test.each([
  ['without a model: the digest is made at once', { ...input }, false],
  ['switched off', { ...input, prepareShare: 'off' as const }, true],
])('nothing is prepared %s', async (_why, given, hasModel) => {
  const model = slow();
  const compactor = createCompactor(given, hasModel ? model : {});
  await compactor.beforeModel(history(NEAR));
  await compactor.settled();
  expect(model.asked).toBe(0);
  expect(compactor.records()).toEqual([]);
});

test('whoever appends the records of every outcome holds the log of the session, also where preparing was not enough', async () => {
  const model = slow();
  const compactor = createCompactor(input, model);
  const messages = history(NEAR);
  const log: unknown[] = [...(await compactor.beforeModel(messages)).records];
  await until(() => model.asked === 1);
  model.answer();
  await compactor.settled();
  // So much came meanwhile that the prepared summary alone does not bring it below the trigger.
  for (let at = NEAR; at < NEAR + 14; at += 1) messages.push(...turn(at));
  const running = compactor.beforeModel(messages);
  await until(() => model.asked === 2);
  model.answer();
  const outcome = await running;
  log.push(...outcome.records);
  expect(outcome.records).toHaveLength(2);
  expect(log).toEqual(compactor.records());
  expect(outcome.tokens.before).toBeGreaterThan(10_000);
});

// Thinking is bound to the view it was written behind (A12).
const thought = (at: number): readonly unknown[] => [
  { role: 'user', content: `Question ${at}: ${words(200)}` },
  {
    role: 'assistant',
    content: [
      { type: 'thinking', thinking: 'I look at it.', signature: `s${at}` },
      { type: 'text', text: `Answer ${at}: ${words(200)}` },
    ],
  },
];
const step = (at: number): readonly unknown[] => [
  {
    role: 'assistant',
    content: [
      { type: 'thinking', thinking: 'I run it.', signature: `t${at}` },
      { type: 'tool_use', id: `u${at}`, name: 'run', input: {} },
    ],
  },
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: `u${at}`, content: words(200) }] },
];

async function preparedOn(messages: unknown[]) {
  const model = slow();
  const compactor = createCompactor({ ...input, format: 'anthropic' }, model);
  await compactor.beforeModel(messages);
  await until(() => model.asked === 1);
  model.answer();
  await compactor.settled();
  return { compactor, model };
}

test('thinking that was written while a summary was prepared does not stand behind it', async () => {
  const messages = history(NEAR);
  const { compactor } = await preparedOn(messages);
  for (let at = NEAR; at < DUE; at += 1) messages.push(...thought(at));
  messages.push({ role: 'user', content: 'Go on.' });
  const outcome = await compactor.beforeModel(messages);
  expect(outcome.reason).toBe('prepared');
  expect(JSON.stringify(outcome.messages)).toContain(`Answer ${DUE - 1}`);
  expect(JSON.stringify(outcome.messages)).not.toContain('"thinking"');
  expect(outcome.record?.findings).toContainEqual(expect.objectContaining({ code: 'reasoning-dropped' }));
  messages.push(...thought(DUE).slice(1));
  expect(JSON.stringify(compactor.view(messages))).toContain(`"s${DUE}"`);
});

test('what was prepared is not published into a turn whose thinking must stay', async () => {
  const messages = history(NEAR);
  const { compactor, model } = await preparedOn(messages);
  messages.push({ role: 'user', content: 'Run it.' });
  for (let at = 0; at < 7; at += 1) messages.push(...step(at));
  const running = compactor.beforeModel(messages);
  await until(() => model.asked === 2);
  model.answer();
  const outcome = await running;
  const shown = JSON.stringify(outcome.messages);
  expect(outcome.reason).not.toBe('prepared');
  // The turn stays with all of its past, or goes as a whole.
  expect(shown.includes('"thinking"')).toBe(outcome.messages === messages);
});
