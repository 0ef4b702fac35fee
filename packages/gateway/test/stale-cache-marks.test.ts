import fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import { ask, type Running, run } from './faults/running.ts';
import { agentReply } from './upstream/agent.ts';
import { addedBy, playSession } from './upstream/driver.ts';
import type { Dialect, Json } from './upstream/index.ts';

let running: Running | undefined;
afterEach(async () => {
  await running?.stop();
  running = undefined;
});

const MARK = { cache_control: { type: 'ephemeral' } };

/** A message with a list of blocks, the last of them marked or not. */
function listed(message: Json, isMarked: boolean): Json {
  const { content } = message;
  if (typeof content !== 'string' && !Array.isArray(content)) return message;
  const blocks: readonly Json[] = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
  return {
    ...message,
    content: blocks.map((block, at) => (isMarked && at === blocks.length - 1 ? { ...block, ...MARK } : block)),
  };
}

const marksIn = (value: unknown): number => JSON.stringify(value).split('"cache_control"').length - 1;

/** What tells a message also where its result is masked: the calls it answers, else its words. */
function nameOf(message: Json): string {
  const { content, tool_call_id: id } = message;
  const calls = Array.isArray(content) ? content.flatMap(({ tool_use_id: call = [] }) => call) : [];
  const words = JSON.stringify(message, (key, value) => (key === 'cache_control' ? undefined : value));
  return id === undefined && calls.length === 0 ? words : JSON.stringify([id, calls]);
}

const DIALECTS: readonly Dialect[] = ['anthropic', 'openai-chat'];
// Which of the newest messages a client marks: one or two of the last four, on top of its system prompt.
const moving = fc.array(fc.uniqueArray(fc.nat(3), { maxLength: 2 }), { minLength: 5, maxLength: 9 });

test.each(DIALECTS)(
  '%s: wherever a client moves its marks, what is sent holds those of now and never those of the stored original (A9)',
  (dialect) =>
    fc.assert(
      fc.asyncProperty(moving, fc.boolean(), async (marks, thinks) => {
        const reply = agentReply({ steps: [2, 1, 1], thinks: thinks && dialect === 'anthropic' });
        running = await run({ upstream: { window: 20_000, reply }, yaml: 'models: [{ match: "*", window: 20000 }]' });
        const { url, upstream } = running;
        let round = 0;
        let most = 0;
        let masked = 0;
        await playSession({
          dialect,
          turns: 12,
          words: 300,
          ask: async (history) => {
            const marked = marks[round % marks.length] ?? [];
            const sent = history.map((message, at) => listed(message, marked.includes(history.length - 1 - at)));
            const system = { system: [{ type: 'text', text: 'You code.', ...MARK }] };
            const thinking = thinks ? { max_tokens: 2000, thinking: { type: 'enabled', budget_tokens: 1024 } } : {};
            const answer = await ask(url, dialect, {
              messages: sent,
              headers: round % 11 === 10 ? { 'x-epitome-force': 'true' } : {},
              more: dialect === 'anthropic' ? { ...system, ...thinking } : {},
            });
            const body = (await answer.json()) as Json;
            expect([answer.status, JSON.stringify(body['error'] ?? '')]).toEqual([200, '""']);
            const got = JSON.parse(String(upstream.requests.at(-1)?.raw)) as { messages: Json[] };
            // Each mark that goes out stands on a message of which the client marked it now, and none of those in view is lost.
            const own = new Map(sent.map((message) => [nameOf(message), marksIn(message)]));
            for (const message of got.messages) {
              const name = nameOf(message);
              if (own.has(name)) expect(marksIn(message)).toBe(own.get(name));
              masked += /"\[Result of/.test(JSON.stringify(message)) ? 1 : 0;
            }
            expect(marksIn(got.messages)).toBeLessThanOrEqual(marksIn(sent));
            most = Math.max(most, marksIn(got));
            const id = encodeURIComponent(answer.headers.get('x-epitome-conversation') ?? '');
            if (round % 13 === 12) await change(`${url}/v1/conversations/${id}/undo`);
            round += 1;
            return addedBy(dialect, body);
          },
        });
        // Where thinking is bound to what stands in front of it, nothing in front of it is masked.
        if (!thinks) expect(masked).toBeGreaterThan(10);
        expect(most).toBeLessThanOrEqual(4);
        await running.stop();
      }),
      { numRuns: 4, endOnFailure: true },
    ),
  120_000,
);

async function change(path: string): Promise<void> {
  const headers = { authorization: 'Bearer test-key', 'content-type': 'application/json' };
  await fetch(path, { method: 'POST', headers, body: '{}' });
}
