import { describe, expect, test } from 'vitest';
import { presets } from '../presets/index.ts';
import { compact } from './compact.ts';
import type { CompactionEvent } from './events.ts';
import { preview } from './preview.ts';
import type { CompactInput } from './request.ts';

const user = (content: string) => ({ role: 'user', content });
const assistant = (content: string) => ({ role: 'assistant', content });
const words = (count: number): string => 'several plain words of text '.repeat(Math.ceil(count / 5));

const history = [user(words(300)), assistant(words(300)), user(words(300)), assistant(words(300)), user('And now?')];
const input: CompactInput = { format: 'openai-chat', messages: history, policy: 'snapshot', window: 2000 };
const says = (text: string, finish?: string) => ({
  summarizer: () => Promise.resolve(finish === undefined ? { text } : { text, finish }),
});

describe('statuses', () => {
  test.each([
    ['compressed', {}, says('The user asked two things and got two answers.')],
    ['compressed', {}, { summarizer: () => Promise.reject(new Error('connection reset')) }],
    ['noop', { window: 1_000_000 }, says('unused')],
    ['failed-inflated', {}, says(words(9000))],
    ['failed-empty-summary', {}, says('   ')],
    ['failed-empty-summary', {}, says("I'm sorry, but I can't help with that.")],
    ['failed-empty-summary', {}, says('Error: 500 Internal Server Error')],
    ['failed-empty-summary', {}, says('A fine text.', 'content-filter')],
    ['failed-token-count', {}, { counter: () => Number.NaN }],
    ['truncated', { window: 430, system: words(330), threshold: 1 }, {}],
  ] as const)('%s is reached', async (status, options, ports) => {
    const outcome = await compact({ ...input, ...options }, ports);
    expect(outcome.status).toBe(status);
    if (status.startsWith('failed') || status === 'noop') expect(outcome.messages).toBe(history);
  });
});

test('a failed call gives a mechanical summary that says it is degraded', async () => {
  const outcome = await compact(input, { summarizer: () => Promise.reject(new Error('connection reset')) });
  expect(outcome).toMatchObject({ method: 'mechanical', degraded: true });
  expect(outcome.findings).toContainEqual({ code: 'summarizer-failed', detail: 'connection reset' });
});

test('a call that never answers ends at its deadline', async () => {
  const outcome = await compact(input, { summarizer: () => new Promise(() => {}), timeoutMs: 20 });
  expect(outcome).toMatchObject({ status: 'compressed', method: 'mechanical', degraded: true });
  expect(outcome.findings).toContainEqual({ code: 'summarizer-timeout', detail: 'no answer within 0.02 s' });
});

test('an abort that comes just before the model is asked is heeded: nobody waits for the answer', async () => {
  const controller = new AbortController();
  let calls = 0;
  const summarizer = (): Promise<never> => {
    calls += 1;
    return new Promise(() => {});
  };
  // The prompt is written behind the last look at the signal.
  const prompt = (): string => {
    controller.abort(new Error('gone'));
    return 'Summarize.';
  };
  const policy = { ...presets.snapshot({ window: 2000 }), prompt };
  const due: CompactInput = { format: 'openai-chat', messages: history, policy, cause: 'manual' };
  const running = compact(due, { summarizer }, controller.signal);
  await expect(running).rejects.toThrow('gone');
  expect(calls).toBe(0);
});

test('an abort is thrown, not turned into an outcome', async () => {
  const controller = new AbortController();
  const running = compact(input, { summarizer: () => new Promise(() => {}) }, controller.signal);
  controller.abort(new Error('the user left'));
  await expect(running).rejects.toThrow('the user left');
});

test('every start has exactly one end, and what is not due has neither', async () => {
  const seen: string[] = [];
  const onEvent = (event: CompactionEvent): unknown => seen.push(event.kind);
  await compact({ ...input, window: 1_000_000 }, { onEvent });
  expect(seen).toEqual([]);
  await compact(input, { onEvent });
  expect(seen).toEqual(['compaction-start', 'compaction-end']);
});

test('a summary in the history is integrated, not nested', async () => {
  const first = await compact(input, says('<state_snapshot>FIRST</state_snapshot>'));
  const messages = [...first.messages, assistant(words(900)), user(words(200)), assistant(words(400)), user('Then?')];
  const prompts: string[] = [];
  const summarizer = ({ prompt }: { prompt: string }) => {
    prompts.push(prompt);
    return Promise.resolve({ text: '<state_snapshot>SECOND</state_snapshot>' });
  };
  const second = await compact({ ...input, messages }, { summarizer });
  expect(prompts[0]).toContain('<prior_summary>\n<state_snapshot>\nFIRST');
  const text = JSON.stringify(second.messages);
  expect(text).toContain('SECOND');
  expect(text).not.toContain('FIRST');
  expect(text.split('<conversation_summary').length - 1).toBe(1);
});

test('a preview names what a run would replace, and changes nothing', () => {
  const seen = preview(input);
  expect(seen).toMatchObject({ status: 'compressed', reason: 'threshold', plan: { head: [0, 1, 2, 3], firstKept: 4 } });
});

test('a kept result that answers nothing is left out, and the record says so', async () => {
  const orphan = { role: 'tool', tool_call_id: 'gone', content: 'nobody asked' };
  const messages = [...history.slice(0, 4), user('Now?'), orphan, assistant('Fine.'), user('And now?')];
  const outcome = await compact({ ...input, messages }, says('Two questions, two answers.'));
  expect(outcome.messages.slice(-3)).toEqual([user('Now?'), assistant('Fine.'), user('And now?')]);
  expect(outcome.findings.map(({ code }) => code)).toEqual(['orphan-dropped']);
});

test.each([
  [{ messages: 'hello' }, '`messages` must be an array, not a string.'],
  [{ messages: null }, '`messages` must be an array, not null.'],
  [{ records: 'x' }, '`records` must be an array, not a string.'],
  [{ cause: 'whim' }, '`cause` is "whim"; it takes automatic, manual, agent, overflow.'],
  [{ policy: {} }, "`policy` must be a preset's name or what a preset returned."],
  [{ ids: ['1'] }, 'There are 1 `ids` for 5 messages.'],
  [{ ids: ['1', '1', '2', '3', '4'] }, '`ids` must all differ.'],
  [{ format: 'xml' }, 'There is no format "xml"; there are openai-chat, openai-responses, anthropic, gemini, ai-sdk.'],
])('misuse is thrown, and says what was found: %j', async (wrong, message) => {
  await expect(compact({ ...input, ...wrong } as CompactInput)).rejects.toThrow(message);
});

test('nobody is told of a start where nothing can be cut, however long the request is', async () => {
  const seen: string[] = [];
  const messages = [{ role: 'user', content: 'plain words '.repeat(200) }];
  const outcome = await compact(
    { format: 'openai-chat', messages, policy: 'snapshot', window: 60 },
    { onEvent: ({ kind }) => seen.push(kind) },
  );
  expect(outcome.status).toBe('noop');
  expect(outcome.findings.map(({ code }) => code)).toContain('unshrinkable');
  expect(seen).toEqual([]);
});
