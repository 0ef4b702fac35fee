import { expect, test } from 'vitest';
import { type CompactInput, compact, createCompactor, type LogRecord, type Ports, presets } from '../../src/index.ts';
import { builders } from '../../src/testing/index.ts';

const { user, assistant } = builders['openai-chat'];
const words = 'plain words of a message '.repeat(200);
const messages = [user(words), assistant(words), user(words), assistant(words), user('Now?')];

// What a program has in its variables: whether they are set is known when it runs. That this compiles is half the test.
const unset: {
  readonly goal: string | undefined;
  readonly records: readonly LogRecord[] | undefined;
  readonly ids: readonly string[] | undefined;
  readonly number: number | undefined;
} = { goal: undefined, records: undefined, ids: undefined, number: undefined };

const PORTS: Ports = {
  summarizer: undefined,
  summarizerWindow: undefined,
  maxCalls: undefined,
  timeoutMs: undefined,
  counter: undefined,
  redactor: undefined,
  state: undefined,
  costs: undefined,
  now: undefined,
  newId: undefined,
  onEvent: undefined,
};

test('an optional field that is undefined is one that is not given', async () => {
  const plain = { format: 'openai-chat', messages, policy: 'snapshot', window: 4000 } as const;
  const { goal, records, ids, number } = unset;
  const input: CompactInput = {
    ...plain,
    ...{ system: undefined, tools: undefined, cause: undefined, calibration: undefined },
    goal,
    focus: goal,
    records,
    ids,
    target: number,
    keep: number,
  };
  const [given, left] = [await compact(input, PORTS), await compact(plain)];
  expect(given.status).toBe('compressed');
  expect(given.messages).toEqual(left.messages);
  const finished = presets.snapshot({ window: 4000, keep: number });
  expect((await compact({ format: 'openai-chat', messages, policy: finished, goal })).messages).toEqual(left.messages);
});

test('a session and its summarizer may leave undefined what they do not know', async () => {
  const { goal, records, number } = unset;
  const summarizer = () =>
    Promise.resolve({ text: 'In short.', finish: goal, usage: { inputTokens: number, outputTokens: number } });
  const compactor = createCompactor(
    { format: 'openai-chat', policy: 'threshold', window: 100_000, records, attempts: number },
    { ...PORTS, summarizer },
  );
  const { status, record } = await compactor.compact(messages, { cause: undefined, goal, focus: goal });
  // Forced, as it is where nobody names a cause.
  expect(status).toBe('compressed');
  expect(JSON.stringify(record?.usage)).not.toContain('null');
});

test('what a provider left out of its usage is reported as it is', () => {
  const { number } = unset;
  const compactor = createCompactor({ format: 'openai-chat', policy: 'threshold', window: 100_000 });
  compactor.decide(messages);
  // The AI SDK's `usage.inputTokens` is `number | undefined`; that this compiles is the test.
  compactor.afterModel({ promptTokens: number, partial: undefined });
  expect(compactor.calibration()).toBeUndefined();
});
