import { type Log, memoryStore } from '@epitome/store';
import { afterEach, expect, test } from 'vitest';
import { hashOf } from '../../src/config/load.ts';
import { createGateway, type Gateway, type GatewayPorts } from '../../src/gateway.ts';
import { createLogger } from '../../src/observe/logger.ts';
import { type At, interrupted } from './interrupted.ts';
import { ask, historyOf, type Running, run } from './running.ts';

// Two gateways on one store, of which the second is overtaken at a moment of the test's choice.

const dialect = 'openai-chat';

let first: Running | undefined;
let second: Gateway | undefined;
afterEach(async () => {
  await second?.close();
  await first?.stop();
  [first, second] = [undefined, undefined];
});

type Overtaken = { readonly a: Running; readonly b: string; readonly at: At };
type Starting = { readonly window: number; readonly engine?: GatewayPorts['engine'] };

async function startTwo(yaml: string, { window, engine = {} }: Starting): Promise<Overtaken> {
  const inner = memoryStore();
  const { store, at } = interrupted(inner);
  const a = await run({ store: inner, yaml, upstream: { window } });
  first = a;
  const logger = createLogger('silent', { write: () => {} });
  second = createGateway(a.configOf(yaml), { store, logger, engine });
  const { port } = await second.listen();
  return { a, b: `http://127.0.0.1:${port}`, at };
}

const verdicts = ({ upstream }: Running): readonly string[] => upstream.requests.map(({ verdict }) => verdict);

async function conversationOf({ store }: Running): Promise<{ readonly log: Log; readonly id: string }> {
  const log = store.forTenant(`key-${hashOf('test-key').slice(0, 32)}`);
  const [conversation] = await log.conversations();
  return { log, id: conversation?.id ?? '' };
}

/** Every compaction in the store: what became of it, and why it was made. */
async function compactionsOf(running: Running): Promise<readonly string[]> {
  const { log, id } = await conversationOf(running);
  const branches = await log.branches(id);
  const records = await Promise.all(branches.map(({ name }) => log.records({ conversation: id, branch: name })));
  // What stands on two branches is one.
  return [...new Map(records.flat().map((entry) => [entry.record.id, entry])).values()].flatMap(({ state, record }) =>
    record.kind === 'compaction' ? [`${state}/${record.cause}`] : [],
  );
}

// Turns that are due in a window of 8000, and fit.
const DUE = 28;

const bodies = ({ upstream }: Running): readonly string[] => upstream.requests.map(({ raw }) => String(raw));

test('a history that another process compacts between our append and our compaction does not go out whole', async () => {
  const { a, b, at } = await startTwo('policies: [{ window: 6000 }]', { window: 6000 });
  const messages = historyOf(dialect, 60);
  await ask(b, dialect, { messages: messages.slice(0, 5) });
  a.upstream.forget();
  at({ name: 'workOf', when: 'before' }, () => ask(a.url, dialect, { messages }));
  const response = await ask(b, dialect, { messages });
  expect(verdicts(a)).toEqual(['answered', 'answered']);
  expect(new Set(bodies(a)).size).toBe(1);
  expect(response.headers.get('x-epitome-status')).toMatch(/^reused;/);
  expect(await compactionsOf(a)).toEqual(['completed/automatic']);
});

test('a request that is refused as too long goes out again as another process has compacted it meanwhile', async () => {
  const { a, b, at } = await startTwo('models: [{ match: "*", window: 32000 }]', { window: 5000 });
  const messages = historyOf(dialect, 40);
  await ask(b, dialect, { messages: messages.slice(0, 5) });
  a.upstream.forget();
  at({ name: 'append', when: 'after' }, () => ask(a.url, dialect, { messages }));
  const response = await ask(b, dialect, { messages });
  expect(verdicts(a)).toEqual(['too-long', 'answered', 'too-long', 'answered']);
  expect(bodies(a)[3] === bodies(a)[1]).toBe(true);
  expect(response.headers.get('x-epitome-status')).toBe('reused; reason=overflow; retried');
  expect(await compactionsOf(a)).toEqual(['completed/overflow']);
});

test('a compaction between the look at a refused request and its own compaction is the only one', async () => {
  const { a, b, at } = await startTwo('models: [{ match: "*", window: 32000 }]', { window: 5000 });
  const messages = historyOf(dialect, 40);
  at({ name: 'workOf', when: 'before' }, () => ask(a.url, dialect, { messages }));
  const response = await ask(b, dialect, { messages });
  expect(verdicts(a)).toEqual(['too-long', 'too-long', 'answered', 'answered']);
  expect(bodies(a)[3] === bodies(a)[2]).toBe(true);
  expect(response.headers.get('x-epitome-status')).toBe('reused; reason=overflow; retried');
  expect(await compactionsOf(a)).toEqual(['completed/overflow']);
});

test('of two that ask for a compaction at once one gets it, and both send it', async () => {
  const { a, b, at } = await startTwo('policies: [{ window: 20000 }]', { window: 20000 });
  const asking = { messages: historyOf(dialect, 40), headers: { 'x-epitome-force': 'true' } };
  at({ name: 'workOf', when: 'before' }, () => ask(a.url, dialect, asking));
  const response = await ask(b, dialect, asking);
  expect(new Set(bodies(a)).size).toBe(1);
  expect(response.headers.get('x-epitome-status')).toMatch(/^reused;/);
  expect(await compactionsOf(a)).toEqual(['completed/manual']);
});

test('no summary is prepared for a view that another process has compacted, as long as that fits', async () => {
  let asked = 0;
  const summarizer = async () => {
    asked += 1;
    return { text: 'The user asked about the parts of src, one after the other, and every answer was fine.' };
  };
  const { a, b, at } = await startTwo('policies: [{ window: 8000 }]', { window: 8000, engine: { summarizer } });
  const messages = historyOf(dialect, DUE);
  const beginning = { messages: messages.slice(0, 11), headers: { 'x-epitome-force': 'true' } };
  at({ name: 'workOf', when: 'before' }, () => ask(a.url, dialect, beginning));
  const response = await ask(b, dialect, { messages });
  expect([asked, response.headers.get('x-epitome-status')]).toEqual([0, expect.stringMatching(/^reused;/)]);
  expect(await compactionsOf(a)).toEqual(['completed/manual']);
});

test.each([
  ['workOf', ['completed/automatic', 'completed/automatic']],
  ['publish', ['completed/automatic', 'superseded/automatic', 'completed/automatic']],
] as const)(
  'whoever compacted a shorter history before our %s leaves no longer one over the window',
  async (name, made) => {
    const { a, b, at } = await startTwo('policies: [{ window: 6000 }]', { window: 6000 });
    const messages = historyOf(dialect, 90);
    at({ name, when: 'before' }, () => ask(a.url, dialect, { messages: messages.slice(0, 81) }));
    const response = await ask(b, dialect, { messages });
    expect(verdicts(a)).toEqual(['answered', 'answered']);
    expect(response.headers.get('x-epitome-status')).toMatch(/^compacted;/);
    expect(await compactionsOf(a)).toEqual(made);
  },
);

test('a question about the size of a history counts what another process has compacted', async () => {
  const { a, b } = await startTwo('policies: [{ window: 6000 }]', { window: 6000 });
  const long = { messages: historyOf('anthropic', 25) };
  await ask(b, 'anthropic', { messages: long.messages.slice(0, 11) });
  await ask(a.url, 'anthropic', long);
  const count = async (url: string): Promise<unknown> => {
    const headers = { 'content-type': 'application/json', 'x-api-key': 'test-key', 'anthropic-version': '2023-06-01' };
    const body = JSON.stringify({ model: 'test-model', ...long });
    const answer = await fetch(`${url}/v1/messages/count_tokens`, { method: 'POST', headers, body });
    return answer.json();
  };
  expect(await count(b)).toEqual(await count(a.url));
});
