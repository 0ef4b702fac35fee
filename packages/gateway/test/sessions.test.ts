import { afterEach, describe, expect, test } from 'vitest';
import { startGateway, type Tested } from './support/gateway.ts';
import { agentReply, agentTools } from './upstream/agent.ts';
import { addedBy, playSession } from './upstream/driver.ts';
import { type Dialect, type Json, startUpstream, type Upstream } from './upstream/index.ts';

let open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open) await close();
  open = [];
});

async function both(window: number): Promise<{ upstream: Upstream; tested: Tested }> {
  const upstream = await startUpstream({ window, reply: agentReply({ thinks: false }) });
  const tested = await startGateway(upstream.url, { window });
  open.push(tested.gateway.close, upstream.close);
  return { upstream, tested };
}

const PATHS: Readonly<Record<Dialect, string>> = {
  'openai-chat': '/v1/chat/completions',
  'openai-responses': '/v1/responses',
  anthropic: '/v1/messages',
  gemini: '/v1beta/models/gemini-x:generateContent',
};

function bodyOf(dialect: Dialect, history: readonly Json[]): Json {
  const tools = agentTools(dialect);
  switch (dialect) {
    case 'openai-chat':
      return { model: 'm', messages: [{ role: 'system', content: 'You code.' }, ...history], tools };
    case 'openai-responses':
      return { model: 'm', instructions: 'You code.', input: history, tools, store: false };
    case 'anthropic':
      return { model: 'm', max_tokens: 1000, system: 'You code.', messages: history, tools };
    case 'gemini':
      return { systemInstruction: { parts: [{ text: 'You code.' }] }, contents: history, tools };
    default:
      return dialect satisfies never;
  }
}

const HEADERS = {
  'content-type': 'application/json',
  authorization: 'Bearer k',
  'x-api-key': 'k',
  'x-goog-api-key': 'k',
  'anthropic-version': '2023-06-01',
};

describe('300 turns of an agent through a window of 32k', () => {
  test.each(['openai-chat', 'openai-responses', 'anthropic', 'gemini'] as const)('%s', async (dialect) => {
    const { upstream, tested } = await both(32_000);
    const TURNS = Number(process.env['TURNS'] ?? 300);
    await playSession({
      dialect,
      turns: TURNS,
      words: 30,
      ask: async (history) => {
        const headers = dialect === 'anthropic' ? HEADERS : { ...HEADERS, 'anthropic-version': '' };
        const answer = await fetch(tested.url + PATHS[dialect], {
          method: 'POST',
          headers,
          body: JSON.stringify(bodyOf(dialect, history)),
        });
        const body = (await answer.json()) as Json;
        if (answer.status !== 200)
          throw new Error(`${answer.status} ${JSON.stringify(body).slice(0, 500)} ${tested.faults.join('\n')}`);
        return addedBy(dialect, body);
      },
    });
    expect(tested.faults).toEqual([]);
    expect(upstream.refused()).toEqual([]);
    expect(upstream.requests.filter(({ verdict }) => verdict !== 'answered')).toEqual([]);
  });
});
