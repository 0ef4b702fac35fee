import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { session } from './conversations.ts';
import { type Ended, ensureBuilt, run, scratch } from './kit.ts';
import { type ModelServer, startModelServer } from './server.ts';

beforeAll(ensureBuilt, 120_000);
let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server.close());
const { path, file } = scratch();
const conversation = file('chat.json', session('openai-chat'));
const original = readFileSync(conversation, 'utf8');

const SUMMARY = `<scratchpad>let me see</scratchpad><state_snapshot><overall_goal>Fix the importer.</overall_goal>
<recent_actions>Steps 0 to 7 were fixed.</recent_actions></state_snapshot>`;
const good = { kind: 'text', text: SUMMARY } as const;

const providers: readonly (readonly [string, string, string])[] = [
  ['openai/m', '/v1/responses', 'authorization'],
  ['anthropic/m', '/v1/messages', 'x-api-key'],
  ['google/m', '/v1beta/models/m:generateContent', 'x-goog-api-key'],
  ['openai-compatible/org/m', '/v1/chat/completions', 'authorization'],
];

// What the wire has no word of its own for needs no trial on every wire.
const twoOfThem = providers.slice(0, 2);

function environment(): Record<string, string> {
  return {
    OPENAI_API_KEY: 'test-key',
    OPENAI_BASE_URL: `${server.url}/v1`,
    ANTHROPIC_API_KEY: 'test-key',
    ANTHROPIC_BASE_URL: server.url,
    GOOGLE_GENERATIVE_AI_API_KEY: 'test-key',
    GOOGLE_GENERATIVE_AI_BASE_URL: `${server.url}/v1beta`,
    OPENAI_COMPATIBLE_BASE_URL: `${server.url}/v1`,
    OPENAI_COMPATIBLE_API_KEY: 'test-key',
  };
}

async function compact(summarizer: string, ...args: readonly string[]): Promise<Ended & { report: Report }> {
  const report = path('report.json');
  const env = environment();
  const all = [
    'compact',
    conversation,
    '-p',
    'snapshot',
    '-w',
    '6k',
    '--summarizer',
    summarizer,
    '--report',
    report,
    ...args,
  ];
  const ended = await run(all, { env });
  return { ...ended, report: JSON.parse(readFileSync(report, 'utf8')) };
}

type Report = {
  readonly status: string;
  readonly method: string;
  readonly degraded: boolean;
  readonly findings: readonly { readonly code: string; readonly detail: string }[];
  readonly record: { readonly calls: number; readonly usage: object; readonly text: string };
};

test.each(providers)('%s writes the summary, by %s', async (summarizer, where, header) => {
  server.play(good);
  const { code, stdout, stderr, report } = await compact(summarizer);
  expect(report).toMatchObject({ status: 'compressed', method: 'model', degraded: false, findings: [] });
  expect(report.record).toMatchObject({ calls: 1, usage: { inputTokens: 11, outputTokens: 7 } });
  expect(stderr).toContain('summary by the model (1 call)');
  expect(code).toBe(0);
  expect(stdout).toContain('Steps 0 to 7 were fixed.');
  expect(stdout).not.toContain('let me see');
  const [received] = server.received;
  expect(received?.path).toBe(where);
  expect(String(received?.headers[header])).toContain('test-key');
  expect(received?.body).toContain('the importer rejects rows of batch 7');
  expect(received?.body).not.toContain('"tools"');
});

test.each(providers)('%s that refuses leaves the conversation as it was: exit 3', async (summarizer) => {
  server.play({ kind: 'text', text: "I'm sorry, but I cannot help with that.", refused: true });
  const { code, stdout, stderr, report } = await compact(summarizer);
  expect(report).toMatchObject({ status: 'failed-empty-summary', findings: [{ code: 'summary-refused' }] });
  expect(stderr).toContain('the model refused to summarize');
  expect(stdout).toBe(original);
  expect(code).toBe(3);
});

test.each(twoOfThem)('%s that answers nothing leaves the conversation as it was: exit 3', async (summarizer) => {
  server.play({ kind: 'text', text: '' });
  const { code, stdout, report } = await compact(summarizer);
  expect(report).toMatchObject({ status: 'failed-empty-summary', findings: [{ code: 'summary-empty' }] });
  expect([code, stdout]).toEqual([3, original]);
});

test.each(providers)(
  '%s cut off, and cut off again in two parts, gives way to the mechanical summary',
  async (summarizer) => {
    server.play({ ...good, cutOff: true });
    const { code, stdout, stderr, report } = await compact(summarizer);
    expect(report).toMatchObject({ status: 'compressed', method: 'mechanical', degraded: true });
    expect(report.findings[0]?.code).toBe('summary-cut-off');
    expect(stderr).toContain('retried in 2 parts');
    expect(stdout).not.toContain('Steps 0 to 7 were fixed.');
    expect(code).toBe(0);
  },
);

test.each(twoOfThem)('%s down is asked three times, then the mechanical summary serves', async (summarizer) => {
  server.play({ kind: 'status', status: 500, headers: { 'retry-after-ms': '1' } });
  const { code, stderr, report } = await compact(summarizer);
  expect(server.received).toHaveLength(3);
  expect(report).toMatchObject({ status: 'compressed', method: 'mechanical', degraded: true });
  expect(stderr).toContain(
    'the summarizer failed, the mechanical summary serves: HTTP 500 after 3 tries: the test says no',
  );
  expect(code).toBe(0);
});

test('a server that fails at once is told as that, however little time there is', async () => {
  server.play({ kind: 'status', status: 500 });
  const { stderr, report } = await compact('openai-compatible/m', '--timeout', '2');
  expect(server.received).toHaveLength(1);
  expect(report.findings).toEqual([
    { code: 'summarizer-failed', detail: expect.stringContaining('HTTP 500 after 1 try: the test says no') },
  ]);
  expect(stderr).not.toContain('took too long');
});

test('a rate limit is waited for as the server says', async () => {
  server.play({ kind: 'status', status: 429, headers: { 'retry-after': '1' } }, good);
  const { report, seconds } = await compact('anthropic/m');
  expect(report).toMatchObject({ status: 'compressed', method: 'model', degraded: false });
  expect(server.received).toHaveLength(2);
  expect(seconds).toBeGreaterThanOrEqual(1);
});

test('a wrong key is not asked with again, and is said', async () => {
  server.play({ kind: 'status', status: 401 });
  const { code, stderr, report } = await compact('openai/m');
  expect(server.received).toHaveLength(1);
  expect(report).toMatchObject({ method: 'mechanical', degraded: true });
  expect(stderr).toContain('the test says no');
  expect(stderr).not.toContain('test-key');
  expect(code).toBe(0);
});

test('a model that hangs is given up after --timeout', async () => {
  server.play({ kind: 'hang' });
  const { code, stderr, report, seconds } = await compact('google/m', '--timeout', '1');
  expect(report.findings).toEqual([{ code: 'summarizer-timeout', detail: 'no answer within 1 s' }]);
  expect(report).toMatchObject({ status: 'compressed', method: 'mechanical', degraded: true });
  expect(stderr).toContain('the summarizer took too long');
  expect(code).toBe(0);
  // A second of waiting and the start of a command on a busy machine; without the option it would be a minute.
  expect(seconds).toBeLessThan(30);
});

test('a server without Responses is asked by Chat Completions', async () => {
  server.play(good);
  const env = { ...environment(), OPENAI_BASE_URL: `${server.url}/chat-only/v1` };
  const { stderr } = await run(['compact', conversation, '-p', 'snapshot', '-w', '6k', '--summarizer', 'openai/m'], {
    env,
  });
  expect(stderr).toContain('summary by the model');
  const paths = server.received.map((received) => received.path);
  expect(paths).toEqual(['/chat-only/v1/responses', '/chat-only/v1/chat/completions']);
});

test('nobody at the address is a fault of the summarizer, not of the command', async () => {
  const env = { OPENAI_COMPATIBLE_BASE_URL: 'http://127.0.0.1:9/v1' };
  const args = [
    'compact',
    conversation,
    '-p',
    'snapshot',
    '-w',
    '6k',
    '--summarizer',
    'openai-compatible/m',
    '--timeout',
    '1',
  ];
  const { code, stderr } = await run(args, { env });
  expect(stderr).toContain('mechanical summary in place of the model’s');
  expect(code).toBe(0);
});

test("OpenAI's key is not sent to another address", async () => {
  server.play(good);
  const env = { OPENAI_API_KEY: 'secret', OPENAI_COMPATIBLE_BASE_URL: `${server.url}/v1` };
  await run(['compact', conversation, '-p', 'snapshot', '-w', '6k', '--summarizer', 'openai-compatible/m'], { env });
  expect(server.received[0]?.headers.authorization).toBeUndefined();
});

test('goal, focus and a prompt of one’s own reach the model', async () => {
  server.play({ kind: 'text', text: '<note>all of it</note>' });
  const prompt = file('prompt.hbs', 'MINE {{maxTokens}} {{> rules.hbs }} <c>{{conversation}}</c> {{focus}}');
  file('rules.hbs', 'RULES for {{goal}}');
  const own = ['--preset', 'selective', '--set', `prompt=@${prompt}`, '--set', 'summaryTag=note', '--set', 'model=m2'];
  const { stdout, report } = await compact('anthropic/m', ...own, '--force', '--goal', 'GOAL', '--focus', 'FOCUS');
  expect(report).toMatchObject({ status: 'compressed', method: 'model' });
  expect(stdout).toContain('all of it');
  const body: { readonly model: string } = JSON.parse(server.received[0]?.body ?? '{}');
  expect(body.model).toBe('m2');
  expect(JSON.stringify(body)).toContain('MINE 2000 RULES for GOAL <c>');
  expect(JSON.stringify(body)).toContain('FOCUS');
});

test('an input beyond the summarizer’s window is summarized in parts', async () => {
  server.play(good);
  const { report } = await compact('openai-compatible/m', '--summarizer-window', '4k');
  expect(report).toMatchObject({ status: 'compressed', method: 'model' });
  expect(report.findings[0]?.code).toBe('chunked');
  expect(server.received.length).toBeGreaterThan(2);
});
