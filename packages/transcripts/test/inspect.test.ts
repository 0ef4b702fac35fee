import { estimateTokens } from 'epitome';
import { expect, test } from 'vitest';
import { asidesOf, inspectSession, messagesOf, type Session } from '../src/index.ts';
import { sessionIn, sessionOfLines } from './support/read.ts';

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0);

test.each(['claude-code-compacted.jsonl', 'copilot-cli.jsonl', 'codex.jsonl', 'pi-branches.jsonl'])(
  'the figures of %s add up',
  async (file) => {
    const { tokens, timeline, tools, calls } = inspectSession(await sessionIn(file));
    expect(sumOf(timeline.map(({ total }) => total)) + tokens.fixed).toBeCloseTo(tokens.total);
    expect(sumOf(Object.values(tokens.shares))).toBeCloseTo(tokens.total);
    expect(sumOf(tools.map((tool) => tool.calls))).toBe(calls);
    for (const tool of tools) {
      expect(tool.overTime).toHaveLength(timeline.length);
      expect(sumOf(tool.overTime)).toBeCloseTo(tool.tokens);
    }
  },
);

test('the system prompt beside the messages is weighed with them', async () => {
  const { tokens } = inspectSession(await sessionIn('copilot-cli.jsonl'));
  expect(tokens.fixed).toBe(estimateTokens('You are a careful engineer.'));
  expect(tokens.shares.system).toBe(tokens.fixed);
});

test('a compaction tells where it stands, what is left of each kind of fact, and what will be missed', async () => {
  const { compactions, timeline } = inspectSession(await sessionIn('claude-code-compacted.jsonl'));
  const [compaction] = compactions;
  expect(compaction).toMatchObject({ at: 8, messages: 9 });
  const facts = Object.values(compaction?.facts ?? {});
  expect(facts.length).toBeGreaterThan(3);
  for (const { total, kept } of facts) expect(kept).toBeLessThanOrEqual(total);
  const lost = new Set(
    Object.entries(compaction?.facts ?? {}).flatMap(([kind, { total, kept }]) => (kept < total ? [kind] : [])),
  );
  for (const { kind } of compaction?.lost ?? []) expect(lost).toContain(kind);
  expect(timeline.filter(({ isCompacted }) => isCompacted).map(({ first, last }) => first <= 8 && last >= 8)).toEqual([
    true,
  ]);
});

test('branches tell what they share with the main one and how they go on', async () => {
  const { branches, prompts } = inspectSession(await sessionIn('claude-code-branches.jsonl'));
  expect(branches.map(({ name, shared }) => [name, shared > 0])).toEqual([
    ['main', false],
    ['b2', true],
    ['b3', false],
  ]);
  expect(branches[1]?.begins).toContain('Now add a test for 2023-02-29');
  expect(prompts.first).toContain('Why does parseDate');
});

const answer = (uuid: string, parentUuid: string, prompt: number, model: string) => ({
  ...{ type: 'assistant', uuid, parentUuid, sessionId: 's' },
  message: {
    ...{ id: `m-${uuid}`, role: 'assistant', model, content: [{ type: 'text', text: 'word '.repeat(400) }] },
    usage: { input_tokens: prompt, output_tokens: 10 },
  },
});
const asked = (uuid: string, parentUuid: string | null) => ({
  ...{ type: 'user', uuid, parentUuid, sessionId: 's' },
  message: { role: 'user', content: `<current_date>2026-01-05</current_date>\nGo on with ${uuid}.` },
});

const sessionOfRequests = (prompts: readonly number[]): Promise<Session> =>
  sessionOfLines(
    prompts.flatMap((prompt, index) => [
      asked(`q${index}`, index === 0 ? null : `a${index - 1}`),
      answer(`a${index}`, `q${index}`, prompt, index === 1 ? 'small' : 'large'),
    ]),
  );

test('what was reported is told by model', async () => {
  const { reported, prompts } = inspectSession(await sessionOfRequests([20_000, 21_000, 22_000]));
  expect(reported).toMatchObject({ requests: 3, mostPrompt: 22_000, usage: { prompt: 63_000, output: 30 } });
  expect(reported?.byModel).toMatchObject([
    { model: 'large', requests: 2, usage: { prompt: 42_000 } },
    { model: 'small', requests: 1, usage: { prompt: 21_000 } },
  ]);
  expect(prompts).toEqual({ first: 'Go on with q0.', last: 'Go on with q2.' });
});

test('reported prompts tell what stands in front of the messages, and what an estimated token is', async () => {
  const session = await sessionOfRequests(
    [0, 1, 2, 3].map((index) => 20_000 + index * 2 * (estimateTokens('word '.repeat(400)) + 22)),
  );
  const { calibration } = inspectSession(session);
  expect(calibration?.fixed).toBeGreaterThan(19_500);
  expect(calibration?.fixed).toBeLessThan(20_500);
  expect(calibration?.ratio).toBeCloseTo(2, 1);
  expect(inspectSession(await sessionOfRequests([20_000, 20_100])).calibration).toBeUndefined();
  expect(inspectSession(await sessionOfRequests([20_000, 90_000, 10, 5])).calibration).toBeUndefined();
});

test('broken records are told with their lines', async () => {
  const session = await sessionOfLines([asked('q0', null), '{"type":', asked('q1', 'q0')]);
  expect(inspectSession(session).faults.map(({ place }) => place)).toEqual(['line 2']);
});

test('examples, nudges and summaries of what is there are set aside; of a live view the summary is all there is', async () => {
  const demo = await sessionIn('swe-agent.traj');
  expect([...asidesOf(demo)].map((native) => JSON.stringify(native))).toEqual([
    expect.stringContaining('A demonstration.'),
  ]);
  const event = (id: string, type: string, data: object) => ({ type, id, timestamp: '2026-01-05T09:00:00Z', data });
  const nudged = await sessionOfLines([
    event('1', 'session.start', { sessionId: 's' }),
    event('2', 'user.message', { content: 'Find it.', transformedContent: 'Find it.' }),
    event('3', 'user.message', { content: '', transformedContent: 'You have not finished.' }),
  ]);
  expect([...asidesOf(nudged)]).toEqual([{ role: 'user', content: 'You have not finished.' }]);
  expect(inspectSession(nudged).turns).toBe(1);
  const compacted = await sessionIn('claude-code-compacted.jsonl');
  const aside = asidesOf(compacted);
  expect(messagesOf(compacted).filter((native) => aside.has(native))).toHaveLength(1);
  expect(asidesOf(compacted, { scope: 'live' }).size).toBe(0);
});

test('a message of several results is named after the heaviest of them', async () => {
  const call = (id: string, name: string, input: unknown) => ({ type: 'tool_use', id, name, input });
  const result = (id: string, content: string) => ({ type: 'tool_result', tool_use_id: id, content });
  const session = await sessionOfLines([
    {
      messages: [
        { role: 'user', content: 'go' },
        {
          role: 'assistant',
          content: [call('a', 'note', { title: 'x' }), call('b', 'read', { path: 'src/queue.ts' })],
        },
        { role: 'user', content: [result('a', 'ok'), result('b', 'export const queue = [];\n'.repeat(40))] },
      ],
    },
  ]);
  const { biggest, answers } = inspectSession(session);
  expect(biggest[0]).toMatchObject({ index: 2, tool: 'read', begins: 'src/queue.ts' });
  expect(answers).toBe(1);
});

test('texts that are there more than once are found with what they waste', async () => {
  const session = await sessionIn('api-openai-chat.jsonl');
  const long = 'The same long words again. '.repeat(20);
  const entries = [0, 1, 2].map((index) => ({
    parent: index - 1,
    natives: [{ role: 'user', content: long }],
    isPrompt: true,
    isSummary: false,
  }));
  const { duplicates } = inspectSession({ ...session, entries, branches: [{ name: 'main', leaf: 2 }] });
  expect(duplicates).toMatchObject([{ times: 3, tokens: 2 * estimateTokens(long) }]);
});

test('results of a format without a mark for errors have failed where they say so', async () => {
  const outputs = [
    'Exit code: 0\nOutput:\nExit code: 1',
    'Exit code: 254\nOutput:\nnot found',
    '{"output":"a \\"b\\"","metadata":{"exit_code":1,"duration_seconds":0.1}}',
    '{"output":"fine","metadata":{"exit_code":0}}',
    'apply_patch verification failed: Failed to find expected lines',
  ];
  const session = await sessionOfLines([
    { type: 'session_meta', payload: { id: 's' } },
    ...outputs.flatMap((output, index) => [
      { type: 'response_item', payload: { type: 'function_call', call_id: `c${index}`, name: 'sh', arguments: '{}' } },
      { type: 'response_item', payload: { type: 'function_call_output', call_id: `c${index}`, output } },
    ]),
  ]);
  expect(inspectSession(session)).toMatchObject({ calls: 5, failedResults: 3 });
});
