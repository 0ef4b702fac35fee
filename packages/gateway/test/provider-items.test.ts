import { afterEach, expect, test } from 'vitest';
import { ask, historyOf, type Running, run } from './faults/running.ts';
import type { Json } from './upstream/index.ts';

let running: Running | undefined;
afterEach(async () => {
  await running?.stop();
  running = undefined;
});

const dialect = 'openai-responses';
const headers = { 'x-epitome-window': '8000' };

/** A compaction item as the provider makes it, in characters of the client's own. */
async function itemOf(url: string): Promise<string> {
  const answer = await fetch(`${url}/v1/responses/compact`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer test-key' },
    body: JSON.stringify({ model: 'test-model', input: historyOf(dialect, 2) }),
  });
  const { output } = (await answer.json()) as { readonly output: readonly Json[] };
  return JSON.stringify(output.at(-1)).replace('{', '{ ').replaceAll('":"', '" : "');
}

type Sent = { readonly raw: string; readonly asked: readonly string[]; readonly status: string | null };

async function send(
  item: string,
  { inFront, behind }: Record<'inFront' | 'behind', number>,
  to: Running,
): Promise<Sent> {
  const texts = historyOf(dialect, inFront + behind).map((each) => JSON.stringify(each));
  const asked = [...texts.slice(0, 2 * inFront), item, ...texts.slice(2 * inFront)];
  const body = `{"model":"test-model","store":false,"input":[${asked.join(',')}]}`;
  const response = await ask(to.url, dialect, { body, headers });
  expect(response.status).toBe(200);
  const raw = String(to.upstream.requests.at(-1)?.raw);
  return { raw, asked, status: response.headers.get('x-epitome-status') };
}

test('with a compaction item of the provider, a request that is not due goes out as it came', async () => {
  running = await run({ upstream: { window: 100_000 } });
  const { raw, asked } = await send(await itemOf(running.upstream.url), { inFront: 0, behind: 3 }, running);
  expect(raw).toBe(`{"model":"test-model","store":false,"input":[${asked.join(',')}]}`);
});

test.each([0, 4])(
  'of one that is due, the item with %i turns in front stays as it came, and what is behind it is compacted (R7)',
  async (inFront) => {
    running = await run({ upstream: { window: 100_000 } });
    const { raw, asked, status } = await send(await itemOf(running.upstream.url), { inFront, behind: 40 }, running);
    expect(status).toMatch(/^compacted;/);
    const kept = asked.slice(0, 2 * inFront + 1).join(',');
    expect(raw.startsWith(`{"model":"test-model","store":false,"input":[${kept},`)).toBe(true);
    expect(raw.length).toBeLessThan(asked.join(',').length / 2);
  },
);

test('a history whose answers are only named goes out as it came, however long: nobody here can say what it holds', async () => {
  running = await run({ upstream: { window: 100_000 } });
  const answers = historyOf(dialect, 40).map((each, at) =>
    at % 2 === 1 ? { type: 'item_reference', id: `msg_${at}` } : each,
  );
  for (const end of [61, 81]) {
    const body = JSON.stringify({ model: 'test-model', input: answers.slice(0, end) });
    const response = await ask(running.url, dialect, { body, headers: { ...headers, 'x-epitome-window': '4000' } });
    expect(response.headers.get('x-epitome-status')).toBe('passed; reason=server-state');
    expect(String(running.upstream.requests.at(-1)?.raw) === body).toBe(true);
  }
});

test('a reference behind messages that were read before is seen', async () => {
  running = await run({ upstream: { window: 100_000 } });
  const past = historyOf(dialect, 3);
  await ask(running.url, dialect, { messages: past });
  const reference = { type: 'item_reference', id: 'msg_1' };
  const response = await ask(running.url, dialect, { messages: [...past, reference, ...past.slice(-1)] });
  expect(response.headers.get('x-epitome-status')).toBe('passed; reason=server-state');
});

test("a request for Anthropic's own compaction goes out as it came, however long (A17)", async () => {
  running = await run({ upstream: { window: 100_000 } });
  const messages = historyOf('anthropic', 40);
  const asked = { model: 'test-model', max_tokens: 9, compaction: { type: 'summarize' }, messages };
  const body = JSON.stringify(asked);
  const response = await ask(running.url, 'anthropic', { body, headers: { 'x-epitome-window': '4000' } });
  expect(response.headers.get('x-epitome-status')).toBe('passed; reason=server-state');
  expect(String(running.upstream.requests.at(-1)?.raw) === body).toBe(true);
});
