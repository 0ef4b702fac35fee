import { expect, test } from 'vitest';
import { RULES } from '../src/dialects/index.ts';
import { watch } from '../src/upstream/watch.ts';
import { ask, DIALECTS } from './faults/running.ts';
import { startUpstream } from './upstream/index.ts';

const FINISHES = { 'openai-chat': 'stop', 'openai-responses': 'stop', anthropic: 'end_turn', gemini: 'STOP' } as const;

test.each(DIALECTS.flatMap((dialect) => [true, false].map((stream) => [dialect, stream] as const)))(
  '%s, stream %s: an answer tells its id, its model, why it ended and what it took',
  async (dialect, stream) => {
    const upstream = await startUpstream({ window: 64_000, reply: () => ({ text: 'done' }) });
    const isChatStream = stream && dialect === 'openai-chat';
    const more = isChatStream ? { stream_options: { include_usage: true } } : {};
    const answer = await ask(upstream.url, dialect, { stream, more });
    const watching = watch(RULES[dialect], stream ? 'events' : 'json');
    watching.see(Buffer.from(await answer.arrayBuffer()));
    await upstream.close();
    expect(watching.isEnded()).toBe(true);
    const { facts, usage } = watching.seen();
    expect(facts).toMatchObject({ id: expect.any(String), model: 'test-model', finishReasons: [FINISHES[dialect]] });
    expect(usage).toMatchObject({ input: expect.any(Number), output: expect.any(Number) });
  },
);

test("tokens of the provider's own compaction are added, and the request's own are told apart (A16)", () => {
  const watching = watch(RULES.anthropic, 'json');
  const iterations = [
    { type: 'compaction', input_tokens: 180_000, output_tokens: 3500 },
    { type: 'message', input_tokens: 23_000, output_tokens: 1000 },
  ];
  const usage = { input_tokens: 23_000, output_tokens: 1000, iterations };
  watching.see(Buffer.from(JSON.stringify({ id: 'm', usage })));
  expect(watching.seen().usage).toEqual({ input: 203_000, output: 4500, prompt: 180_000 });
});

test('sealed texts are found in whatever characters they are written, and one of 20 MB does not break anything', () => {
  const watching = watch(RULES.anthropic, 'json');
  const long = 'ab+/'.repeat(2_000_000);
  const written = `{"type":"redacted_thinking","data":"${long}"},{"type":"thinking","signature":"a\\/b\\u002b"}`;
  watching.see(Buffer.from(`{"content":[${written}]}`));
  expect(watching.seen().seals).toEqual([long, 'a/b+']);
});
