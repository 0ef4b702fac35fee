import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { RunEvent } from '../src/run/events.ts';
import { BY_GOAL, EVENT, UNASKED } from './chat/event.ts';
import { type ChatModelServer, startChatModel } from './chat/model.ts';
import { CHAT_ID, readChat, seedChat } from './chat/seeded.ts';
import { startClock } from './chat/terminal.ts';
import { type Ended, ensureBuilt, run, scratch, start } from './kit.ts';

beforeAll(ensureBuilt, 180_000);
let model: ChatModelServer;
beforeAll(async () => {
  model = await startChatModel();
});
afterAll(() => model.close());
const { path, file } = scratch();
let count = 0;
let store = '';
beforeEach(() => {
  count += 1;
  store = path(`store-${count}.db`);
  model.received.length = 0;
  for (const purpose of ['chat', 'goals', 'summary'] as const) model.play(purpose);
});

const argsOf = (args: readonly string[]): readonly string[] => [
  'run',
  ...args,
  '--base-url',
  model.url,
  '--model',
  'm',
  '--window',
  '100k',
  '--store',
  store,
];
const settings = path('none.yaml');
const runTask = (...args: readonly string[]): Promise<Ended> =>
  run(argsOf(args), { env: { EPITOME_CONFIG: settings } });

function eventsIn({ stdout }: Pick<Ended, 'stdout'>): readonly RunEvent[] {
  return stdout
    .trimEnd()
    .split('\n')
    .map((line): RunEvent => JSON.parse(line));
}
const endOf = (ended: Ended) => eventsIn(ended).find((event) => event.type === 'run-end');
const sessionOf = (ended: Ended): string => {
  const [begin] = eventsIn(ended);
  return begin?.type === 'run-start' ? begin.session : '';
};

test('the answer goes to stdout, what goes on to stderr', async () => {
  model.play('chat', { kind: 'call', name: 'list_files', input: {} }, { kind: 'text', text: 'There are **files**.' });
  const { code, stdout, stderr } = await runTask('Look around');
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'There are **files**.\n' });
  expect(stderr).toContain('[tool] list .');
  expect(stderr).toMatch(/epitome chat --resume [0-9a-f]{8} goes on with it\./);
});

test('with --json, every start has its end, and the last event tells all', async () => {
  model.play('chat', { kind: 'call', name: 'list_files', input: {} }, { kind: 'text', text: 'Done.' });
  const ended = await runTask('Look around', '--json');
  const events = eventsIn(ended);
  expect(ended).toMatchObject({ code: 0, stderr: '' });
  expect(events.map(({ type }) => type)).toEqual([
    'run-start',
    'answer-start',
    'answer-end',
    'tool-start',
    'tool-end',
    'answer-start',
    'answer-text',
    'answer-end',
    'run-end',
  ]);
  expect(events[0]).toEqual({
    type: 'run-start',
    session: expect.any(String),
    model: 'openai-compatible/m',
    window: 100_000,
    task: 'Look around',
  });
  expect(events.at(-1)).toEqual({
    type: 'run-end',
    status: 'done',
    text: 'Done.',
    tokens: 1010,
    usage: { input: 2000, output: 20, cached: 1600, written: 0 },
  });
  const { messages } = await readChat(store, sessionOf(ended));
  expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant']);
});

test('the task may come from stdin, and is no command whatever it begins with', async () => {
  const ended = await run(argsOf(['--json']), {
    env: { EPITOME_CONFIG: settings },
    input: '/etc/hosts: what is it?\n',
  });
  expect(endOf(ended)).toMatchObject({ status: 'done' });
  expect(model.received[0]?.text).toContain('/etc/hosts: what is it?');
});

test('what is piped in stands behind the task', async () => {
  const ended = await run(argsOf(['Review this', '-', '--json']), {
    env: { EPITOME_CONFIG: settings },
    input: '+ a line\n',
  });
  expect(endOf(ended)).toMatchObject({ status: 'done' });
  expect(model.received[0]?.text).toContain('Review this\\n\\n+ a line');
});

test.each([
  ['not unless it is allowed', [], false],
  ['with --allow-shell', ['--allow-shell'], true],
] as const)('the shell is there %s', async (_name, args, isThere) => {
  model.play(
    'chat',
    { kind: 'call', name: 'shell', input: { command: 'echo ran-$((6*7))' } },
    { kind: 'text', text: 'So.' },
  );
  const ended = await runTask('Count', '--json', ...args);
  expect(model.received[0]?.text.includes('"shell"')).toBe(isThere);
  const tool = eventsIn(ended).find((event) => event.type === 'tool-end');
  expect(tool).toMatchObject(isThere ? { ok: true, text: expect.stringContaining('ran-42') } : { ok: false });
});

describe('compaction', () => {
  test('serves the task, asks nobody, and its event says so', async () => {
    await seedChat(store);
    const telemetry = path(`events-${count}.jsonl`);
    const ended = await runTask('Write it all down', '--json', '--resume', CHAT_ID, '--telemetry-file', telemetry);
    const compaction = eventsIn(ended).find((event) => event.type === 'compaction-end');
    expect(compaction).toMatchObject({ status: 'compressed', goal: 'Write it all down', method: 'model' });
    expect(model.received.map(({ purpose }) => purpose)).toEqual(['summary', 'chat']);
    expect(model.received[0]?.text).toContain('<current_goal>\\nWrite it all down');
    const [line = ''] = readFileSync(telemetry, 'utf8').split('\n');
    const { at: _, ...event } = JSON.parse(line);
    expect(event).toEqual({
      ...EVENT,
      ...BY_GOAL,
      ...UNASKED,
      goal_selection_method: 'agent',
      tokens_before: event.tokens_at_trigger,
      tokens_at_trigger: expect.any(Number),
      utilization_at_trigger: event.tokens_at_trigger / 100_000,
      summarizer_cost: null,
      cache_tokens_rebilled: null,
    });
    expect(line).not.toContain('Write it all down');
  });

  test.each([
    ['it fails', { kind: 'status', status: 500 }],
    ['it refuses', { kind: 'text', text: "I'm sorry, but I can't help with that." }],
    ['it says nothing', { kind: 'text', text: '' }],
  ] as const)('goes on without the model where %s, and the turn is not lost', async (_name, behaviour) => {
    await seedChat(store);
    model.play('summary', behaviour);
    const ended = await runTask('Go on', '--json', '--resume', CHAT_ID);
    expect(endOf(ended)).toMatchObject({ status: 'done', text: 'That is **done**.' });
    const compaction = eventsIn(ended).find((event) => event.type === 'compaction-end');
    expect(compaction).toMatchObject({ status: expect.stringMatching(/^(compressed|failed-empty-summary)$/) });
    expect((await readChat(store)).messages).toHaveLength(30);
  });

  test("an agent's block of a YAML file decides how", async () => {
    await seedChat(store);
    const blocks = file('forge.yaml', 'agents: {coder: {compact: {preset: snapshot, threshold: 0.01}}}\n');
    const telemetry = path(`events-${count}.jsonl`);
    const where = ['--resume', CHAT_ID, '--telemetry-file', telemetry];
    const ended = await runTask('Go on', '--json', '--config', blocks, '--agent', 'coder', ...where);
    expect(endOf(ended)).toMatchObject({ status: 'done' });
    expect(JSON.parse(readFileSync(telemetry, 'utf8'))).toMatchObject({
      preset: 'snapshot',
      trigger_type: 'threshold',
    });
  });
});

describe('a model that fails', () => {
  test.each([
    ['for good (500)', [{ kind: 'status', status: 500 }], 'server'],
    ['by refusing', [{ kind: 'text', text: 'No.', finish: 'content_filter' }], 'refused'],
    ['by a key', [{ kind: 'status', status: 401 }], 'key'],
  ] as const)('%s ends the run with 3, and what was said is kept', async (_name, behaviours, kind) => {
    model.play('chat', ...behaviours);
    const ended = await runTask('Try', '--json');
    expect(ended.code).toBe(3);
    expect(endOf(ended)).toMatchObject({ status: 'failed', fault: { kind } });
    expect((await readChat(store, sessionOf(ended))).messages).toMatchObject([{ role: 'user', content: 'Try' }]);
  });

  test.each([
    ['by a rate limit', { kind: 'status', status: 429, headers: { 'retry-after': '0' } }, 'rate-limit'],
    ['by a stream that is cut', { kind: 'cut', text: 'Half an' }, 'cut'],
    ['by saying nothing', { kind: 'text', text: '' }, 'empty'],
  ] as const)('%s once is asked again', async (_name, behaviour, kind) => {
    model.play('chat', behaviour, { kind: 'text', text: 'Whole.' });
    const ended = await runTask('Try', '--json');
    expect(eventsIn(ended)).toContainEqual(
      expect.objectContaining({ type: 'retry', fault: expect.objectContaining({ kind }) }),
    );
    expect(endOf(ended)).toMatchObject({ status: 'done', text: 'Whole.' });
  });

  test('says so in one line without --json', async () => {
    model.play('chat', { kind: 'status', status: 401 });
    const { code, stdout, stderr } = await runTask('Try', '--quiet');
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
    expect(stderr).toBe(
      'epitome: The provider does not take the key (401): the test says no. What was said so far is kept.\n',
    );
  });

  test('by silence is given up after a minute, three times', async () => {
    model.play('chat', { kind: 'hang' });
    const clock = await startClock();
    const running = run(argsOf(['Try', '--json']), {
      env: { EPITOME_CONFIG: settings, EPITOME_TEST_CLOCK: clock.path },
    });
    for (let time = 1; time <= 3; time += 1) {
      await until(() => model.received.length === time);
      // After the last time the process ends and nobody answers.
      const advanced = clock.advance(61_000);
      if (time === 3) break;
      await advanced;
      await clock.advance(10_000);
    }
    const ended = await running;
    clock.close();
    expect(endOf(ended)).toMatchObject({ status: 'failed', fault: { kind: 'timeout' } });
  });
});

async function until(isMet: () => boolean): Promise<void> {
  for (let tries = 0; tries < 1000 && !isMet(); tries += 1) await new Promise((resolve) => setTimeout(resolve, 20));
  expect(isMet()).toBe(true);
}

test('Ctrl-C keeps the session, ends with 130, and --resume goes on with it', async () => {
  model.play('chat', { kind: 'text', text: 'Half an answer', hold: true });
  const child = start(argsOf(['Try', '--json']), { env: { EPITOME_CONFIG: settings } });
  let stdout = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    stdout += chunk.toString();
  });
  child.stdin?.end();
  await until(() => stdout.includes('Half an answer'));
  child.kill('SIGINT');
  const code = await new Promise((resolve) => child.on('close', resolve));
  expect(code).toBe(130);
  expect(eventsIn({ stdout }).at(-1)).toMatchObject({ type: 'run-end', status: 'cancelled' });
  const begin = eventsIn({ stdout })[0];
  const session = begin?.type === 'run-start' ? begin.session : '';
  expect((await readChat(store, session)).messages).toMatchObject([{ content: 'Try' }, { role: 'assistant' }]);
  model.play('chat', { kind: 'text', text: 'The rest.' });
  expect(endOf(await runTask('Go on', '--json', '--resume', session))).toMatchObject({
    status: 'done',
    text: 'The rest.',
  });
});

test('Ctrl-C while it summarizes ends all of it: the model is not asked any more', async () => {
  await seedChat(store);
  model.play('summary', { kind: 'hang' });
  const child = start(argsOf(['Try', '--json', '--resume', CHAT_ID]), { env: { EPITOME_CONFIG: settings } });
  let stdout = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    stdout += chunk.toString();
  });
  child.stdin?.end();
  await until(() => model.received.some(({ purpose }) => purpose === 'summary'));
  child.kill('SIGINT');
  expect(await new Promise((resolve) => child.on('close', resolve))).toBe(130);
  expect(eventsIn({ stdout }).map(({ type }) => type)).toEqual([
    'run-start',
    'compaction-start',
    'compaction-end',
    'notice',
    'run-end',
  ]);
  expect(model.received.map(({ purpose }) => purpose)).toEqual(['summary']);
});

test.each([
  ['no task', [''], 'The task is empty.'],
  ['a session where no store is', ['x', '--resume', 'nowhere'], 'There is no store at'],
  ['an agent nobody set up', ['x', '--agent', 'coder'], 'There is no agent "coder"; no agents are set up.'],
])('%s ends with 2 and a sentence', async (_name, args, sentence) => {
  const { code, stderr } = await runTask(...args);
  expect(stderr).toContain(sentence);
  expect(code).toBe(2);
});

test('a session the store does not have ends with 2 and a sentence', async () => {
  await seedChat(store);
  const { code, stderr } = await runTask('x', '--resume', 'nowhere');
  expect(stderr).toContain('There is no chat whose id begins with "nowhere"');
  expect(code).toBe(2);
});
