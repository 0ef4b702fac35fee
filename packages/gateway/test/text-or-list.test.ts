import { afterEach, expect, test } from 'vitest';
import { answerOf, ask, type Running, run } from './faults/running.ts';
import type { Dialect, Json } from './upstream/index.ts';

let running: Running | undefined;
afterEach(async () => {
  await running?.stop();
  running = undefined;
});

const TYPES: Partial<Record<Dialect, string>> = { 'openai-responses': 'input_text' };
const DIALECTS: readonly Dialect[] = ['anthropic', 'openai-chat', 'openai-responses'];

test.each(DIALECTS)(
  '%s: a client that sends its newest message as a list and older ones as a text makes no branch',
  async (dialect) => {
    running = await run({ upstream: { window: 8000 }, yaml: 'models: [{ match: "*", window: 8000 }]' });
    const history: Json[] = [];
    const branches = new Set<string | null>();
    const mark = dialect === 'openai-responses' ? {} : { cache_control: { type: 'ephemeral' } };
    for (let turn = 0; turn < 40; turn += 1) {
      const text = `Question ${turn}: ${'word '.repeat(200)}`;
      const listed = { role: 'user', content: [{ type: TYPES[dialect] ?? 'text', text, ...mark }] };
      const answer = await ask(running.url, dialect, { messages: [...history, listed] });
      expect(answer.status).toBe(200);
      branches.add(`${answer.headers.get('x-epitome-conversation')} ${answer.headers.get('x-epitome-branch')}`);
      // The client's own form goes out.
      const sent = String(running.upstream.requests.at(-1)?.raw);
      expect(sent).toContain(JSON.stringify(listed));
      history.push({ role: 'user', content: text }, answerOf(dialect, `Answer ${turn}.`));
    }
    expect([...branches]).toHaveLength(1);
    const compactions = running.lines.filter((line) => line.includes('"committed"'));
    expect(compactions.length).toBeGreaterThan(0);
    expect(compactions.length).toBeLessThan(12);
  },
);
