import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { asidesOf, compactionsOf, inspectSession, messagesOf, readOpenhands, type Session } from '../src/index.ts';
import { fixture, neutral, partsOf, sessionIn, sessionOfLines, sessionsOf } from './support/read.ts';

const textsOn = (session: Session, name: string): string => {
  const branch = session.branches.find((candidate) => candidate.name === name);
  return branch === undefined ? '' : JSON.stringify(messagesOf(session, { branch }));
};

test('Claude Code: parallel calls over several records are one answer, not branches', async () => {
  const session = await sessionIn('claude-code.jsonl');
  expect(session.branches).toEqual([{ name: 'main', leaf: session.entries.length - 1 }]);
  const answers = neutral(session).filter(({ role }) => role === 'assistant');
  expect(answers.map(({ parts }) => parts.map(({ kind }) => kind))).toEqual([
    ['reasoning', 'text', 'tool-call', 'tool-call'],
    ['text', 'tool-call'],
    ['text'],
    ['text'],
  ]);
});

test('Claude Code: an image in a result stays there', async () => {
  const session = await sessionIn('claude-code.jsonl');
  expect(partsOf(neutral(session), 'tool-result').map(({ media }) => media.length)).toEqual([1, 0, 0]);
});

test('Claude Code: an edited prompt is a branch, a subagent a side', async () => {
  const session = await sessionIn('claude-code-branches.jsonl');
  expect(session.branches.map(({ name, side }) => [name, side])).toEqual([
    ['main', undefined],
    ['b2', undefined],
    ['b3', 'agent a1'],
  ]);
  expect(textsOn(session, 'main')).toContain('Reverted src/date.ts.');
  expect(textsOn(session, 'main')).not.toContain('Added test/date.test.ts');
  expect(textsOn(session, 'b2')).toContain('Added test/date.test.ts');
  expect(textsOn(session, 'b3')).not.toContain('RangeError');
});

test('Claude Code: a compaction has its summary, and the live view begins with it', async () => {
  const session = await sessionIn('claude-code-compacted.jsonl');
  const [compaction] = compactionsOf(session, session.branches[0]?.leaf ?? -1);
  expect(compaction).toMatchObject({ trigger: 'auto', tokensBefore: 1234 });
  expect(compaction?.summary).toContain('The user had src/date.ts fixed');
  expect(messagesOf(session).length).toBe(12);
  const live = messagesOf(session, { scope: 'live' });
  expect(live).toHaveLength(3);
  expect(JSON.stringify(live[0])).toContain('This session continues');
});

test('Codex: a compaction replaces the history, a turn that was rolled back is a branch', async () => {
  const session = await sessionIn('codex-compacted.jsonl');
  expect(session.compactions).toHaveLength(1);
  expect(JSON.stringify(messagesOf(session, { scope: 'live' }))).not.toContain('I will look at the parser');
  expect(textsOn(session, 'main')).toContain('Not yet.');
  expect(textsOn(session, 'main')).not.toContain('CHANGELOG');
  expect(textsOn(session, 'b2')).toContain('CHANGELOG');
});

test('Gemini CLI: a message that is written anew takes its own place, a rewind leaves a branch', async () => {
  const session = await sessionIn('gemini-cli.jsonl');
  expect(messagesOf(session)).toEqual(messagesOf(await sessionIn('gemini-cli.json')));
  expect(textsOn(session, 'b2')).toContain('Never mind.');
});

test('Gemini CLI: messages that replace all others are a compaction', async () => {
  const user = (id: string, text: string) => ({ id, timestamp: '2026-01-05T09:00:00Z', type: 'user', content: text });
  const session = await sessionOfLines([
    { sessionId: 's', projectHash: 'h', startTime: '2026-01-05T09:00:00Z' },
    user('1', 'one'),
    user('2', 'two'),
    { $set: { messages: [user('9', 'what was said so far')] } },
    user('3', 'three'),
  ]);
  expect(messagesOf(session)).toHaveLength(3);
  expect(JSON.stringify(messagesOf(session, { scope: 'live' }))).toBe(
    '[{"role":"user","parts":[{"text":"what was said so far"}]},{"role":"user","parts":[{"text":"three"}]}]',
  );
});

test('pi: the live view is the summary and what was kept', async () => {
  const session = await sessionIn('pi-branches.jsonl');
  expect(session.branches.map(({ name }) => name)).toEqual(['main', 'b2']);
  const live = JSON.stringify(messagesOf(session, { scope: 'live' }));
  expect(live.indexOf('the fix reverted')).toBeLessThan(live.indexOf('Rather revert it.'));
  expect(live).not.toContain('Why does parseDate');
});

test('pi: an answer stopped before its first word is passed over and counted', async () => {
  const session = await sessionIn('pi-first.jsonl');
  expect(session.skipped['message/assistant (empty)']).toBe(1);
});

test('Aider: every chat is a session, and the console goes with the next prompt', async () => {
  const sessions = await sessionsOf(readFileSync(fixture('aider.md')));
  expect(sessions.map(({ id }) => id)).toEqual(['2026-01-05 09:00:00', '2026-01-06 10:00:00']);
  const [first] = sessions;
  if (first === undefined) throw new Error('no session');
  const natives = messagesOf(first) as readonly { role: string; content: string }[];
  expect(natives.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant', 'user']);
  expect(natives[0]?.content).toContain('> Aider v0.80.0');
  expect(natives[1]?.content).toContain('```ts\nexport function parseDate');
  expect(natives[2]?.content).toContain('Now add a test for 2023-02-29,\ntoo.');
  expect(natives[4]?.content).toContain('1a2b3c4');
});

test('SWE-agent: the history is read, its copy in the trajectory is not', async () => {
  const session = await sessionIn('swe-agent.traj');
  expect(messagesOf(session)).toHaveLength(8);
  expect(session.skipped).toEqual({ 'trajectory step': 1 });
  expect(session.totals).toEqual([{ usage: { prompt: 4000, output: 150 } }]);
});

test('tau-bench and requests a line: every one is a session', async () => {
  expect(await sessionsOf(readFileSync(fixture('tau-bench.json')))).toHaveLength(2);
  const requests = await sessionsOf(readFileSync(fixture('api-requests.jsonl')));
  expect(requests.map(({ format, system }) => [format, system])).toEqual([
    ['openai-chat', undefined],
    ['anthropic', 'Be brief.'],
  ]);
});

test('records of unknown types are counted by name', async () => {
  expect((await sessionIn('claude-code.jsonl')).unknown).toEqual({ 'mystery-record': 1 });
});

test("Copilot CLI: a tool that ran without a request of the model's gets its call from its start", async () => {
  const session = await sessionIn('copilot-cli.jsonl');
  expect(partsOf(neutral(session), 'tool-call').map(({ callId }) => callId)).toEqual(['t1', 't2', 't3']);
  expect(session.totals).toEqual([
    { model: 'gpt-test-1', usage: { prompt: 5000, output: 200, cached: 3000, written: 0 } },
  ]);
});

test('usage counts cached tokens as part of the prompt', async () => {
  const { requests } = await sessionIn('claude-code.jsonl');
  expect(requests[0]?.usage).toEqual({ prompt: 1113, cached: 1003, written: 100, output: 90 });
});

test.each([
  ['claude-code.jsonl', 'claude-code'],
  ['codex.jsonl', 'codex'],
  ['copilot-cli.jsonl', 'copilot-cli'],
  ['openhands-agent.jsonl', 'openhands'],
  ['pi.jsonl', 'pi'],
  ['api-openai-chat.jsonl', 'api'],
])('the first record of %s alone in its file is a session', async (file, source) => {
  const [line = ''] = readFileSync(fixture(file), 'utf8').split('\n');
  expect((await sessionsOf(Buffer.from(line))).map((session) => session.source)).toEqual([source]);
});

test('OpenHands: events that lie in files of their own read as a list of them; a broken one is told', async () => {
  const lines = readFileSync(fixture('openhands-agent.jsonl'), 'utf8').trimEnd().split('\n');
  const events = ['{"id":', ...lines].map((text, index) => ({ id: `event-${index}`, text }));
  const session = await readOpenhands({ id: 'c-1', cwd: '/home/ada/dates' }, events);
  expect(session === undefined ? [] : messagesOf(session)).toEqual(
    messagesOf(await sessionIn('openhands-agent.jsonl')),
  );
  expect(session).toMatchObject({ id: 'c-1', cwd: '/home/ada/dates', faults: [{ place: 'event event-0' }] });
});

const promptsIn = ({ entries }: Session): readonly string[] =>
  entries.flatMap(({ isPrompt, natives }) => (isPrompt ? [JSON.stringify(natives)] : []));

test('Claude Code: what the program says in the user’s name is no prompt, a command that asks something is', async () => {
  const texts = [
    'Find the bug.',
    [{ type: 'text', text: '[Request interrupted by user for tool use]' }],
    '<local-command-caveat>Caveat: The messages below</local-command-caveat>',
    '<command-name>/mcp</command-name>\n<command-message>mcp</command-message>',
    '<local-command-stdout>(no content)</local-command-stdout>',
    'Go on.',
    '<command-message>review is running</command-message>\n<command-name>/review</command-name>',
    [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo' } }],
  ];
  const session = await sessionOfLines(
    texts.map((content, index) => ({
      ...{ type: 'user', uuid: `u${index}`, parentUuid: index === 0 ? null : `u${index - 1}`, sessionId: 's' },
      message: { role: 'user', content },
    })),
  );
  expect(promptsIn(session)).toEqual([
    expect.stringContaining('Find the bug.'),
    expect.stringContaining('Go on.'),
    expect.stringContaining('/review'),
    expect.stringContaining('image/png'),
  ]);
  expect(messagesOf(session)).toHaveLength(texts.length);
});

test('SWE-agent: once the model has begun, what comes in the user’s name is the environment', async () => {
  const history = [
    { role: 'system', content: 'You are a programmer.', agent: 'primary' },
    { role: 'user', content: 'Solve this issue.', agent: 'primary' },
    { role: 'assistant', content: 'First I look.', action: 'ls', agent: 'primary' },
    { role: 'user', content: 'src test', agent: 'primary' },
  ];
  const [session] = await sessionsOf(Buffer.from(JSON.stringify({ history })));
  expect(session === undefined ? [] : promptsIn(session)).toEqual([expect.stringContaining('Solve this issue.')]);
});

test('Gemini CLI: that the program goes on by itself is no prompt', async () => {
  const user = (id: string, rest: object) => ({ id, timestamp: '2026-01-05T09:00:00Z', type: 'user', ...rest });
  const shown = [{ functionResponse: { name: 'update_topic', response: { output: 'done' } } }];
  const session = await sessionOfLines([
    { sessionId: 's', projectHash: 'h', startTime: '2026-01-05T09:00:00Z' },
    user('1', { content: [{ text: 'Read the whole project …' }], displayContent: [{ text: '/init' }] }),
    user('2', { content: [{ text: 'System: Please continue.' }], displayContent: shown }),
  ]);
  expect(promptsIn(session)).toEqual([expect.stringContaining('Read the whole project')]);
  expect(asidesOf(session).size).toBe(1);
});

test('what Aider’s console said is nobody’s prompt', async () => {
  const session = await sessionIn('aider.md');
  const { prompts, turns } = inspectSession(session);
  expect([turns, prompts.first]).toEqual([
    2,
    "Why does parseDate('2024-02-30') return March 1? Fix it in src/date.ts.",
  ]);
});
