import { type Log, memoryStore, type Store } from '@epitome/store';
import { afterEach, expect, test } from 'vitest';
import { hashOf } from '../../src/config/load.ts';
import { createGateway, type Gateway } from '../../src/gateway.ts';
import { createLogger } from '../../src/observe/logger.ts';
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
type At = (
  moment: { readonly name: keyof Log; readonly when: 'before' | 'after' },
  run: () => Promise<unknown>,
) => void;

async function startTwo(yaml: string, window: number): Promise<Overtaken> {
  const inner = memoryStore();
  const { store, at } = interrupted(inner);
  const a = await run({ store: inner, yaml, upstream: { window } });
  first = a;
  const logger = createLogger('silent', { write: () => {} });
  second = createGateway(a.configOf(yaml), { store, logger });
  const { port } = await second.listen();
  return { a, b: `http://127.0.0.1:${port}`, at };
}

/** A store in front of whose next call of a name, or behind it, something else happens once. */
function interrupted(inner: Store): { readonly store: Store; readonly at: At } {
  let next: Parameters<At> | undefined;
  const reached = async (name: unknown, when: 'before' | 'after'): Promise<void> => {
    if (next === undefined || next[0].name !== name || next[0].when !== when) return;
    const [, happens] = next;
    next = undefined;
    await happens();
  };
  const watched = (log: Log): Log =>
    new Proxy(log, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== 'function') return value;
        return async (...given: unknown[]) => {
          await reached(name, 'before');
          const answer: unknown = await Reflect.apply(value, target, given);
          await reached(name, 'after');
          return answer;
        };
      },
    });
  return {
    store: { ...inner, forTenant: (tenant) => watched(inner.forTenant(tenant)) },
    at: (...moment) => {
      next = moment;
    },
  };
}

const verdicts = ({ upstream }: Running): readonly string[] => upstream.requests.map(({ verdict }) => verdict);

/** Every compaction in the store: what became of it, and why it was made. */
async function compactionsOf({ store }: Running): Promise<readonly string[]> {
  const log = store.forTenant(`key-${hashOf('test-key').slice(0, 32)}`);
  const [conversation] = await log.conversations();
  const { id = '' } = conversation ?? {};
  const branches = await log.branches(id);
  const records = await Promise.all(branches.map(({ name }) => log.records({ conversation: id, branch: name })));
  return records
    .flat()
    .flatMap(({ state, record }) => (record.kind === 'compaction' ? [`${state}/${record.cause}`] : []));
}

const bodies = ({ upstream }: Running): readonly string[] => upstream.requests.map(({ raw }) => String(raw));

test('a history that another process compacts between our append and our compaction does not go out whole', async () => {
  const { a, b, at } = await startTwo('policies: [{ window: 6000 }]', 6000);
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
  const { a, b, at } = await startTwo('models: [{ match: "*", window: 32000 }]', 5000);
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

test('whoever compacted a shorter history first leaves no longer one over the window', async () => {
  const { a, b, at } = await startTwo('policies: [{ window: 6000 }]', 6000);
  const messages = historyOf(dialect, 90);
  at({ name: 'publish', when: 'before' }, () => ask(a.url, dialect, { messages: messages.slice(0, 81) }));
  const response = await ask(b, dialect, { messages });
  expect(verdicts(a)).toEqual(['answered', 'answered']);
  expect(response.headers.get('x-epitome-status')).toMatch(/^compacted;/);
  expect(await compactionsOf(a)).toContain('superseded/automatic');
});

test('a question about the size of a history counts what another process has compacted', async () => {
  const { a, b } = await startTwo('policies: [{ window: 6000 }]', 6000);
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
