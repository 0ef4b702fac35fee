import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { hashOf } from '../src/config/load.ts';
import { ask, run } from './faults/running.ts';

test.each(['tokensPerDay: 2000', 'dollarsPerDay: 0.01'])(
  'forty requests at once do not overrun a budget of %s',
  async (budget) => {
    // All of them are under way before the first one ends.
    const slow = createServer((_, response) => {
      const usage = { prompt_tokens: 1000, completion_tokens: 1 };
      setTimeout(() => response.end(JSON.stringify({ id: 'x', choices: [], usage })), 500);
    });
    await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve));
    const { port } = slow.address() as AddressInfo;
    const running = await run({
      yaml: `upstreams: [{ name: slow, baseUrl: "http://127.0.0.1:${port}", dialects: [openai-chat], key: { env: UPSTREAM_KEY } }]
models: [{ match: "*", window: 32000, prices: { input: 5, output: 5 } }]
keys: [{ id: ci, hash: ${hashOf('test-key')}, scopes: [proxy], budget: { ${budget} } }]`,
      env: { UPSTREAM_KEY: 'k' },
    });
    const answers = await Promise.all(Array.from({ length: 40 }, () => ask(running.url, 'openai-chat')));
    const passed = answers.filter(({ status }) => status === 200);
    const refused = answers.filter(({ status }) => status === 429);
    expect(passed.length + refused.length).toBe(40);
    // One may end before the last comes in; each takes 1001 tokens, of which the budget has 2000.
    expect(passed.length).toBeLessThanOrEqual(2);
    expect(refused[0]?.headers.get('retry-after')).toBe('1');
    await running.stop();
    slow.close();
  },
);

test('a request that came to nothing takes nothing of its budget', async () => {
  const running = await run({
    yaml: `keys: [{ id: ci, hash: ${hashOf('test-key')}, scopes: [proxy], budget: { tokensPerDay: 2000 } }]`,
    env: { UPSTREAM_KEY: 'k' },
  });
  await running.upstream.close();
  for (let at = 0; at < 3; at += 1) expect((await ask(running.url, 'openai-chat')).status).toBe(502);
  await running.stop();
});
