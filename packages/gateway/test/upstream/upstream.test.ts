import { readOverflow } from 'epitome/overflow';
import { afterEach, describe, expect, test } from 'vitest';
import { agentReply, agentTools } from './agent.ts';
import { addedBy, playSession } from './driver.ts';
import {
  type Dialect,
  type Fault,
  type Json,
  type Reply,
  startUpstream,
  type Upstream,
  type UpstreamOptions,
} from './index.ts';
import { isObject, objectsOf } from './json.ts';

let upstream: Upstream | undefined;

afterEach(async () => {
  await upstream?.close();
  upstream = undefined;
});

const start = async (options: UpstreamOptions = {}): Promise<Upstream> => {
  upstream = await startUpstream(options);
  return upstream;
};

const HEADERS = {
  'content-type': 'application/json',
  authorization: 'Bearer k',
  'x-api-key': 'k',
  'x-goog-api-key': 'k',
  'anthropic-version': '2023-06-01',
};

const PATHS: Readonly<Record<Dialect, string>> = {
  'openai-chat': '/v1/chat/completions',
  'openai-responses': '/v1/responses',
  anthropic: '/v1/messages',
  gemini: '/v1beta/models/gemini-3-pro:generateContent',
};

const STREAMS: Readonly<Record<Dialect, string>> = {
  ...PATHS,
  gemini: '/v1beta/models/gemini-3-pro:streamGenerateContent?alt=sse',
};

const DIALECTS = Object.keys(PATHS) as Dialect[];

const bodyOf = (dialect: Dialect, messages: readonly unknown[], more: Json = {}): Json => {
  if (dialect === 'gemini') return { contents: messages, ...more };
  const list = dialect === 'openai-responses' ? { input: messages } : { messages };
  return { model: 'm', ...list, ...(dialect === 'anthropic' ? { max_tokens: 100 } : {}), ...more };
};

const user = (dialect: Dialect, text = 'hello'): Json =>
  dialect === 'gemini' ? { role: 'user', parts: [{ text }] } : { role: 'user', content: text };

const post = (path: string, body: unknown): Promise<Response> =>
  fetch(`${upstream?.url}${path}`, { method: 'POST', headers: HEADERS, body: JSON.stringify(body) });

const ask = async (
  dialect: Dialect,
  messages: readonly unknown[],
  more: Json = {},
): Promise<{ status: number; body: Json }> => {
  const response = await post(PATHS[dialect], bodyOf(dialect, messages, more));
  return { status: response.status, body: (await response.json()) as Json };
};

describe.each(DIALECTS)('%s', (dialect) => {
  test('answers, streams, and reports what it counted', async () => {
    await start({ reply: () => ({ text: 'Fine, thank you 👍.' }) });
    const plain = await ask(dialect, [user(dialect)]);
    expect(plain.status).toBe(200);
    expect(JSON.stringify(plain.body)).toContain('Fine, thank you 👍.');
    const streamed = await post(
      STREAMS[dialect],
      bodyOf(dialect, [user(dialect)], dialect === 'gemini' ? {} : { stream: true }),
    );
    expect(streamed.headers.get('content-type')).toContain('text/event-stream');
    expect(await streamed.text()).toMatch(/^(event: [\w.]+\n)?data: \{/);
    expect(upstream?.requests.map(({ verdict }) => verdict)).toEqual(['answered', 'answered']);
    expect(upstream?.requests[0]?.tokens).toBeGreaterThan(1);
  });

  test('refuses what is too long in words the engine knows', async () => {
    await start({ window: 50 });
    const { status, body } = await ask(dialect, [user(dialect, 'long '.repeat(100))]);
    expect(status).toBe(400);
    expect(readOverflow({ status, ...body })).toMatchObject({ overflow: true });
    expect(upstream?.requests[0]?.verdict).toBe('too-long');
  });

  test('wants a key', async () => {
    await start({ keys: ['other'] });
    const { status } = await ask(dialect, [user(dialect)]);
    expect(status).toBe(401);
  });

  test('says what the cache knew of a history that comes again', async () => {
    await start();
    const marked = {
      role: 'user',
      content: [{ type: 'text', text: 'word '.repeat(3000), cache_control: { type: 'ephemeral' } }],
    };
    const first = dialect === 'anthropic' ? marked : user(dialect, 'word '.repeat(3000));
    const before = await ask(dialect, [first]);
    const after = await ask(dialect, [first]);
    const figures = (body: Json): string => JSON.stringify(body['usage'] ?? body['usageMetadata']);
    expect(figures(before.body)).not.toBe(figures(after.body));
    expect(figures(after.body)).toMatch(/(cached_tokens|cache_read_input_tokens|cachedContentTokenCount)":[23]\d\d\d/);
  });

  test.each<[Fault, number | 'broken']>([
    [{ kind: 'rate-limit', retryAfter: 7 }, 429],
    [{ kind: 'server-error' }, 500],
    [{ kind: 'overloaded' }, dialect === 'anthropic' ? 529 : 503],
    [{ kind: 'context-length' }, 400],
    [{ kind: 'reset' }, 'broken'],
    [{ kind: 'cut' }, 'broken'],
    [{ kind: 'malformed' }, 'broken'],
    [{ kind: 'empty' }, 'broken'],
    [{ kind: 'refusal' }, 200],
    [{ kind: 'huge', bytes: 200_000 }, 200],
  ])('fails as told: $kind', async (fault, expected) => {
    await start();
    upstream?.inject([fault]);
    const found = await ask(dialect, [user(dialect)]).then(
      ({ status }) => status,
      () => 'broken',
    );
    expect(found).toBe(expected);
    const next = await ask(dialect, [user(dialect)]);
    expect(next.status).toBe(200);
  });

  test('a stream is cut, or stalls, where it is told to', async () => {
    await start();
    upstream?.inject([{ kind: 'cut', after: 2 }]);
    const cut = await post(
      STREAMS[dialect],
      bodyOf(dialect, [user(dialect)], dialect === 'gemini' ? {} : { stream: true }),
    );
    await expect(cut.text()).rejects.toThrow();
    upstream?.inject([{ kind: 'stall', after: 2 }]);
    const stalled = await post(
      STREAMS[dialect],
      bodyOf(dialect, [user(dialect)], dialect === 'gemini' ? {} : { stream: true }),
    );
    const reader = stalled.body?.getReader();
    expect((await reader?.read())?.done).toBe(false);
    await reader?.cancel();
  });
});

const chatCall = (...ids: string[]): Json => ({
  role: 'assistant',
  content: null,
  tool_calls: ids.map((id) => ({ id, type: 'function', function: { name: 'f', arguments: '{}' } })),
});
const chatResult = (id: string): Json => ({ role: 'tool', tool_call_id: id, content: 'ok' });
const useBlock = (id: string): Json => ({ type: 'tool_use', id, name: 'f', input: {} });
const resultBlock = (id: string): Json => ({ type: 'tool_result', tool_use_id: id, content: 'ok' });
const call = (name = 'f'): Json => ({
  functionCall: { name, args: {} },
  thoughtSignature: 'skip_thought_signature_validator',
});
const response = (name = 'f'): Json => ({ functionResponse: { name, response: {} } });
const item = (id: string): Json => ({ type: 'function_call', call_id: id, name: 'f', arguments: '{}' });
const output = (id: string): Json => ({ type: 'function_call_output', call_id: id, output: 'ok' });

test.each<[rule: string, dialect: Dialect, messages: readonly Json[]]>([
  ['O1', 'openai-chat', [user('openai-chat'), chatCall('a', 'b'), chatResult('a')]],
  ['O1', 'openai-chat', [user('openai-chat'), chatCall('a'), user('openai-chat'), chatResult('a')]],
  ['O2', 'openai-chat', [user('openai-chat'), chatResult('a')]],
  ['O2', 'openai-chat', [user('openai-chat'), chatCall('a'), chatResult('a'), chatResult('a')]],
  ['O5', 'openai-chat', [user('openai-chat'), { role: 'assistant', content: null }]],
  ['O6', 'openai-chat', [{ role: 'user', content: null }]],
  ['R1', 'openai-responses', [user('openai-responses'), output('a')]],
  ['R2', 'openai-responses', [user('openai-responses'), item('a'), user('openai-responses')]],
  [
    'R3',
    'openai-responses',
    [{ type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: null }, user('openai-responses')],
  ],
  ['R6', 'openai-responses', [{ type: 'compaction', id: 'c', encrypted_content: 'forged' }, user('openai-responses')]],
  ['A3', 'anthropic', [user('anthropic'), { role: 'assistant', content: [useBlock('a')] }, user('anthropic')]],
  [
    'A3',
    'anthropic',
    [
      user('anthropic'),
      { role: 'assistant', content: [useBlock('a')] },
      { role: 'user', content: [{ type: 'text', text: 'x' }, resultBlock('a')] },
    ],
  ],
  [
    'A6',
    'anthropic',
    [user('anthropic'), { role: 'assistant', content: 'hi' }, { role: 'user', content: [resultBlock('a')] }],
  ],
  ['A8', 'anthropic', [{ role: 'user', content: [{ type: 'text', text: ' ' }] }]],
  ['A1', 'anthropic', [{ role: 'assistant', content: 'hi' }, user('anthropic')]],
  ['G1', 'gemini', [user('gemini'), { role: 'model', parts: [call(), call()] }, { role: 'user', parts: [response()] }]],
  ['G1', 'gemini', [user('gemini'), { role: 'model', parts: [call('f')] }, { role: 'user', parts: [response('g')] }]],
  [
    'G2',
    'gemini',
    [
      user('gemini'),
      { role: 'model', parts: [{ text: 'x' }] },
      { role: 'model', parts: [call()] },
      { role: 'user', parts: [response()] },
    ],
  ],
  ['G3', 'gemini', [user('gemini'), { role: 'user', parts: [response()] }]],
  ['G4', 'gemini', [{ role: 'model', parts: [{ text: 'x' }] }, user('gemini')]],
  ['G5', 'gemini', [{ role: 'user', parts: [] }]],
  [
    'G6',
    'gemini',
    [
      user('gemini'),
      { role: 'model', parts: [{ functionCall: { name: 'f', args: {} } }] },
      { role: 'user', parts: [response()] },
    ],
  ],
])('rule %s of %s is held', async (rule, dialect, messages) => {
  await start();
  const { status } = await ask(dialect, messages);
  expect(status).toBe(400);
  expect(upstream?.refused()[0]).toMatch(new RegExp(`^request 0: ${rule}\\b`));
});

test('thinking holds for the conversation it was made in, and for no other', async () => {
  const reply: Reply = { thinking: 'Let me see.', calls: [{ name: 'f', input: { n: 1 } }] };
  await start({ reply: () => reply });
  const thinking = { thinking: { type: 'enabled', budget_tokens: 1024 } };
  const first = await ask('anthropic', [user('anthropic', 'one')], thinking);
  const answer = { role: 'assistant', content: first.body['content'] };
  const [, use] = objectsOf(first.body['content']);
  const result = { role: 'user', content: [resultBlock(String(use?.['id']))] };
  const kept = await ask('anthropic', [user('anthropic', 'one'), answer, result], thinking);
  expect(kept.status).toBe(200);
  const changed = await ask('anthropic', [user('anthropic', 'another'), answer, result], thinking);
  expect(changed.status).toBe(400);
  expect(upstream?.refused()).toEqual([expect.stringContaining('A12')]);
  const dropped = { thinking: { ...thinking.thinking, block_binding: { prefix_mismatch_behavior: 'drop_block' } } };
  expect((await ask('anthropic', [user('anthropic', 'another'), answer, result], dropped)).status).toBe(200);
});

test('responses are remembered by id, unless they are not to be stored', async () => {
  await start({
    reply: ({ body }) =>
      isObject(body) && body['previous_response_id'] ? { text: 'seen' } : { calls: [{ name: 'f', input: {} }] },
  });
  const first = await ask('openai-responses', [user('openai-responses')]);
  const [made] = objectsOf(first.body['output']);
  const chained = await ask('openai-responses', [output(String(made?.['call_id']))], {
    previous_response_id: first.body['id'],
  });
  expect(chained.status).toBe(200);
  expect(upstream?.requests[1]?.units).toHaveLength(3);
  const lost = await ask('openai-responses', [user('openai-responses')], { store: false });
  const after = await ask('openai-responses', [user('openai-responses')], { previous_response_id: lost.body['id'] });
  expect(after.status).toBe(400);
});

test('a compaction item stands for what was before it', async () => {
  await start();
  const long = [user('openai-responses', 'word '.repeat(2000)), { role: 'assistant', content: 'fine '.repeat(2000) }];
  const { body } = await post('/v1/responses/compact', bodyOf('openai-responses', long)).then(async (made) => ({
    body: (await made.json()) as Json,
  }));
  const window = [...objectsOf(body['output']), user('openai-responses', 'go on')];
  expect((await ask('openai-responses', window)).status).toBe(200);
  const made = await ask('openai-responses', long, {
    context_management: [{ type: 'compaction', compact_threshold: 100 }],
  });
  expect(objectsOf(made.body['output']).map(({ type }) => type)).toEqual(['compaction', 'message']);
});

test.each(DIALECTS)('an agent works through its turns in %s without breaking a rule', async (dialect) => {
  await start({ reply: agentReply({ thinks: dialect !== 'openai-chat' }), window: 200_000 });
  const more = dialect === 'anthropic' ? { thinking: { type: 'enabled', budget_tokens: 1024 } } : {};
  const history = await playSession({
    dialect,
    turns: 5,
    ask: async (messages) => {
      const { status, body } = await ask(dialect, messages, { tools: agentTools(dialect), ...more });
      expect({ status, refused: upstream?.refused() }).toEqual({ status: 200, refused: [] });
      return addedBy(dialect, body);
    },
  });
  expect(upstream?.requests).toHaveLength(5 * 4);
  expect(JSON.stringify(history)).toContain('Task 4');
});
