import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { memoryStore } from '@epitome/store';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isConfigError } from '../src/config/errors.ts';
import { hashOf, readConfig } from '../src/config/load.ts';
import { type ConfigNews, type ConfigWatch, watchConfig } from '../src/config/watch.ts';
import { createGateway, type Gateway } from '../src/gateway.ts';
import { createLogger } from '../src/observe/logger.ts';
import { ask } from './faults/running.ts';
import { startUpstream, type Upstream } from './upstream/index.ts';

const CLIENT = 'ept-client-key-of-the-test';
const folder = mkdtempSync(join(tmpdir(), 'epitome-reload-'));
const file = join(folder, 'gateway.yaml');
const logger = createLogger('silent', { write: () => {} });

let upstream: Upstream;
let gateway: Gateway | undefined;
let watch: ConfigWatch | undefined;
beforeEach(async () => {
  upstream = await startUpstream();
});
afterEach(async () => {
  watch?.close();
  await gateway?.close();
  await upstream.close();
  rmSync(file, { force: true });
});

const keys = `keys: [{ id: a, hash: ${hashOf(CLIENT)}, scopes: [proxy, read] }]`;
const upstreamsOf = (key: string): string =>
  `upstreams: [{ name: own, baseUrl: "${upstream.url}", dialects: [openai-chat]${key} }]`;
const keyed = (): string => upstreamsOf(', key: { env: UP }');

/** A gateway that follows its file, as a service does. */
async function following(text: string): Promise<string> {
  writeFileSync(file, text);
  watch = watchConfig(
    { path: file, env: { UP: 'sk-of-the-operator', EPITOME_UPSTREAM_OPENAI: upstream.url } },
    (news) => {
      if (news.kind === 'changed') gateway?.reload(news.config);
    },
  );
  gateway = createGateway(watch.current(), { store: memoryStore(), logger });
  const { port } = await gateway.listen();
  return `http://127.0.0.1:${port}`;
}

function saved(text: string): ConfigNews | undefined {
  writeFileSync(file, text);
  return watch?.reload();
}

const as = (key: string) => ({ headers: { authorization: `Bearer ${key}` } });
const kept = (...words: readonly string[]) => ({
  kind: 'kept',
  problem: expect.stringMatching(new RegExp(words.join('[^]*'))),
});

test('a gateway that others can reach keeps its keys, whatever the file says of where it listens', async () => {
  const listen = 'listen: { host: 0.0.0.0, port: 0 }';
  const url = await following(`${listen}\n${keyed()}\n${keys}`);
  const problem = kept('listens on 0.0.0.0 until a restart', 'no client keys', 'restart it');
  for (const text of ['keys: []', 'keys: []\nlisten: { host: 127.0.0.1 }', 'keys: []\nsharedTenant: local'])
    expect(saved(`${keyed()}\n${text}`)).toEqual(problem);
  expect(saved(keyed())).toEqual(kept('keys is not there any more'));
  expect(saved('')).toEqual(kept('nothing in it'));
  const fromFile = readConfig(keyed(), { where: 'test', env: { UP: 'k' }, folder });
  expect(() => gateway?.reload(fromFile)).toThrow(expect.toSatisfy(isConfigError));
  expect((await ask(url, 'openai-chat', as('a-stranger'))).status).toBe(401);
  expect((await fetch(`${url}/v1/conversations`, as('a-stranger'))).status).toBe(401);
  expect((await ask(url, 'openai-chat', as(CLIENT))).status).toBe(200);
  expect(upstream.requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer sk-of-the-operator']);
});

test('an emptied file, or one that breaks off before its keys or upstreams, is told as broken', async () => {
  await following(`log: info\n${keyed()}\n${keys}`);
  for (const text of ['', '\n  \n', '# a comment\n', '---\n']) expect(saved(text)).toEqual(kept('nothing in it', '{}'));
  expect(saved(`log: info\n${keyed()}\n`)).toEqual(kept('keys is not there any more', 'keys: \\[\\]'));
  expect(saved('log: info\n')).toEqual(kept('keys is not there', 'upstreams is not there'));
  expect(saved(`${keyed()}\n${keys}`)).toMatchObject({ kind: 'changed', restart: [] });
});

test('a file that was empty from the start may stay so', async () => {
  await following('# nothing yet\n');
  expect(saved('')).toMatchObject({ kind: 'changed' });
  expect(saved('log: debug')).toMatchObject({ kind: 'changed' });
  expect(saved('{}')).toMatchObject({ kind: 'changed' });
});

test('keys are taken away on loopback where the file says so, and none of them goes on to a provider', async () => {
  const url = await following(`${keyed()}\n${keys}`);
  expect(saved(`${upstreamsOf('')}\nkeys: []`)).toMatchObject({ kind: 'changed' });
  await ask(url, 'openai-chat', as(CLIENT));
  await fetch(`${url}/v1/models?key=${CLIENT}`);
  await ask(url, 'openai-chat', as('sk-the-callers-own'));
  const sent = upstream.requests.map(({ headers }) => headers.authorization);
  expect(sent.at(-1)).toBe('Bearer sk-the-callers-own');
  expect(JSON.stringify(upstream.requests)).not.toContain(CLIENT);
});
