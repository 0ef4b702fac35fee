import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { hashOf } from '../../src/config/load.ts';
import type { Dialect, Json } from '../upstream/index.ts';
import { answerOf, ask, DIALECTS, historyOf, type Running, run, userOf } from './running.ts';

const REPLY = Array.from({ length: 60 }, (_, at) => `word${at}`).join(' ');
let running: Running;

beforeAll(async () => {
  const key = (id: string, more = ''): string =>
    `{ id: ${id}, hash: ${hashOf(`${id}-key`)}, tenant: t, scopes: [proxy, read, admin]${more} }`;
  running = await run({
    yaml: `timeouts: { upstream: 2000 }\npolicies: [{ window: 8000 }]\nkeys: [${key('all')}, ${key('thrifty', ', budget: { tokensPerDay: 10 }')}]`,
    env: { UPSTREAM_KEY: 'upstream-key' },
    upstream: { keys: ['upstream-key'], paceMs: 10, reply: () => ({ text: REPLY }) },
  });
});
afterAll(() => running.stop());
beforeEach(() => running.upstream.recover());

const withKey = (key: string): Record<string, string> => ({ authorization: `Bearer ${key}`, 'x-goog-api-key': key });
const HEADERS = withKey('all-key');

async function get(path: string): Promise<Json> {
  const response = await fetch(`${running.url}/v1/conversations/${path}`, { headers: HEADERS });
  expect(response.status).toBe(200);
  return (await response.json()) as Json;
}

async function incompleteOf(conversation: string): Promise<readonly Json[]> {
  const { incomplete = [] } = await get(`${conversation}/tree`);
  return incomplete as readonly Json[];
}

type Broken = (dialect: Dialect, messages: readonly Json[]) => Promise<string>;

/** The upstream breaks off after some events. */
const cutOff: Broken = async (dialect, messages) => {
  running.upstream.inject([{ kind: 'cut', after: 8 }]);
  const response = await ask(running.url, dialect, { messages, stream: true, headers: HEADERS });
  await response.text();
  return response.headers.get('x-epitome-conversation') ?? '';
};

/** The client goes after some events. */
const goAway: Broken = async (dialect, messages) => {
  const gone = new AbortController();
  const { signal } = gone;
  const response = await ask(running.url, dialect, { messages, stream: true, headers: HEADERS, signal });
  const reader = response.body?.getReader();
  let text = '';
  while (!text.includes('word')) text += Buffer.from((await reader?.read())?.value ?? []).toString('utf8');
  gone.abort();
  return response.headers.get('x-epitome-conversation') ?? '';
};

const CASES: readonly [string, Broken, string][] = [
  ['an upstream that drops mid-stream', cutOff, 'incomplete'],
  ['a client that disconnects', goAway, 'gone'],
];

describe.each(DIALECTS)('%s', (dialect) => {
  test.each(CASES)('%s: what came is kept as incomplete, and no view holds it', async (what, breakOff, end) => {
    const messages = [userOf(dialect, `Partial of ${what} in ${dialect}?`)];
    const conversation = await breakOff(dialect, messages);
    await expect.poll(() => incompleteOf(conversation), { timeout: 3000 }).toHaveLength(1);
    const [partial] = await incompleteOf(conversation);
    const { messages: stored } = await get(`${conversation}/tree`);
    const [prompt] = stored as readonly Json[];
    expect(partial).toMatchObject({ incomplete: true, end, branch: 'main', parentId: prompt?.['id'] });
    expect(String(partial?.['text'])).toMatch(/^word0/);
    expect(REPLY.startsWith(String(partial?.['text']))).toBe(true);
    expect(stored).toHaveLength(1);
    expect(JSON.stringify(await get(`${conversation}/view`))).not.toContain('word0');
    expect(JSON.stringify(await get(conversation))).not.toContain('word0');
    expect(await get(`${conversation}/records`)).toMatchObject({ records: [] });
    // What the client sends next is what was said.
    const next = [...messages, answerOf(dialect, 'word0, as I read it'), userOf(dialect, 'Go on.')];
    const response = await ask(running.url, dialect, { messages: next, headers: HEADERS });
    expect([response.status, response.headers.get('x-epitome-branch')]).toEqual([200, 'main']);
    expect(await get(`${conversation}/messages`)).toMatchObject({ messages: [{}, { role: 'assistant' }, {}] });
  });

  test('an answer that came to its end is no incomplete one', async () => {
    const messages = [userOf(dialect, `Whole in ${dialect}?`)];
    const response = await ask(running.url, dialect, { messages, stream: true, headers: HEADERS });
    await response.text();
    expect(await incompleteOf(response.headers.get('x-epitome-conversation') ?? '')).toEqual([]);
  });
});

test('answers that are stopped again and again take a bounded place', async () => {
  const messages = [userOf('openai-chat', 'Stopped again and again?')];
  let conversation = '';
  for (let at = 0; at < 12; at += 1) conversation = await cutOff('openai-chat', messages);
  await expect.poll(() => incompleteOf(conversation)).toHaveLength(8);
});

test('a client that disconnects leaves no compaction behind', async () => {
  const before = running.lines.filter((line) => line.includes('"compaction"')).length;
  const conversation = await goAway('anthropic', historyOf('anthropic', 20, 'No orphan?'));
  await expect.poll(() => incompleteOf(conversation), { timeout: 3000 }).toHaveLength(1);
  expect(await get(`${conversation}/records`)).toMatchObject({ records: [] });
  expect(running.lines.filter((line) => line.includes('"compaction"'))).toHaveLength(before);
});

test('a client that left mid-stream is charged for usage already reported', async () => {
  const gone = new AbortController();
  const { signal } = gone;
  const messages = [userOf('anthropic', `Charged? ${'word '.repeat(50)}`)];
  const headers = withKey('thrifty-key');
  const response = await ask(running.url, 'anthropic', { messages, stream: true, headers, signal });
  expect(response.status).toBe(200);
  const reader = response.body?.getReader();
  let text = '';
  // Anthropic reports the prompt with the first event.
  while (!text.includes('input_tokens')) text += Buffer.from((await reader?.read())?.value ?? []).toString('utf8');
  gone.abort();
  await expect.poll(() => running.lines.at(-1), { timeout: 3000 }).toContain('"end":"gone"');
  const second = await ask(running.url, 'anthropic', { messages, headers });
  expect(second.status).toBe(429);
});
