import { afterEach, expect, test } from 'vitest';
import { ask, type Running, run } from '../faults/running.ts';
import type { Json } from '../upstream/index.ts';

let running: Running | undefined;
afterEach(async () => {
  await running?.stop();
  running = undefined;
});

test('a compaction cannot be taken back in the middle of a turn that needs its thinking; once the turn is over it can', async () => {
  const words = 'the windows and records of the branch are kept by the parser '.repeat(8);
  const reply = ({ index }: { index: number }) =>
    index === 62
      ? { thinking: 'I must look.', calls: [{ name: 'read', input: {}, id: 'toolu_1' }] }
      : { thinking: `Thought ${index}.`, text: `${index} ${words}` };
  running = await run({ upstream: { window: 64_000, reply } });
  const { url, upstream } = running;
  const history: Json[] = [];
  let conversation = '';
  const say = async (message: Json, headers: Readonly<Record<string, string>> = {}): Promise<void> => {
    history.push(message);
    const thinking = { type: 'enabled', budget_tokens: 1024 };
    const answer = await ask(url, 'anthropic', { messages: history, headers, more: { thinking, max_tokens: 2000 } });
    conversation = answer.headers.get('x-epitome-conversation') ?? conversation;
    const { content } = (await answer.json()) as { content: unknown };
    history.push({ role: 'assistant', content });
  };
  const undo = async (): Promise<readonly [number, unknown]> => {
    const answer = await fetch(`${url}/v1/conversations/${conversation}/undo`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer test-key' },
      body: '{}',
    });
    const { error } = (await answer.json()) as { error?: { code: string } };
    return [answer.status, error?.code];
  };
  for (let at = 0; at < 60; at += 1) await say({ role: 'user', content: `Question ${at}: ${words}` });
  await say({ role: 'user', content: 'And then?' }, { 'x-epitome-force': 'true' });
  await say({ role: 'user', content: 'Go on.' });
  await say({ role: 'user', content: 'Look.' });
  expect(JSON.stringify(history.at(-1))).toContain('toolu_1');
  expect(await undo()).toEqual([409, 'bound-reasoning']);
  await say({ role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'ok' }] });
  await say({ role: 'user', content: 'Fine.' });
  expect(await undo()).toEqual([200, undefined]);
  await say({ role: 'user', content: 'And now?' });
  expect(upstream.refused()).toEqual([]);
});
