import { memoryStore } from '@epitome/store';
import { afterEach, expect, test } from 'vitest';
import { answerOf, ask, historyOf, type Running, type RunOptions, run, userOf } from './faults/running.ts';

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

const dialect = 'openai-chat';
const ALL = historyOf(dialect, 100);

/** Sends so many turns, and tells what was done with them. */
async function told({ url }: Running, turns: number, headers: Record<string, string> = {}): Promise<Headers> {
  return (await ask(url, dialect, { messages: ALL.slice(0, turns * 2 + 1), headers })).headers;
}

async function undo({ url }: Running, done: Headers): Promise<number> {
  const path = `${url}/v1/conversations/${done.get('x-epitome-conversation')}/undo`;
  const headers = { authorization: 'Bearer test-key', 'content-type': 'application/json' };
  return (await fetch(path, { method: 'POST', headers, body: '{}' })).status;
}

/** What became of compactions, as the log tells it. */
const compactionsIn = ({ lines }: Running): readonly unknown[] =>
  lines
    .map((line) => JSON.parse(line))
    .filter(({ message }) => message === 'compaction')
    .map(({ outcome, reason }) => `${outcome} ${reason}`);

test.each([
  ['epitome', '{ window: 12000 }', 'no-growth'],
  [
    'deliberate',
    '{ window: 30000, preset: deliberate, options: { compressionTriggerTokens: 10000 } }',
    'message-guard',
  ],
])('%s: what was undone near the trigger is let be until the history has grown', async (_, policy, reason) => {
  const store = memoryStore();
  const yaml = `policies: [${policy}]`;
  const first = await started({ store, yaml });
  let turns = 30;
  let done = await told(first, turns);
  for (; compactionsIn(first).length === 0; turns += 1) done = await told(first, turns + 1);
  expect(await undo(first, done)).toBe(200);
  const second = await started({ store, yaml });
  for (const each of [first, second]) {
    const before = compactionsIn(each).length;
    const statuses: unknown[] = [];
    for (const more of [0, 0, 1, 1]) statuses.push((await told(each, turns + more)).get('x-epitome-status'));
    expect(statuses).toEqual(Array(4).fill(`kept; reason=${reason}`));
    expect(compactionsIn(each)).toHaveLength(before);
  }
  // What guards hold back is due all the same once there is little room left.
  const grown = await told(second, turns + (reason === 'no-growth' ? 12 : 30));
  expect(grown.get('x-epitome-status')).toMatch(/^compacted;/);
});

test('what could not be cut is tried once, and logged once', async () => {
  const each = await started({ yaml: 'policies: [{ window: 6000 }]' });
  const messages = [userOf(dialect, 'Hello.'), answerOf(dialect, 'Hello.'), userOf(dialect, 'word '.repeat(5000))];
  for (let count = 0; count < 4; count += 1) await ask(each.url, dialect, { messages });
  expect(compactionsIn(each)).toEqual(['noop unshrinkable']);
});
