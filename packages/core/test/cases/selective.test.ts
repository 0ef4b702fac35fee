import { describe, expect, test } from 'vitest';
import { compact, type FormatName, preview } from '../../src/index.ts';
import { builders, scriptedSummarizer } from '../../src/testing/index.ts';

// s system, u user, a assistant, t assistant with a tool call, r tool result
const rows: readonly (readonly [pattern: string, retention: number, range: readonly [number, number] | undefined])[] = [
  ['suaaaua', 0, [2, 4]],
  ['suauaua', 0, undefined],
  ['suauaa', 0, [4, 5]],
  ['suttu', 0, [2, 3]],
  ['sutraau', 0, [2, 5]],
  ['utrutru', 0, [1, 2]],
  ['suaaauaa', 3, [2, 4]],
  ['suaaauaa', 5, undefined],
  ['sutrtrtrtr', 0, [2, 9]],
  ['sutrtrtrtr', 1, [2, 7]],
  ['sutrtrtrtr', 2, [2, 7]],
];

function build(pattern: string, format: FormatName): readonly unknown[] {
  const { user, assistant, call, result } = builders[format];
  let calls = 0;
  const write: Readonly<Record<string, () => unknown>> = {
    s: () => ({ role: 'system', content: 'Be brief.' }),
    u: () => user('Please go on.'),
    a: () => assistant('I looked at the file and found the bracket.'),
    t: () => {
      calls += 1;
      return call(`c${calls}`, 'read_file', { path: 'src/parser.ts' });
    },
    r: () => result(`c${calls}`, 'read_file', 'export function parse() {}'),
  };
  return [...pattern].map((letter) => write[letter]?.());
}

function rangeOf(pattern: string, format: FormatName, retentionWindow: number): readonly number[] {
  const input = { format, messages: build(pattern, format), policy: 'selective', window: 128_000 } as const;
  const { plan } = preview({ ...input, messageThreshold: 1, retentionWindow });
  return plan === undefined ? [] : [plan.head[0] ?? -1, plan.head.at(-1) ?? -1];
}

describe.each(['openai-chat', 'anthropic', 'ai-sdk', 'openai-responses'] as const)('%s', (format) => {
  test.each(rows)('%s with retention %i gives %j', (pattern, retention, range) => {
    expect(rangeOf(pattern, format, retention)).toEqual(range ?? []);
  });
});

test.each(rows.filter(([pattern]) => pattern.startsWith('s')))(
  'gemini, which has no system message: %s with retention %i',
  (pattern, retention, range) => {
    expect(rangeOf(pattern.slice(1), 'gemini', retention)).toEqual(range?.map((at) => at - 1) ?? []);
  },
);

test('the run becomes one assistant message; users and system messages are the very same objects', async () => {
  const messages = build('suaaaua', 'openai-chat').map((native, at) =>
    at > 1 && at < 5 ? { ...Object(native), content: 'I looked at it. '.repeat(40) } : native,
  );
  const summarizer = scriptedSummarizer({
    text: 'Sure.\n<summary>Looked at the file; the bracket is at 3:7.</summary>',
  });
  const input = {
    format: 'openai-chat',
    messages,
    policy: 'selective',
    window: 128_000,
    retentionWindow: 0,
    cause: 'manual',
  } as const;
  const outcome = await compact(input, { summarizer });
  expect(outcome.record?.text).toBe('Looked at the file; the bracket is at 3:7.');
  expect(outcome.messages).toEqual([
    messages[0],
    messages[1],
    { role: 'assistant', content: expect.stringContaining('3:7') },
    messages[5],
    messages[6],
  ]);
  for (const at of [0, 1]) expect(outcome.messages[at]).toBe(messages[at]);
});

test.each([
  { text: 'no tag at all', expected: 'no tag at all' },
  { text: 'before <note>inside</note> after', expected: 'inside' },
])('the tag is an option: $text', async ({ text, expected }) => {
  const messages = build('suaaau', 'openai-chat').map((native) => ({ ...Object(native), content: 'word '.repeat(60) }));
  const input = {
    format: 'openai-chat',
    messages,
    policy: 'selective',
    window: 128_000,
    retentionWindow: 0,
    summaryTag: 'note',
    cause: 'manual',
  } as const;
  expect((await compact(input, { summarizer: scriptedSummarizer({ text }) })).record?.text).toBe(expected);
});

test('one run per check, and a run that is a summary already is not compacted again', async () => {
  const long = build('uaaauaaau', 'openai-chat').map((native) => ({ ...Object(native), content: 'word '.repeat(60) }));
  const input = {
    format: 'openai-chat',
    policy: 'selective',
    window: 128_000,
    retentionWindow: 0,
    messageThreshold: 1,
  } as const;
  const summarizer = scriptedSummarizer('normal');
  const first = await compact({ ...input, messages: long }, { summarizer });
  const second = await compact({ ...input, messages: long, records: first.records }, { summarizer });
  const records = [...first.records, ...second.records];
  const third = await compact({ ...input, messages: long, records }, { summarizer });
  expect([first, second, third].map(({ messages }) => messages.length)).toEqual([7, 5, 5]);
  expect(third).toMatchObject({ status: 'noop', reason: 'nothing-to-cut' });
  expect(summarizer.briefs).toHaveLength(2);
});

test('untilBelow compacts runs in one call until the threshold is no longer reached', async () => {
  const long = build('uaaauaaauaaau', 'openai-chat').map((native) => ({
    ...Object(native),
    content: 'word '.repeat(60),
  }));
  const input = {
    format: 'openai-chat',
    policy: 'selective',
    window: 128_000,
    retentionWindow: 0,
    messages: long,
  } as const;
  const all = await compact({ ...input, messageThreshold: 1, untilBelow: true });
  expect(all.messages).toHaveLength(7);
  expect(all.counts).toMatchObject({ before: 13, after: 7, compressed: 9 });
  const some = await compact({ ...input, messageThreshold: 10, untilBelow: true });
  expect(some.messages).toHaveLength(9);
});

test('a retention window is widened to an atom boundary', () => {
  // The newest four are r u a a; r belongs to its call.
  expect(rangeOf('uaatruaa', 'openai-chat', 4)).toEqual([1, 2]);
});

test('a request over its window is compacted though its thresholds lie beyond', async () => {
  const long = 'a word of the story '.repeat(100);
  const messages = [
    { role: 'user', content: 'Tell me.' },
    ...['a', 'b', 'c'].map((name) => ({ role: 'assistant', content: `${name} ${long}` })),
    { role: 'user', content: 'And?' },
  ];
  const given = { format: 'openai-chat', messages, policy: 'selective', retentionWindow: 0 } as const;
  const outcome = await compact({ ...given, window: 800 });
  expect(outcome).toMatchObject({ status: 'compressed', reason: 'overflow' });
  expect(outcome.tokens.after).toBeLessThanOrEqual(800);
  expect((await compact({ ...given, window: 8000 })).reason).toBe('below-threshold');
});
