import { afterEach, expect, test } from 'vitest';
import { historyOf } from './faults/running.ts';
import { chatOf, post, statusOf } from './support/chat.ts';
import { startGateway } from './support/gateway.ts';
import { startUpstream } from './upstream/index.ts';

let open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open) await close();
  open = [];
});

async function both({ window = 8_000, gatewayWindow = 8_000 } = {}) {
  const upstream = await startUpstream({ window });
  const tested = await startGateway(upstream.url, { window: gatewayWindow });
  open.push(tested.gateway.close, upstream.close);
  return { upstream, tested };
}

const after = (told: Headers): number => Number(told.get('x-epitome-tokens-after'));

test('what a compacted request is said to have is what went out, not what was counted of the one before', async () => {
  const { upstream, tested } = await both();
  const all = chatOf(40, 110);
  const made: number[] = [];
  for (let length = 2; length < all.length; length += 2) {
    const answer = await post(tested.url, { model: 'm', messages: all.slice(0, length) });
    const tokens = upstream.requests.at(-1)?.tokens ?? 0;
    if (statusOf(answer) === 'compacted') made.push(after(answer.told) / tokens);
  }
  expect(made.length).toBeGreaterThan(1);
  for (const ratio of made) expect(Math.abs(ratio - 1)).toBeLessThan(0.3);
});

test('an earlier prompt that is asked again has its own size, however long the conversation was', async () => {
  const { upstream, tested } = await both();
  const all = chatOf(12, 110);
  await post(tested.url, { model: 'm', messages: all });
  const again = await post(tested.url, { model: 'm', messages: all.slice(0, 2) });
  expect(after(again.told)).toBeLessThan((upstream.requests.at(-1)?.tokens ?? 0) * 1.5);
});

test('a window that one tenant is told of is not held against another, whose account may have more', async () => {
  const { upstream, tested } = await both({ gatewayWindow: 64_000 });
  const asked = { model: 'm', messages: chatOf(20) };
  expect((await post(tested.url, asked)).told.get('x-epitome-status')).toContain('retried');
  upstream.set({ window: 64_000 });
  expect(statusOf(await post(tested.url, asked, { authorization: 'Bearer other' }))).toBe('kept');
});

test.each([
  ['as a request', (request: object): object => request],
  ['inside a question', (request: object): object => ({ seen: 1, generateContentRequest: request })],
])('the size of a Gemini history, written %s, is asked of what would be sent', async (_how, asking) => {
  const { upstream, tested } = await both();
  const send = async (verb: string, body: object): Promise<string | null> => {
    const path = `${tested.url}/v1beta/models/gemini-x:${verb}`;
    const headers = { 'content-type': 'application/json', 'x-goog-api-key': 'k' };
    return (await fetch(path, { method: 'POST', headers, body: JSON.stringify(body) })).headers.get('x-epitome-status');
  };
  const history = { model: 'models/gemini-x', contents: historyOf('gemini', 60), generationConfig: { topK: 3 } };
  expect(await send('generateContent', history)).toMatch(/^compacted;/);
  for (const _again of [1, 2]) {
    expect(await send('countTokens', asking(history))).toBe('reused; reason=in-force');
    const [sent, asked] = [upstream.requests[0], upstream.requests.at(-1)].map((seen) => String(seen?.raw));
    expect(asked).toBe(JSON.stringify(asking(JSON.parse(sent ?? ''))));
  }
});
