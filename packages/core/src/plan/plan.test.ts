import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { preview } from '../engine/preview.ts';
import type { CompactInput } from '../engine/request.ts';
import type { FormatName } from '../model/format.ts';

type Native = Readonly<Record<string, unknown>>;

// s system, u user, a assistant, t assistant with a tool call, r its result.
const DIALECTS: Readonly<
  Record<'openai-chat' | 'anthropic' | 'gemini', Readonly<Record<string, (id: string) => Native>>>
> = {
  'openai-chat': {
    s: () => ({ role: 'system', content: 'Be brief.' }),
    u: () => ({ role: 'user', content: 'A question.' }),
    a: () => ({ role: 'assistant', content: 'An answer.' }),
    t: (id) => ({
      role: 'assistant',
      tool_calls: [{ id, type: 'function', function: { name: 'f', arguments: '{}' } }],
    }),
    r: (id) => ({ role: 'tool', tool_call_id: id, content: 'a result' }),
  },
  anthropic: {
    u: () => ({ role: 'user', content: 'A question.' }),
    a: () => ({ role: 'assistant', content: 'An answer.' }),
    t: (id) => ({ role: 'assistant', content: [{ type: 'tool_use', id, name: 'f', input: {} }] }),
    r: (id) => ({ role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: 'a result' }] }),
  },
  gemini: {
    u: () => ({ role: 'user', parts: [{ text: 'A question.' }] }),
    a: () => ({ role: 'model', parts: [{ text: 'An answer.' }] }),
    t: () => ({ role: 'model', parts: [{ functionCall: { name: 'f', args: {} } }] }),
    r: () => ({ role: 'user', parts: [{ functionResponse: { name: 'f', response: { output: 'a result' } } }] }),
  },
};

function history(pattern: string, format: keyof typeof DIALECTS): readonly Native[] {
  let calls = 0;
  return [...pattern].map((letter) => {
    if (letter === 't') calls += 1;
    const make = DIALECTS[format][letter];
    if (make === undefined) throw new Error(`${format} has no ${letter}`);
    return make(`call_${calls}`);
  });
}

function ranges(input: CompactInput): string {
  const { plan } = preview({ ...input, cause: 'manual' });
  if (plan === undefined) return 'none';
  return `${plan.head[0]}-${plan.head.at(-1)}`;
}

const selective = (pattern: string, retentionWindow: number, format: keyof typeof DIALECTS = 'openai-chat'): string =>
  ranges({ format, messages: history(pattern, format), policy: 'selective', window: 100_000, retentionWindow });

describe('the earliest run', () => {
  test.each([
    ['suaaaua', 0, '2-4'],
    ['suauaua', 0, 'none'],
    ['suauaa', 0, '4-5'],
    ['suttu', 0, '2-3'],
    ['sutraau', 0, '2-5'],
    ['utrutru', 0, '1-2'],
    ['suaaauaa', 3, '2-4'],
    ['suaaauaa', 5, 'none'],
    ['sutrtrtrtr', 0, '2-9'],
    ['sutrtrtrtr', 1, '2-7'],
    ['sutrtrtrtr', 2, '2-7'],
  ])('%s, retention %i: %s', (pattern, retention, expected) => expect(selective(pattern, retention)).toBe(expected));

  test.each([
    ['utrutru', 0, '1-2'],
    ['utrtrtrtr', 0, '1-8'],
    ['utrtrtrtr', 1, '1-6'],
    ['utrtrtrtr', 2, '1-6'],
    ['uaaaua', 0, '1-3'],
  ] as const)('%s, retention %i, where results are user messages: %s', (pattern, retention, expected) => {
    expect(selective(pattern, retention, 'anthropic')).toBe(expected);
    expect(selective(pattern, retention, 'gemini')).toBe(expected);
  });

  test('a pending call ends a run', () => expect(selective('uaatrt', 0)).toBe('1-4'));
});

describe('the newest share', () => {
  const texts = ['first', 'second', 'third', 'fourth', 'fifth'].map((word) => `This is the ${word} message.`);
  const contents = texts.map((text, index) => ({ role: index % 2 === 0 ? 'user' : 'model', parts: [{ text }] }));
  const firstKept = (messages: readonly unknown[], keep: number, format: FormatName = 'gemini'): number | undefined =>
    preview({ format, messages, policy: 'snapshot', window: 100_000, keep, cause: 'manual' }).plan?.firstKept;

  test('u,m,u,m,u with half kept is cut at 4', () => expect(firstKept(contents, 0.5)).toBe(4));
  test('all of it goes where the conversation rests on an answer', () => {
    expect(firstKept(history('utra', 'openai-chat'), 0.3, 'openai-chat')).toBe(4);
  });
  test('one prompt with a tool loop in flight has nothing to cut', () => {
    expect(firstKept(history('utrtr', 'gemini'), 0.3)).toBeUndefined();
    const outcome = preview({
      format: 'gemini',
      messages: history('utrtr', 'gemini'),
      policy: 'snapshot',
      window: 9999,
      cause: 'manual',
    });
    expect(outcome).toMatchObject({ status: 'noop', reason: 'nothing-to-cut' });
  });
  test('the system message is not part of the history', () => {
    const plan = preview({
      format: 'openai-chat',
      messages: history('suauau', 'openai-chat'),
      policy: 'snapshot',
      window: 9999,
      cause: 'manual',
    }).plan;
    expect(plan).toMatchObject({ head: [1, 2, 3, 4], firstKept: 5, anchor: 1 });
  });
});

describe('since the last prompt', () => {
  const deliberate = (pattern: string, goal: string): string =>
    ranges({
      format: 'openai-chat',
      messages: history(pattern, 'openai-chat'),
      policy: 'deliberate',
      window: 100_000,
      goal,
    });

  test('a goal keeps the turn of the newest prompt', () => expect(deliberate('uauauautrtr', 'ship it')).toBe('0-5'));
  test('without one the percentage split decides', () => expect(deliberate('uauauautrtr', '')).toBe('0-5'));
  test('fewer than five messages fall back to the percentage split', () =>
    expect(deliberate('uauau', 'ship it')).toBe('0-3'));
});

describe('the recent ratio', () => {
  const sized = (pattern: string, sizes: readonly number[]): readonly Native[] =>
    [...pattern].map((letter, index) => ({
      role: letter === 'U' ? 'user' : 'assistant',
      content: 'x'.repeat(sizes[index] ?? 0),
    }));
  // Each message weighs its characters and four of overhead.
  const branch = (messages: readonly Native[], recentRatio: number) =>
    preview(
      { format: 'openai-chat', messages, policy: 'branch', window: 10_000, recentRatio, cause: 'manual' },
      { counter: (text) => text.length },
    );

  test('[U100,A100,U100,A50] with a budget of 60: older 1,2; recent 3,4', () => {
    const messages = sized('UAUA', [96, 96, 96, 46]);
    expect(branch(messages, 60 / 350).plan).toMatchObject({
      head: [0, 1],
      firstKept: 2,
      tokens: { head: 200, tail: 150 },
    });
  });
  test('without any prompt nothing is cut', () => {
    expect(branch(sized('AAA', [96, 96, 96]), 0.2)).toMatchObject({ status: 'noop', reason: 'no-prompt' });
  });
});

test('head and tail are the view, each entry once; the live prompt and pending calls are in the tail', () => {
  const letters = fc.string({ unit: fc.constantFrom('u', 'a', 'tr', 't', 's'), maxLength: 40 });
  const policies = fc.constantFrom('snapshot', 'deliberate', 'selective', 'branch', 'threshold');
  fc.assert(
    fc.property(letters, policies, (pattern, policy) => {
      const messages = history(pattern, 'openai-chat');
      const { plan, state } = preview({
        format: 'openai-chat',
        messages,
        policy,
        window: 5000,
        cause: 'manual',
      } as CompactInput);
      if (plan === undefined || state === undefined) return;
      expect([...plan.head, ...plan.tail].sort((a, b) => a - b)).toEqual(messages.map((_, index) => index));
      const { livePrompt, list } = state.atoms;
      if (livePrompt !== undefined) expect(plan.tail).toContain(livePrompt);
      for (const { first, last } of list) {
        expect(plan.head.includes(first)).toBe(plan.head.includes(last));
      }
      for (const { first, pending } of list) if (pending) expect(plan.tail).toContain(first);
    }),
  );
});
