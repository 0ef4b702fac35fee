import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { memoryStore, type Store } from '@epitome/store';
import { sqliteStore } from '@epitome/store/sqlite';
import { Validator } from '@seriousme/openapi-schema-validator';
import { compact, presets } from 'epitome';
import { beforeEach, describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { createApi } from '../../src/api/api.ts';
import { openApiDocument } from '../../src/api/openapi.ts';
import { ROUTES } from '../../src/api/routes.ts';
import * as schemas from '../../src/api/schemas.ts';
import type { Reply, Scope } from '../../src/model/call.ts';

const ODD = '{"role":"user","content":"n","big":12345678901234567890,"twice":1,"twice":2}';

let store: Store;
let api: ReturnType<typeof createApi>;
const faults: string[] = [];

beforeEach(() => {
  store = memoryStore();
  faults.length = 0;
  api = createApi({ store, metrics: () => 'epitome_up 1\n', onFault: (where) => void faults.push(where) });
});

type Asking = {
  readonly tenant?: string;
  readonly scopes?: readonly Scope[];
  readonly body?: unknown;
  readonly query?: string;
};

async function ask(
  method: string,
  path: string,
  { tenant = 't', scopes = ['read', 'admin'], body, query = '' }: Asking = {},
) {
  const call = {
    method,
    path,
    query,
    headers: {},
    caller: { tenant, keyId: 'k', scopes },
    signal: new AbortController().signal,
  };
  const reply = await api.handle(call, body === undefined ? Buffer.alloc(0) : Buffer.from(JSON.stringify(body)));
  if (reply === undefined) throw new Error('This is no path of the API.');
  return reply;
}

const jsonOf = ({ body }: Reply): never => (typeof body === 'string' ? JSON.parse(body) : body) as never;
const as = <Schema extends z.ZodType>(schema: Schema, reply: Reply): z.output<Schema> => {
  expect(reply.status).toBe(200);
  return schema.parse(jsonOf(reply));
};

/** A conversation of sixty messages with one compaction. */
async function seed(tenant = 't', id = 'c1'): Promise<{ recordId: string; ids: readonly string[] }> {
  const log = store.forTenant(tenant);
  await log.create({ format: 'openai-chat', id, settings: '{"goal":"ship"}' });
  const texts = Array.from({ length: 60 }, (_, at) =>
    JSON.stringify({
      role: at % 2 === 0 ? 'user' : 'assistant',
      content: `Message ${at} about src/part-${at}.ts and ticket EP-${at}. ${'word '.repeat(60)}`,
    }),
  );
  const { ids } = await log.append({ conversation: id }, texts);
  const work = await log.workOf({ conversation: id });
  const outcome = await compact({ ...work.input, policy: presets.epitome({ window: 4000 }), cause: 'manual' });
  expect(outcome.status).toBe('compressed');
  await log.publish({ conversation: id }, { snapshot: work.snapshot, records: outcome.records });
  return { recordId: outcome.record?.id ?? '', ids };
}

test('conversations come a page at a time, newest first', async () => {
  for (let at = 0; at < 5; at += 1) await store.forTenant('t').create({ format: 'anthropic', id: `c${at}` });
  const first = as(schemas.conversationPage, await ask('GET', '/v1/conversations', { query: 'limit=2' }));
  expect(first.conversations.map(({ id }) => id)).toEqual(['c4', 'c3']);
  const second = as(
    schemas.conversationPage,
    await ask('GET', '/v1/conversations', { query: `limit=2&before=${first.next}` }),
  );
  expect(second.conversations.map(({ id }) => id)).toEqual(['c2', 'c1']);
  const last = as(
    schemas.conversationPage,
    await ask('GET', '/v1/conversations', { query: `limit=2&before=${second.next}` }),
  );
  expect(last).toMatchObject({ conversations: [{ id: 'c0' }] });
  expect(last.next).toBeUndefined();
});

test('a conversation, its tree, its originals and its view', async () => {
  const { ids, recordId } = await seed();
  const one = as(schemas.conversationDetail, await ask('GET', '/v1/conversations/c1'));
  expect(one).toMatchObject({
    id: 'c1',
    settings: { goal: 'ship' },
    branches: [{ name: 'main', length: 60, tip: ids[59] }],
  });
  const tree = as(schemas.tree, await ask('GET', '/v1/conversations/c1/tree', { query: 'limit=40' }));
  expect(tree.messages).toHaveLength(40);
  const rest = as(
    schemas.tree,
    await ask('GET', '/v1/conversations/c1/tree', { query: `limit=40&after=${tree.next}` }),
  );
  expect([...tree.messages, ...rest.messages].map(({ id }) => id)).toEqual(ids);
  const page = as(schemas.messagePage, await ask('GET', '/v1/conversations/c1/messages', { query: 'limit=50' }));
  const more = as(
    schemas.messagePage,
    await ask('GET', '/v1/conversations/c1/messages', { query: `limit=50&after=${page.next}` }),
  );
  expect([...page.messages, ...more.messages].map(({ id }) => id)).toEqual(ids);
  const view = as(schemas.view, await ask('GET', '/v1/conversations/c1/view'));
  expect(view.entries.length).toBeLessThan(60);
  expect(view.entries.some((entry) => entry.recordId === recordId && entry.messageId === undefined)).toBe(true);
});

test('a message comes in the very characters it was stored in', async () => {
  const log = store.forTenant('t');
  await log.create({ format: 'openai-chat', id: 'odd' });
  const { ids } = await log.append({ conversation: 'odd' }, [ODD]);
  const replies = [
    await ask('GET', `/v1/conversations/odd/messages/${ids[0]}`),
    await ask('GET', '/v1/conversations/odd/messages'),
    await ask('GET', '/v1/conversations/odd/view'),
  ];
  for (const { body } of replies) expect(body).toContain(ODD);
});

test('a record tells what it stands for, its facts, and which of them survived', async () => {
  const { ids, recordId } = await seed();
  const list = as(schemas.recordList, await ask('GET', '/v1/conversations/c1/records'));
  expect(list.records).toMatchObject([{ id: recordId, kind: 'compaction', state: 'completed', preset: 'epitome' }]);
  const detail = as(schemas.recordDetail, await ask('GET', `/v1/conversations/c1/records/${recordId}`));
  expect(detail.covered.map(({ id }) => id)).toEqual(ids.slice(0, detail.covered.length));
  expect(detail.covered.length).toBeGreaterThan(10);
  expect(detail.text).toBeTruthy();
  expect(detail.history.map(({ id }) => id)).toEqual([recordId]);
  const paths = detail.facts.filter(({ kind }) => kind === 'path' || kind === 'file');
  expect(paths.length).toBeGreaterThan(0);
  const figures = Object.values(detail.survival);
  expect(figures.reduce((sum, { total, left }) => sum + total - left, 0)).toBe(detail.facts.length);
  expect(figures.reduce((sum, { kept }) => sum + kept, 0)).toBe(detail.facts.filter(({ kept }) => kept).length);
});

test('undo, redo and restore change the view, and say its version', async () => {
  const { ids } = await seed();
  const shown = async (): Promise<number> =>
    as(schemas.view, await ask('GET', '/v1/conversations/c1/view')).entries.length;
  const compacted = await shown();
  const undone = as(schemas.changed, await ask('POST', '/v1/conversations/c1/undo', { body: {} }));
  expect(await shown()).toBe(60);
  expect(
    as(schemas.recordList, await ask('GET', '/v1/conversations/c1/records')).records.map(({ state }) => state),
  ).toContain('undone');
  const redone = as(schemas.changed, await ask('POST', '/v1/conversations/c1/redo', { body: { branch: 'main' } }));
  expect(redone.version).toBeGreaterThan(undone.version);
  expect(await shown()).toBe(compacted);
  as(schemas.changed, await ask('POST', '/v1/conversations/c1/restore', { body: { messageIds: [ids[3]] } }));
  const view = as(schemas.view, await ask('GET', '/v1/conversations/c1/view'));
  expect(view.entries.some(({ messageId }) => messageId === ids[3])).toBe(true);
});

test('what was compacted is found again', async () => {
  const { ids } = await seed();
  const here = as(schemas.hits, await ask('GET', '/v1/conversations/c1/recall', { query: 'q=EP-7' }));
  expect(here.hits[0]).toMatchObject({ conversation: 'c1', messageId: ids[7] });
  const everywhere = as(schemas.hits, await ask('POST', '/v1/conversations/recall', { body: { query: 'EP-7' } }));
  expect(everywhere.hits[0]?.messageId).toBe(ids[7]);
});

test('a fork, an export that can be imported, and forgetting', async () => {
  const { ids } = await seed();
  const branch = as(
    schemas.branch,
    await ask('POST', '/v1/conversations/c1/branches', { body: { name: 'try', at: ids[4] } }),
  );
  expect(branch).toMatchObject({ name: 'try', length: 5, tip: ids[4] });
  const exported = await ask('GET', '/v1/conversations/c1/export');
  const other = memoryStore().forTenant('x');
  const { messages } = await other.import(String(exported.body).trimEnd().split('\n'));
  expect(messages).toBe(60);
  as(schemas.forgotten, await ask('DELETE', '/v1/conversations/c1'));
  expect((await ask('GET', '/v1/conversations/c1')).status).toBe(404);
  expect((await ask('DELETE', '/v1/conversations/c1')).status).toBe(404);
});

const PATHS: readonly [method: string, path: string, body?: unknown][] = [
  ['GET', '/v1/conversations/ID'],
  ['GET', '/v1/conversations/ID/tree'],
  ['GET', '/v1/conversations/ID/view'],
  ['GET', '/v1/conversations/ID/messages'],
  ['GET', '/v1/conversations/ID/messages/MESSAGE'],
  ['GET', '/v1/conversations/ID/records'],
  ['GET', '/v1/conversations/ID/records/RECORD'],
  ['GET', '/v1/conversations/ID/recall'],
  ['GET', '/v1/conversations/ID/export'],
  ['POST', '/v1/conversations/ID/undo', {}],
  ['POST', '/v1/conversations/ID/redo', {}],
  ['POST', '/v1/conversations/ID/restore', { messageIds: ['MESSAGE'] }],
  ['POST', '/v1/conversations/ID/branches', { name: 'n' }],
  ['DELETE', '/v1/conversations/ID'],
];

test.each(PATHS)('%s %s: what is another tenant’s is not there', async (method, path, body) => {
  const { recordId, ids } = await seed('other', 'theirs');
  const real = (text: string, id: string): string =>
    text
      .replace('ID', id)
      .replace('MESSAGE', ids[3] ?? '')
      .replace('RECORD', recordId);
  const query = path.endsWith('recall') ? 'q=word' : '';
  const asking = { query, body: body === undefined ? undefined : JSON.parse(real(JSON.stringify(body), 'x')) };
  const foreign = await ask(method, real(path, 'theirs'), asking);
  const absent = await ask(method, real(path, 'nobodys'), asking);
  expect(foreign.status).toBe(404);
  expect(JSON.stringify(foreign).replaceAll('theirs', 'nobodys')).toBe(JSON.stringify(absent));
  expect((await store.forTenant('other').viewOf({ conversation: 'theirs' })).snapshot.version).toBe(1);
});

describe('scopes', () => {
  test.each(ROUTES.map(({ method, path, scope }) => [method, path, scope] as const))(
    '%s %s needs %s',
    async (method, path, scope) => {
      const others = (['proxy', 'read', 'admin'] as const).filter((each) => each !== scope);
      const reply = await ask(method, path.replace('{id}', 'c1').replace(/\{\w+\}/, 'x'), { scopes: others });
      expect(reply.status).toBe(403);
    },
  );

  test('figures are for admins, health and the document for whoever came in', async () => {
    expect((await ask('GET', '/metrics', { scopes: ['proxy', 'read'] })).status).toBe(403);
    expect((await ask('GET', '/metrics')).body).toBe('epitome_up 1\n');
    expect((await ask('GET', '/healthz', { scopes: [] })).status).toBe(200);
    expect((await ask('GET', '/readyz', { scopes: [] })).body).toEqual({ status: 'ok' });
    expect((await ask('GET', '/openapi.json', { scopes: ['proxy'] })).status).toBe(200);
  });
});

test.each<[string, string, Asking, number, RegExp]>([
  ['a limit out of range', 'GET /v1/conversations', { query: 'limit=9999' }, 400, /query\.limit: .*200/],
  ['an unknown question', 'GET /v1/conversations', { query: 'offset=3' }, 400, /query: .*offset/],
  ['a body of another shape', 'POST /v1/conversations/c1/undo', { body: { record: 1 } }, 400, /body: .*record/],
  [
    'no messages to restore',
    'POST /v1/conversations/c1/restore',
    { body: { messageIds: [] } },
    400,
    /body\.messageIds/,
  ],
  ['no words', 'GET /v1/conversations/c1/recall', {}, 400, /query\.q/],
  ['another method', 'PUT /v1/conversations/c1', {}, 405, /GET, DELETE/],
  ['another path', 'GET /v1/conversations/c1/secrets', {}, 404, /nothing of that name/],
  ['a message that is not there', 'GET /v1/conversations/c1/messages/none', {}, 404, /./],
  ['a branch that is not there', 'GET /v1/conversations/c1/view', { query: 'branch=none' }, 404, /none/],
  ['a name taken', 'POST /v1/conversations/c1/branches', { body: { name: 'main' } }, 409, /already/],
])('%s is told in words', async (_what, line, asking, status, said) => {
  await seed();
  const [method = '', path = ''] = line.split(' ');
  const reply = await ask(method, path, asking);
  expect(reply.status).toBe(status);
  expect(schemas.failure.parse(jsonOf(reply)).error.message).toMatch(said);
  expect(faults).toEqual([]);
});

test('a store that is closed is 503, told to the log and not to the client', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'epitome-api-'));
  store = await sqliteStore(join(folder, 'e.db'));
  api = createApi({ store, metrics: () => '', onFault: (where) => void faults.push(where) });
  await store.close();
  const reply = await ask('GET', '/v1/conversations/c1');
  expect(reply.status).toBe(503);
  expect(JSON.stringify(reply)).not.toContain(folder);
  expect((await ask('GET', '/readyz')).status).toBe(503);
  expect(faults).toEqual(['api']);
  rmSync(folder, { recursive: true, force: true });
});

test('the document is OpenAPI 3.1, and names every path', async () => {
  const document = JSON.parse(JSON.stringify(openApiDocument()));
  const result = await new Validator().validate(document);
  expect(result.errors ?? []).toEqual([]);
  expect(result.valid).toBe(true);
  for (const { method, path } of ROUTES) expect(document.paths[path]?.[method.toLowerCase()]?.operationId).toBeTruthy();
  for (const path of ['/compact', '/healthz', '/readyz', '/metrics']) expect(document.paths).toHaveProperty([path]);
  const references = [...JSON.stringify(document).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(
    ([, name]) => name ?? '',
  );
  expect(references.length).toBeGreaterThan(10);
  for (const name of references) expect(document.components.schemas).toHaveProperty(name);
});
