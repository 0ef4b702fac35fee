import { memoryStore } from '@epitome/store';
import { afterEach, expect, test } from 'vitest';
import { ask, type Running, type RunOptions, run } from '../faults/running.ts';
import { agentReply } from '../upstream/agent.ts';
import { addedBy, playSession } from '../upstream/driver.ts';
import type { Fault, Json } from '../upstream/index.ts';

let running: Running[] = [];
afterEach(async () => {
  for (const each of running) await each.stop();
  running = [];
});

async function started(options: RunOptions): Promise<Running> {
  const each = await run(options);
  running.push(each);
  return each;
}

const THINKS = { thinking: { type: 'enabled', budget_tokens: 1024 }, max_tokens: 2000 };
const yaml = 'models: [{ match: "*", window: 20000 }]';
const reply = agentReply({ steps: [2, 1, 1], thinks: true });

/** Asks for a change of the view; gives the status, and the code of an error. */
async function change(url: string, path: string, body: Json = {}): Promise<string> {
  const headers = { 'content-type': 'application/json', authorization: 'Bearer test-key' };
  const answer = await fetch(`${url}/v1/conversations/${path}`, {
    ...{ method: 'POST', headers, body: JSON.stringify(body) },
  });
  const { error } = (await answer.json()) as { error?: { code: string } };
  return `${answer.status} ${error?.code ?? ''}`.trim();
}

/** A session that is asked to do something in front of each request, by whether a turn is under way then. */
async function play(each: Running, turns: number, between: (id: string, isUnderWay: boolean) => Promise<void>) {
  let conversation: string | null = null;
  return playSession({
    ...{ dialect: 'anthropic', turns, words: 300 },
    ask: async (messages) => {
      const content = messages.at(-1)?.['content'];
      if (conversation !== null) await between(encodeURIComponent(conversation), Array.isArray(content));
      const answer = await ask(each.url, 'anthropic', { messages, more: THINKS });
      conversation = answer.headers.get('x-epitome-conversation');
      const body = (await answer.json()) as Json;
      expect([answer.status, body['error']]).toEqual([200, undefined]);
      return addedBy('anthropic', body);
    },
  });
}

test('compactions are taken back between the answer that ends a turn of tools and the next prompt, and never before it', async () => {
  const each = await started({ upstream: { window: 40_000, reply }, yaml });
  const told = new Map<string, number>();
  const ended: string[] = [];
  await play(each, 16, async (id, isUnderWay) => {
    if (isUnderWay) {
      const status = await change(each.url, `${id}/undo`);
      told.set(status, (told.get(status) ?? 0) + 1);
      return;
    }
    const calls = ['undo', 'redo', 'undo'].slice(0, 1 + (ended.length % 3));
    for (const call of calls) ended.push(await change(each.url, `${id}/${call}`));
  });
  expect([...told.keys()].sort()).toEqual(['409 bound-reasoning']);
  expect(new Set(ended)).toEqual(new Set(['200', '404 unknown-record']));
  expect(ended.filter((status) => status === '200').length).toBeGreaterThan(3);
  expect(each.upstream.refused()).toEqual([]);
});

test('what ended a turn is known to the process alone that passed it on whole, until somebody asks for it again', async () => {
  const store = memoryStore();
  const one = await started({ upstream: { window: 40_000, reply }, yaml, store });
  const other = await started({ yaml, store });
  const ids = new Set<string>();
  const history = await play(one, 9, async (id) => void ids.add(id));
  const [id = ''] = ids;
  expect(await change(other.url, `${id}/undo`)).toBe('409 bound-reasoning');
  const faults: readonly Fault[] = [
    { kind: 'server-error' },
    { kind: 'cut', after: 3 },
    { kind: 'unfinished', after: 3 },
    { kind: 'error-event', after: 3 },
  ];
  const again = async (): Promise<unknown> => {
    const answer = await ask(one.url, 'anthropic', {
      messages: history.slice(0, -1),
      more: { ...THINKS, stream: true },
    });
    return answer.text().catch(() => undefined);
  };
  for (const fault of faults) {
    one.upstream.inject([fault]);
    await again();
    expect([fault.kind, await change(one.url, `${id}/undo`)]).toEqual([fault.kind, '409 bound-reasoning']);
  }
  await again();
  await expect.poll(() => change(one.url, `${id}/undo`)).toBe('200');
});
