import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { hashOf } from '../src/config/load.ts';
import { createLedger } from '../src/guard/budget.ts';
import { type Ask, ask, type Running, run } from './faults/running.ts';
import type { Dialect } from './upstream/index.ts';

let running: Running | undefined;
let server: Server | undefined;
afterEach(async () => {
  await running?.stop();
  server?.closeAllConnections();
  server?.close();
});

/** A gateway with a budget in front of a server that answers as it is told. */
async function budgeted(budget: string, answer: RequestListener): Promise<string> {
  const made = createServer(answer);
  server = made;
  await new Promise<void>((resolve) => made.listen(0, '127.0.0.1', resolve));
  const { port } = made.address() as AddressInfo;
  running = await run({
    yaml: `upstreams: [{ name: up, baseUrl: "http://127.0.0.1:${port}", dialects: [openai-chat, openai-responses, anthropic, gemini], key: { env: UPSTREAM_KEY } }]
models: [{ match: "*", window: 32000, prices: { input: 5, output: 5 } }]
keys: [{ id: ci, hash: ${hashOf('test-key')}, scopes: [proxy], budget: { ${budget} } }]`,
    env: { UPSTREAM_KEY: 'k' },
  });
  return running.url;
}

const EVENTS = { 'content-type': 'text/event-stream' };
const WORDS = 'word '.repeat(2000);
const wordsIn: Readonly<Record<Dialect, string>> = {
  'openai-chat': JSON.stringify({ id: 'x', choices: [{ index: 0, delta: { content: WORDS } }] }),
  'openai-responses': JSON.stringify({ type: 'response.output_text.delta', delta: WORDS }),
  anthropic: JSON.stringify({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: WORDS } }),
  gemini: JSON.stringify({ candidates: [{ content: { role: 'model', parts: [{ text: WORDS }] } }] }),
};

/** How many of ten requests, one after the other, come through. */
async function passing(
  url: string,
  dialect: Dialect,
  asked: Ask,
  read = (each: Response): Promise<unknown> => each.text(),
) {
  let passed = 0;
  for (let at = 0; at < 10; at += 1) {
    const response = await ask(url, dialect, asked);
    if (response.status === 200) passed += 1;
    await read(response);
  }
  return passed;
}

describe('an answer without usage took nothing of a budget', () => {
  // Ten tokens of a question, two thousand of an answer.
  test.each([
    ['openai-chat', 'tokensPerDay: 6500'],
    ['openai-chat', 'dollarsPerDay: 0.0325'],
    ['openai-responses', 'tokensPerDay: 6500'],
    ['anthropic', 'tokensPerDay: 6500'],
    ['gemini', 'tokensPerDay: 6500'],
  ] as const)('streams of %s, of %s', async (dialect, budget) => {
    const url = await budgeted(budget, (_, response) => {
      response.writeHead(200, EVENTS).end(`data: ${wordsIn[dialect]}\n\ndata: [DONE]\n\n`);
    });
    expect(await passing(url, dialect, { stream: true })).toBe(4);
  });

  test('whole answers, and what they asked', async () => {
    const url = await budgeted('tokensPerDay: 10000', (_, response) => {
      const message = { role: 'assistant', content: WORDS };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ choices: [{ message }] }));
    });
    expect(await passing(url, 'openai-chat', { messages: [{ role: 'user', content: WORDS }] })).toBe(3);
  });

  test('streams that the client breaks off behind the first words', async () => {
    const url = await budgeted('tokensPerDay: 6500', (_, response) => {
      response.writeHead(200, EVENTS).write(`data: ${wordsIn['openai-chat']}\n\n`);
    });
    const goAway = async (response: Response): Promise<void> => {
      const reader = response.body?.getReader();
      await reader?.read();
      await reader?.cancel();
      // The gateway sees that the client went.
      await new Promise((resolve) => setTimeout(resolve, 50));
    };
    expect(await passing(url, 'openai-chat', { stream: true }, goAway)).toBe(4);
  });

  test('figures at the start of a stream that breaks off do not stand for all of it', async () => {
    const start = { type: 'message_start', message: { usage: { input_tokens: 10, output_tokens: 1 } } };
    const url = await budgeted('tokensPerDay: 6500', (_, response) => {
      response.writeHead(200, EVENTS).write(`data: ${JSON.stringify(start)}\n\ndata: ${wordsIn.anthropic}\n\n`);
      setTimeout(() => response.destroy(), 20);
    });
    expect(await passing(url, 'anthropic', { stream: true })).toBe(4);
  });
});

describe('nothing is taken of a budget', () => {
  const error = JSON.stringify({ error: { message: 'no', type: 'server_error' } });
  const refusals: readonly (readonly [string, RequestListener])[] = [
    ['is refused', (_, response) => void response.writeHead(400, { 'content-type': 'application/json' }).end(error)],
    ['is rate limited', (_, response) => void response.writeHead(429, EVENTS).end(`data: ${error}\n\n`)],
    [
      'gets an error in place of a stream',
      (_, response) => void response.writeHead(200, EVENTS).end(`data: ${error}\n\n`),
    ],
    [
      'gets an error in place of an answer',
      (_, response) => void response.writeHead(200, { 'content-type': 'application/json' }).end(error),
    ],
    [
      'is cut off before anything came',
      (_, response) => {
        response.writeHead(200, EVENTS).flushHeaders();
        setTimeout(() => response.destroy(), 10);
      },
    ],
  ];
  test.each(refusals)('by a request that %s', async (_, answer) => {
    const url = await budgeted('tokensPerDay: 3000', answer);
    const messages = [{ role: 'user', content: WORDS }];
    for (let at = 0; at < 4; at += 1) {
      const response = await ask(url, 'openai-chat', { messages, stream: true });
      await response.text().catch(() => '');
      expect(response.headers.get('x-epitome-status')).not.toContain('budget-spent');
    }
  });
});

test('what is set aside is told to whoever has to charge it, and to nobody without a budget', () => {
  const ledger = createLedger({ now: () => 0, pricesOf: () => undefined });
  const caller = { tenant: 't', keyId: 'ci', scopes: [] };
  const holding = { caller, model: 'm', estimate: () => ({ input: 5, output: 7 }) };
  const key = { id: 'ci', hash: '', tenant: 't', scopes: [] };
  const [free, held] = [ledger.hold(holding, [key]), ledger.hold(holding, [{ ...key, budget: { tokensPerDay: 9 } }])];
  expect('held' in free && free.held?.()).toBe(false);
  expect('held' in held && held.held?.()).toEqual({ input: 5, output: 7 });
});
