import { afterEach, expect, test } from 'vitest';
import { answerOf, ask, historyOf, type Running, run, userOf } from './faults/running.ts';

let running: Running[] = [];
afterEach(async () => {
  for (const each of running.splice(0)) await each.stop();
});

/** A gateway that compacts, and one that never has to: what it says it sends is what came. */
async function both(): Promise<readonly [Running, Running]> {
  const read = (window: number) => run({ yaml: `policies: [{ window: ${window} }]` });
  running = [await read(16_000), await read(1_000_000)];
  const [small, large] = running;
  if (small === undefined || large === undefined) throw new Error('They did not start.');
  return [small, large];
}

type Told = { readonly status: string; readonly before: number; readonly after: number; readonly id: string };

async function told(url: string, messages: readonly Record<string, unknown>[], more = {}): Promise<Told> {
  const { headers } = await ask(url, 'openai-chat', { messages, headers: more });
  const figure = (name: string) => Number(headers.get(`x-epitome-tokens-${name}`));
  const id = headers.get('x-epitome-conversation') ?? '';
  return { status: headers.get('x-epitome-status') ?? '', before: figure('before'), after: figure('after'), id };
}

const near = (figure: number, to: number): boolean => Math.abs(figure - to) <= to * 0.05;

test('x-epitome-tokens-before is the size of the request as it came, also on the second compaction and the tenth', async () => {
  const [small, large] = await both();
  const messages: Record<string, unknown>[] = [];
  const wrong: string[] = [];
  let compactions = 0;
  let spared = 0;
  for (let turn = 0; turn < 40; turn += 1) {
    messages.push(userOf('openai-chat', `Question ${turn}: ${'what of the parts? '.repeat(200)}`));
    const [one, other] = [await told(small.url, messages), await told(large.url, messages)];
    if (one.status.startsWith('compacted')) compactions += 1;
    spared += one.before - one.after;
    if (!near(one.before, other.after)) wrong.push(`turn ${turn}, ${one.status}: ${one.before}, came ${other.after}`);
    messages.push(answerOf('openai-chat', `Answer ${turn}: ${'so it is. '.repeat(50)}`));
  }
  expect(wrong).toEqual([]);
  expect(compactions).toBeGreaterThan(2);
  const text = await (await fetch(`${small.url}/metrics`, { headers: { authorization: 'Bearer test-key' } })).text();
  expect(Number(/^epitome_tokens_saved_total\{.*\} (\d+)$/m.exec(text)?.[1])).toBe(spared);
});

test('it is that behind a restore and in a dry run, and for a process that knows nothing yet', async () => {
  const [small, large] = await both();
  const messages = [...historyOf('openai-chat', 60)];
  await told(small.url, messages);
  const headers = { authorization: 'Bearer test-key', 'content-type': 'application/json' };
  const more = async (): Promise<readonly [Told, Told]> => {
    messages.push(answerOf('openai-chat', 'fine'), userOf('openai-chat', 'And now?'));
    return [await told(small.url, messages), await told(large.url, messages)];
  };
  const [reused, whole] = await more();
  expect([reused.status, near(reused.before, whole.after)]).toEqual([expect.stringMatching('reused'), true]);
  const at = `${small.url}/v1/conversations/${reused.id}`;
  const tree = (await (await fetch(`${at}/tree?limit=500`, { headers })).json()) as { messages: { id: string }[] };
  const body = JSON.stringify({ messageIds: tree.messages.slice(0, 20).map(({ id }) => id) });
  expect((await fetch(`${at}/restore`, { method: 'POST', headers, body })).status).toBe(200);
  const [restored, came] = await more();
  expect(restored.after).toBeGreaterThan(reused.after + 1000);
  expect([restored.before, near(restored.before, came.after)]).toEqual([expect.any(Number), true]);
  const planned = await told(small.url, messages, { 'x-epitome-dry-run': 'true' });
  expect(near(planned.before, came.after)).toBe(true);
  const again = await run({ yaml: 'policies: [{ window: 16000 }]', store: small.store });
  const first = await told(again.url, messages);
  expect([first.status, near(first.before, came.after)]).toEqual([expect.stringMatching('reused'), true]);
  await again.gateway.close();
  await again.upstream.close();
}, 20_000);
