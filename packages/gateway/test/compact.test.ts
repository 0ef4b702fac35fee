import { afterAll, beforeAll, expect, test } from 'vitest';
import { DIALECTS, historyOf, type Running, run } from './faults/running.ts';

let running: Running;
beforeAll(async () => {
  running = await run({ yaml: 'policies: [{ window: 6000 }]' });
});
afterAll(() => running.stop());

const LISTS = { 'openai-chat': 'messages', 'openai-responses': 'input', anthropic: 'messages', gemini: 'contents' };

const compactOf = (text: string, query = ''): Promise<Response> =>
  fetch(`${running.url}/compact${query}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer test-key' },
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
])('%s%s is refused', async (text, query) => {
  expect((await compactOf(text, query)).status).toBe(400);
});
