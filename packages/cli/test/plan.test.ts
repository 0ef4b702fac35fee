import { FORMAT_NAMES } from 'epitome';
import { beforeAll, expect, test } from 'vitest';
import { widthOf } from '../src/output/text.ts';
import { session } from './conversations.ts';
import { ensureBuilt, run } from './kit.ts';

beforeAll(ensureBuilt, 120_000);

/** A conversation from a pattern: s system, u user, a assistant, t assistant with a call, r its result. */
function pattern(letters: string): readonly object[] {
  let calls = 0;
  return [...letters].map((letter, index) => {
    const content = `message ${index} `.repeat(20);
    if (letter === 't') calls += 1;
    const call = { id: `c${calls}`, type: 'function', function: { name: 'f', arguments: '{}' } };
    if (letter === 't') return { role: 'assistant', content, tool_calls: [call] };
    if (letter === 'r') return { role: 'tool', tool_call_id: `c${calls}`, content };
    return { role: letter === 's' ? 'system' : letter === 'u' ? 'user' : 'assistant', content };
  });
}

const selective = ['plan', '--json', '--force', '--preset', 'selective', '-w', '100k'];

test.each([
  ['suaaaua', 0, [[2, 4]]],
  ['suauaua', 0, []],
  ['suauaa', 0, [[4, 5]]],
  ['sutraau', 0, [[2, 5]]],
  ['utrutru', 0, [[1, 2]]],
  ['suaaauaa', 3, [[2, 4]]],
  ['suaaauaa', 5, []],
  ['sutrtrtrtr', 0, [[2, 9]]],
  ['sutrtrtrtr', 1, [[2, 7]]],
])('selective on %s with retention %i takes %j', async (letters, retention, ranges) => {
  const args = [...selective, '--set', `retentionWindow=${retention}`];
  const { code, stdout } = await run(args, { input: JSON.stringify(pattern(letters)) });
  expect(code).toBe(0);
  expect(JSON.parse(stdout).ranges).toEqual(ranges);
});

test('selective until below lists every run while a threshold is reached', async () => {
  const args = [...selective, '--set', 'retentionWindow=0', '--set', 'untilBelow=true', '--set', 'tokenThreshold=1'];
  const { stdout } = await run(args, { input: JSON.stringify(pattern('utrutrautru')) });
  expect(JSON.parse(stdout).ranges).toEqual([
    [1, 2],
    [4, 6],
    [8, 9],
  ]);
});

test.each(FORMAT_NAMES)(
  'the plan of %s names native messages, and firstKept follows the last range',
  async (format) => {
    const messages = session(format);
    const { stdout } = await run(['plan', '--json', '-p', 'snapshot', '-w', '6k'], { input: JSON.stringify(messages) });
    const plan = JSON.parse(stdout);
    expect(plan).toMatchObject({ status: 'compressed', reason: 'threshold', format });
    expect(plan.ranges).toEqual([[0, plan.firstKept - 1]]);
    expect(plan.tokens).toMatchObject({ before: expect.any(Number), fixed: 0, basis: 'estimated' });
  },
);

test('without a plan there are no ranges', async () => {
  const { code, stdout } = await run(['plan', '--json'], { input: '[]' });
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ status: 'noop', reason: 'empty-history', ranges: [], firstKept: 0 });
});

test('the plan is what compact does', async () => {
  const input = JSON.stringify(session('openai-chat'));
  const plan = JSON.parse((await run(['plan', '--json', '-p', 'snapshot', '-w', '6k'], { input })).stdout);
  const result: unknown[] = JSON.parse((await run(['compact', '-p', 'snapshot', '-w', '6k'], { input })).stdout);
  expect(result.slice(-(49 - plan.firstKept))).toEqual(session('openai-chat').slice(plan.firstKept));
});

const nasty = [
  { role: 'system', content: 'Regeln für 日本語の会話 und mehr' },
  ...session('openai-chat'),
  { role: 'user', content: '\u001b[2J\u001b[31mred\u0007 alert \u202e evil\r\n'.repeat(5) },
];

test.each([40, 80, 200])('the table fits %i columns and carries no control characters', async (columns) => {
  const options = { input: JSON.stringify(nasty), env: { COLUMNS: String(columns) } };
  const { code, stdout } = await run(['plan', '-p', 'snapshot', '-w', '6k'], options);
  expect(code).toBe(0);
  for (const line of stdout.split('\n')) expect(widthOf(line)).toBeLessThanOrEqual(columns);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is the point
  expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
  expect(stdout).toMatch(/0 +(system +)?protected +\d+ +Regeln/);
  expect(stdout).toMatch(/1–4 +(user assistant tool +)?summarize/);
  expect(stdout).toContain('messages of');
});

test('a long conversation takes a screen, not a book', async () => {
  const input = JSON.stringify(Array.from({ length: 40 }, () => session('openai-chat')).flat());
  const { stdout } = await run(['plan', '-p', 'snapshot', '-w', '50k'], { input });
  expect(stdout.split('\n').length).toBeLessThan(20);
});

test('selective until below lists the runs that would be taken, not those it might take', async () => {
  const text = 'some words of the story '.repeat(40);
  const turn = [
    { role: 'user', content: text },
    ...['a', 'b', 'c'].map((name) => ({ role: 'assistant', content: `${name} ${text}` })),
  ];
  const input = JSON.stringify(Array.from({ length: 8 }, () => turn).flat());
  const set = ['-p', 'selective', '-w', '100k', '--set', 'tokenThreshold=5000', '--set', 'untilBelow=true'];
  const { ranges } = JSON.parse((await run(['plan', '--json', ...set], { input })).stdout);
  const { stdout } = await run(['compact', ...set], { input });
  const left = JSON.parse(stdout).filter(({ content }: { content: string }) =>
    content.includes('conversation_summary'),
  );
  expect(ranges).toHaveLength(left.length);
  expect(ranges.length).toBeLessThan(6);
});
