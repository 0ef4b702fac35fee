import { afterEach, describe, expect, test } from 'vitest';
import { startGateway, type Tested } from './support/gateway.ts';
import { agentReply, agentTools, promptOf } from './upstream/agent.ts';
import { addedBy, playSession } from './upstream/driver.ts';
import { type Dialect, type Json, startUpstream, type Upstream } from './upstream/index.ts';

let open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open) await close();
  open = [];
});

const WINDOW = 32_000;
const TURNS = 300;

async function both(): Promise<{ upstream: Upstream; tested: Tested }> {
  const upstream = await startUpstream({ window: WINDOW, reply: agentReply({ steps: [2, 1] }) });
  const tested = await startGateway(upstream.url, { window: WINDOW });
  open.push(tested.gateway.close, upstream.close);
  return { upstream, tested };
}

const PATHS: Readonly<Record<Dialect, string>> = {
  'openai-chat': '/v1/chat/completions',
  'openai-responses': '/v1/responses',
  anthropic: '/v1/messages',
  gemini: '/v1beta/models/gemini-x:generateContent',
};

const SYSTEM = 'You code. Never touch src/legacy.';

function bodyOf(dialect: Dialect, history: readonly Json[]): Json {
  const tools = agentTools(dialect);
  switch (dialect) {
    case 'openai-chat':
      return { model: 'm', messages: [{ role: 'system', content: SYSTEM }, ...history], tools };
    case 'openai-responses':
      return { model: 'm', instructions: SYSTEM, input: history, tools, store: false };
    case 'anthropic':
      return { model: 'm', max_tokens: 1000, system: SYSTEM, messages: history, tools };
    case 'gemini':
      return { systemInstruction: { parts: [{ text: SYSTEM }] }, contents: history, tools };
    default:
      return dialect satisfies never;
  }
}

const KEYS = { 'content-type': 'application/json', authorization: 'Bearer k', 'x-api-key': 'k', 'x-goog-api-key': 'k' };

function headersOf(dialect: Dialect): Readonly<Record<string, string>> {
  return dialect === 'anthropic' ? { ...KEYS, 'anthropic-version': '2023-06-01' } : KEYS;
}

describe('an agent of 300 turns through a window of 32k', () => {
  test.each(['openai-chat', 'openai-responses', 'anthropic', 'gemini'] as const)(
    '%s: nothing is refused, no pair broken, every prompt arrives as it was written',
    async (dialect) => {
      const { upstream, tested } = await both();
      let turn = 0;
      await playSession({
        dialect,
        turns: TURNS,
        words: 60,
        ask: async (history) => {
          const answer = await fetch(tested.url + PATHS[dialect], {
            method: 'POST',
            headers: headersOf(dialect),
            body: JSON.stringify(bodyOf(dialect, history)),
          });
          const text = await answer.text();
          expect([answer.status, text.slice(0, answer.status === 200 ? 0 : 300)]).toEqual([200, '']);
          const sent = upstream.requests.at(-1)?.raw.toString('utf8') ?? '';
          expect([sent.includes(promptOf(turn)), sent.includes(SYSTEM)]).toEqual([true, true]);
          return addedBy(dialect, JSON.parse(text) as Json);
        },
        onTurn: () => {
          turn += 1;
        },
      });
      expect(tested.faults).toEqual([]);
      expect(upstream.refused()).toEqual([]);
      expect(upstream.requests.every(({ verdict, tokens }) => verdict === 'answered' && tokens <= WINDOW)).toBe(true);
      expect(tested.compactions.length).toBeGreaterThan(3);
      expect(asReported(tested, upstream)).toEqual([]);
    },
    120_000,
  );
});

/** Requests whose tokens at the provider are more than what the answer's header said would be sent, by more than a tenth. */
function asReported({ exchanges }: Tested, { requests }: Upstream): readonly string[] {
  return exchanges.flatMap(({ report, usage }, at) => {
    const [told = 0, real = 0] = [report.tokensAfter, requests[at]?.tokens];
    const isRight = usage?.input === real && told >= real * 0.9 && (report.tokensBefore ?? 0) >= told;
    return isRight ? [] : [`request ${at}: said ${told}, was ${real}, reported ${usage?.input}`];
  });
}
