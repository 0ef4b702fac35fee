import { afterEach, beforeEach, expect, test } from 'vitest';
import { ask, type Running, run } from './faults/running.ts';

let running: Running;
beforeEach(async () => {
  running = await run();
});
afterEach(() => running.stop());

const send = (method: string, path: string): Promise<Response> =>
  fetch(`${running.url}${path}`, {
    method,
    headers: { authorization: 'Bearer test-key', 'content-type': 'application/json' },
    ...(method === 'POST' ? { body: '{}' } : {}),
  });

test.each([
  ['POST', '/v1/conversations'],
  ['GET', '/v1/conversations/conv_1'],
  ['POST', '/v1/conversations/conv_1'],
  ['DELETE', '/v1/conversations/conv_1'],
  ['GET', '/v1/conversations/conv_1/items'],
  ['POST', '/v1/conversations/conv_1/items'],
  ['DELETE', '/v1/conversations/conv_1/items/msg_1'],
])("%s %s of OpenAI's Conversations API goes to the upstream", async (method, path) => {
  const answer = await send(method, path);
  expect(running.upstream.requests.map((seen) => `${seen.method} ${seen.path}`)).toEqual([`${method} ${path}`]);
  expect(answer.headers.get('x-epitome-status')).toBe('passed; reason=other-path');
});

test.each([
  ['GET', '/v1/conversations', 200],
  ['GET', '/v1/conversations/c-1', 404],
  ['PUT', '/v1/conversations/c-1', 405],
  ['POST', '/v1/conversations/c-1/undo', 404],
])('%s %s stays with the gateway', async (method, path, status) => {
  expect((await send(method, path)).status).toBe(status);
  expect(running.upstream.requests).toEqual([]);
});

test('a conversation of ours is never called as those of OpenAI are', async () => {
  const answer = await ask(running.url, 'openai-chat', { headers: { 'x-epitome-conversation': 'conv_1' } });
  expect(answer.status).toBe(400);
  expect(await answer.text()).toContain('conv_');
});

test('what could be read in two ways is passed on from nobody', async () => {
  expect((await send('GET', '/v1/conversations/conv_1%2f..%2fx')).status).toBe(400);
  expect((await send('GET', '/v1/conversations/%63onv_1')).status).toBe(404);
  expect(running.upstream.requests).toEqual([]);
});
