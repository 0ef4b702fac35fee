import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hashOf } from '../src/config/load.ts';
import { DIALECTS, errorIn, historyOf, type Running, run } from './faults/running.ts';

let running: Running;
beforeAll(async () => {
  running = await run({ yaml: 'policies: [{ window: 6000 }]' });
});
afterAll(() => running.stop());

const LISTS = { 'openai-chat': 'messages', 'openai-responses': 'input', anthropic: 'messages', gemini: 'contents' };

const compactOf = (text: string, query = '', headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${running.url}/compact${query}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer test-key', ...headers },
    body: text,
  });

test.each(DIALECTS)('%s: the same shape with fewer messages, and no upstream is called', async (dialect) => {
  const list = LISTS[dialect];
  const system = dialect === 'anthropic' ? { system: 'Be brief.' } : {};
  const text = JSON.stringify({ ...system, seed: 7, [list]: historyOf(dialect, 40), temperature: 0.5 });
  const response = await compactOf(text);
  const made = (await response.json()) as Record<string, unknown[]>;
  expect([response.status, response.headers.get('x-epitome-status')]).toEqual([
    200,
    expect.stringMatching(/^compacted/),
  ]);
  expect(Object.keys(made)).toEqual(Object.keys(JSON.parse(text)));
  expect(made[list]?.length).toBeLessThan(30);
  expect(made[list]?.at(-1)).toEqual(historyOf(dialect, 40).at(-1));
  expect(running.upstream.requests).toEqual([]);
});

test('what is not due comes back in the very characters, and names no record', async () => {
  const text = '{ "messages":[ {"role":"user","content":"a"} ], "seed": 9007199254740993 }';
  const response = await compactOf(text, '?dialect=openai-chat&when=due');
  expect(await response.text()).toBe(text);
  expect(response.headers.get('x-epitome-record')).toBeNull();
});

test.each([
  ['{"model":"m"}', ''],
  ['{"messages":[]}', '?dialect=cobol'],
  ['{"messages":[]}', '?dialect=openai-chat&when=never'],
  ['{"messages":[]}', '?dialect=openai-chat&when=DUE'],
  ['{"messages":"a text"}', '?dialect=openai-chat'],
])('%s%s is refused', async (text, query) => {
  expect((await compactOf(text, query)).status).toBe(400);
});

const PAST = historyOf('openai-responses', 40);

test.each([
  ['previous_response_id', { previous_response_id: 'resp_1', input: PAST }, 'server-state'],
  ['conversation', { conversation: 'conv_1', input: PAST }, 'server-state'],
  ['references', { input: [...PAST, { type: 'item_reference', id: 'msg_1' }, ...PAST.slice(-1)] }, 'server-state'],
  ['no list but a text', { input: 'Hello' }, 'no-messages'],
  ['the past alone', { previous_response_id: 'resp_1' }, 'server-state'],
])('a Responses request with %s comes back as it came, as it goes to the provider as it came', async (...asked) => {
  const [, members, reason] = asked;
  const text = JSON.stringify({ model: 'm', ...members });
  const response = await compactOf(text);
  expect([response.status, response.headers.get('x-epitome-status')]).toEqual([200, `passed; reason=${reason}`]);
  expect((await response.text()) === text).toBe(true);
});

const LONG = JSON.stringify({ model: 'm', messages: historyOf('openai-chat', 40) });

test.each([
  ['x-epitome-off', 'passed; reason=off'],
  ['x-epitome-dry-run', 'planned; reason=forced'],
])('%s is heard by /compact: the request comes back as it came', async (header, status) => {
  const response = await compactOf(LONG, '', { [header]: 'true' });
  expect(response.headers.get('x-epitome-status')).toBe(status);
  expect(await response.text()).toBe(LONG);
  expect(response.headers.get('x-epitome-record')).toBeNull();
});

describe.each(DIALECTS)('?dialect=%s', (dialect) => {
  test.each<[string, number, string, Record<string, string>]>([
    ['no list of messages', 400, '{"model":"m"}', {}],
    ['no JSON', 400, '{"messages":[', {}],
    ['an unknown header', 400, LONG, { 'x-epitome-of': 'true' }],
    ['no key', 401, LONG, { authorization: '' }],
    ['another type', 415, LONG, { 'content-type': 'text/plain' }],
  ])('%s is %s in the shape of the dialect', async (_what, status, text, headers) => {
    const response = await compactOf(text, `?dialect=${dialect}`, headers);
    expect(response.status).toBe(status);
    expect(errorIn(dialect, (await response.json()) as never)).toEqual(expect.any(String));
  });
});

describe('/compact with client keys', () => {
  let keyed: Running;
  let asked = 0;
  beforeAll(async () => {
    const key = (id: string, budget: string): string =>
      `{ id: ${id}, hash: ${hashOf(id)}, tenant: ${id}, scopes: [proxy, admin], budget: { ${budget} } }`;
    keyed = await run({
      yaml: `policies: [{ window: 6000 }]\nkeys: [${key('rare', 'requestsPerMinute: 1')}, ${key('thrifty', 'tokensPerDay: 100')}]`,
      env: { UPSTREAM_KEY: 'upstream-key' },
      engine: {
        summarizer: async () => {
          asked += 1;
          return { text: SUMMARY, usage: { inputTokens: 5000, outputTokens: 500 } };
        },
      },
    });
  });
  afterAll(() => keyed.stop());

  const post = (key: string): Promise<Response> =>
    fetch(`${keyed.url}/compact`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
      body: LONG,
    });

  test('is a request of its key: the second in a minute that has one is 429', async () => {
    expect((await post('rare')).status).toBe(200);
    const second = await post('rare');
    expect([second.status, second.headers.get('retry-after')]).toEqual([429, expect.stringMatching(/^\d+$/)]);
  });

  test('its summary is paid for by its key: who has no tokens left asks no summarizer', async () => {
    expect((await post('thrifty')).status).toBe(200);
    const before = asked;
    expect(before).toBeGreaterThan(0);
    expect((await post('thrifty')).status).toBe(429);
    expect(asked).toBe(before);
  });

  test('is in the log and among the figures like any compaction', async () => {
    const lines = keyed.lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    const compactions = lines.filter(({ message, msg }) => (message ?? msg) === 'compaction');
    expect(compactions).toMatchObject([
      { client: 'rare', trigger: 'manual', outcome: 'committed' },
      { client: 'thrifty', trigger: 'manual', outcome: 'committed' },
    ]);
    const requests = lines.filter(({ path }) => path === '/compact');
    expect(requests.map(({ status, turn }) => [status, turn])).toMatchObject([
      [200, { status: 'compacted' }],
      [429, { status: 'refused', reason: 'budget-spent' }],
      [200, { status: 'compacted' }],
      [429, { status: 'refused', reason: 'budget-spent' }],
    ]);
    const figures = await fetch(`${keyed.url}/metrics`, { headers: { authorization: 'Bearer thrifty' } });
    expect(await figures.text()).toMatch(/^epitome_compactions_total\{[^}]*trigger="manual"[^}]*\} 2$/m);
  });
});

const SUMMARY = `<state_snapshot>\n<overall_goal>\nQuestions about the parts.\n</overall_goal>\n<key_knowledge>\n- The answers were fine.\n</key_knowledge>\n<file_system_state>\n- READ: src/part-1.ts\n</file_system_state>\n<recent_actions>\n- Answered a question about src/part-2.ts\n</recent_actions>\n<current_plan>\n1. [TODO] Answer the next question\n</current_plan>\n</state_snapshot>`;
