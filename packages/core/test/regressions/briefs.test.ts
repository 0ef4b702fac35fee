import { expect, test } from 'vitest';
import {
  type Brief,
  type CompactInput,
  compact,
  estimateTokens,
  PRESET_NAMES,
  type PromptContext,
  presets,
  type Summarizer,
} from '../../src/index.ts';

const words = (count: number): string => 'word '.repeat(count);
const exchanged = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ role: at % 2 ? 'assistant' : 'user', content: `m${at} ${words(100)}` }));
const messages = [...exchanged(60), { role: 'user', content: 'live' }];
const input = { format: 'openai-chat', messages, policy: 'threshold', window: 16_000, cause: 'manual' } as const;
const bare = { format: 'openai-chat', messages, cause: 'manual' } as const;

/** A summarizer that keeps what it was asked. */
function listening(text = 'The user counted words up to m59.'): { briefs: Brief[]; summarizer: Summarizer } {
  const briefs: Brief[] = [];
  const summarizer: Summarizer = (brief) => {
    briefs.push(brief);
    return Promise.resolve({ text });
  };
  return { briefs, summarizer };
}

test.each([9000, 8000, 6000, 4000])(
  'one call reads what fits a window of %i, not the last part alone',
  async (size) => {
    const { briefs, summarizer } = listening();
    await compact(input, { summarizer, summarizerWindow: size, maxCalls: 1, counter: estimateTokens });
    const seen = [...(briefs[0]?.prompt ?? '').matchAll(/\bm(\d+) /g)].map(([, at]) => Number(at));
    expect(briefs).toHaveLength(1);
    expect(seen.at(-1)).toBe(59);
    // What it may read, less instructions, answer and one message that did not fit.
    expect(estimateTokens(briefs[0]?.prompt ?? '')).toBeGreaterThan(Math.min(size * 0.8 - 1500, 5500));
  },
);

test.each([
  '<analysis>SECRET</analysis>\n<thinking>SECRET</thinking>\nThe user counted words.',
  '<scratchpad>SECRET</scratchpad><scratchpad>SECRET</scratchpad>The user counted words.',
  'Let me think first.\n<scratchpad>SECRET</scratchpad>\nThe user counted words.',
  '<thinking lang="en">SECRET</thinking>\nThe user counted words.',
  '<reasoning>SECRET</reasoning> The user counted words.',
  '<THINK>SECRET\n</THINK> The user counted words.',
])('a scratchpad is no part of a summary: %j', async (text) => {
  for (const policy of ['threshold', 'branch', 'snapshot', 'deliberate', 'epitome'] as const) {
    const outcome = await compact({ ...input, policy }, { summarizer: listening(text).summarizer });
    expect(outcome.status).toBe('compressed');
    expect(JSON.stringify(outcome.messages)).toContain('counted words');
    expect(JSON.stringify(outcome.messages)).not.toContain('SECRET');
  }
});

test('a megabyte of scratchpads that are not closed is cleaned in good time', async () => {
  const from = performance.now();
  await compact(input, { summarizer: listening(`Done.\n${'<think>\n'.repeat(130_000)}`).summarizer });
  expect(performance.now() - from).toBeLessThan(5000);
});

test.each([900, 8192])('a goal and a focus of any length leave the summarizer room in a window of %i', async (size) => {
  const { briefs, summarizer } = listening();
  const told: CompactInput = { ...input, policy: 'deliberate', goal: words(60_000), focus: words(60_000) };
  await compact(told, { summarizer, summarizerWindow: size });
  expect(briefs.length).toBeGreaterThan(0);
  for (const { prompt } of briefs) expect(estimateTokens(prompt)).toBeLessThan(size);
});

test('a prompt that gives no text is told, and no model is asked', async () => {
  const { briefs, summarizer } = listening();
  const prompt = (() => undefined) as unknown as () => string;
  const outcome = await compact({ ...input, policy: 'selective', prompt, tokenThreshold: 100 }, { summarizer });
  expect(briefs).toEqual([]);
  expect(outcome.status === 'noop' || outcome.degraded).toBe(true);
});

test.each([() => '', () => 'Be short.', ({ prior }: PromptContext) => `Be short. ${prior}`])(
  'a prompt that leaves the conversation out gets it behind its text: the answer to nothing was the summary (%#)',
  async (prompt) => {
    const { briefs, summarizer } = listening('<summary>The user counted words.</summary>');
    const said = [...messages.slice(0, -1), { role: 'user', content: 'mind </conversation> $&' }, ...exchanged(3)];
    const policy = presets.snapshot({ window: 100_000 });
    await compact({ ...bare, messages: said, policy: { ...policy, prompt } }, { summarizer });
    expect(briefs).toHaveLength(1);
    expect(briefs[0]?.prompt).toContain('<conversation>\n[user]\nm0 word');
    expect(briefs[0]?.prompt.split('</conversation>')).toHaveLength(2);
  },
);

test('a prompt that places the conversation gets it once', async () => {
  const { briefs, summarizer } = listening();
  const prompt = ({ conversation }: PromptContext): string => JSON.stringify({ conversation });
  await compact({ ...bare, policy: { ...presets.snapshot({ window: 100_000 }), prompt } }, { summarizer });
  expect(briefs[0]?.prompt.split('m0 word')).toHaveLength(2);
});

test.each([300, 500, 800, 1500, 4000])(
  'law 33: a brief fits a summarizer window of %i, and nobody is asked what does not',
  async (summarizerWindow) => {
    for (const policy of PRESET_NAMES) {
      const { briefs, summarizer } = listening();
      const asked = { format: 'openai-chat', messages, window: 16_000, cause: 'manual', goal: 'count words' } as const;
      const outcome = await compact({ ...asked, policy }, { summarizer, summarizerWindow, counter: estimateTokens });
      const sizes = briefs.map(({ system, prompt }) => estimateTokens(system) + estimateTokens(prompt));
      expect(Math.max(0, ...sizes)).toBeLessThanOrEqual(summarizerWindow);
      expect(briefs.some(({ prompt }) => prompt.includes('<focus>'))).toBe(false);
      if (policy !== 'selective') expect(outcome.status).toBe('compressed');
    }
  },
);

test.each([2000, 3100, 5000, 100_000])(
  "law 33: the caller's own prompt of %i tokens counts, and what has no room beside it is not asked",
  async (size) => {
    const { briefs, summarizer } = listening();
    const prompt = ({ conversation }: PromptContext): string => `${'rule '.repeat(size)}\n${conversation}`;
    const policy = { ...presets.snapshot({ window: 100_000 }), prompt };
    const outcome = await compact({ ...bare, policy }, { summarizer, summarizerWindow: 4000, counter: estimateTokens });
    const sizes = briefs.map(({ system, prompt: text }) => estimateTokens(system) + estimateTokens(text));
    expect(Math.max(0, ...sizes)).toBeLessThanOrEqual(4000);
    expect(outcome).toMatchObject({ status: 'compressed', degraded: briefs.length === 0 });
  },
);

const HALF = '\ud83d';
const lone: readonly (readonly [string, Partial<CompactInput>, string])[] = [
  ['a prompt', { messages: [{ role: 'user', content: `hi ${HALF} there` }, ...messages] }, ''],
  ['a tool result', { messages: [{ role: 'user', content: 'go' }, ...calledWith(HALF), ...messages] }, ''],
  ['the goal', { goal: `count ${HALF} words` }, ''],
  ['the focus', { focus: `count ${HALF} words` }, ''],
  ['the notes of a part', {}, `The user counted ${HALF} words up to m59.`],
];

function calledWith(content: string): readonly unknown[] {
  const call = { id: 'a', type: 'function', function: { name: 'read', arguments: '{}' } };
  return [
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: 'a', content },
  ];
}

test.each(lone)('half a surrogate pair in %s does not reach a summarizer', async (_, changed, text) => {
  const { briefs, summarizer } = listening(text === '' ? undefined : text);
  for (const policy of PRESET_NAMES)
    for (const summarizerWindow of [4000, 100_000])
      await compact({ ...input, ...changed, policy }, { summarizer, summarizerWindow });
  expect(briefs.map(({ purpose }) => purpose)).toEqual(expect.arrayContaining(['summary', 'chunk', 'merge']));
  for (const { system, prompt } of briefs) expect([system, prompt].every((part) => part.isWellFormed())).toBe(true);
});
