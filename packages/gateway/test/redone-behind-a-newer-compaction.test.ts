import { afterEach, expect, test } from 'vitest';
import { ask, historyOf, type Running, run } from './faults/running.ts';

let running: Running | undefined;
afterEach(async () => {
  await running?.stop();
  running = undefined;
});

const JSON_HEADERS = { authorization: 'Bearer test-key', 'content-type': 'application/json' };

test('force, undo, force: a redo is refused, and where an older gateway allowed it, what is saved counts once', async () => {
  running = await run({ yaml: 'sharedTenant: local', upstream: { window: 100_000 } });
  const { url, store } = running;
  const messages = historyOf('openai-chat', 30);
  const before = async (headers: Record<string, string> = {}): Promise<[number, string]> => {
    const { headers: told } = await ask(url, 'openai-chat', { messages, headers });
    conversation = told.get('x-epitome-conversation') ?? '';
    return [Number(told.get('x-epitome-tokens-before')), told.get('x-epitome-record') ?? ''];
  };
  let conversation = '';
  const change = async (name: string): Promise<number> => {
    const path = `${url}/v1/conversations/${encodeURIComponent(conversation)}/${name}`;
    return (await fetch(path, { method: 'POST', headers: JSON_HEADERS, body: '{}' })).status;
  };
  const force = { 'x-epitome-force': 'true' };
  const [whole] = await before();
  await before(force);
  expect(await change('undo')).toBe(200);
  const [, newer] = await before(force);
  expect(await change('redo')).toBe(404);
  // Reported usage corrects the estimate meanwhile.
  const about = (tokens: number): boolean => Math.abs(tokens / whole - 1) < 0.02;
  const [tokens, record] = await before();
  expect([about(tokens), record]).toEqual([true, newer]);
  const log = store.forTenant('local');
  const records = await log.records({ conversation });
  const [undo] = records.filter(({ record }) => record.kind === 'undo');
  const snapshot = await log.snapshot({ conversation });
  const redo = { kind: 'undo', id: 'redo', at: 0, undoes: undo?.record.id ?? '' } as const;
  expect(await log.publish({ conversation }, { snapshot, records: [redo] })).toMatchObject({ kind: 'published' });
  expect(about((await before())[0])).toBe(true);
});
