import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openApiDocument } from '../../src/api/openapi.ts';
import { ROUTES } from '../../src/api/routes.ts';
import { ask, historyOf, type Running, run } from '../faults/running.ts';

type Content = Record<string, { readonly schema: object }>;
type Operation = { readonly responses: Record<string, { readonly content: Content }> };
type Document = {
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: { readonly schemas: Record<string, Record<string, unknown>> };
};

const document = JSON.parse(JSON.stringify(openApiDocument())) as Document;
const ajv = new Ajv2020({ strict: false, validateFormats: false });
const HEADERS = { authorization: 'Bearer test-key', 'content-type': 'application/json' };

let running: Running;
let names: Readonly<Record<string, string>>;

beforeAll(async () => {
  running = await run({ yaml: 'policies: [{ window: 6000 }]' });
  const response = await ask(running.url, 'openai-chat', { messages: historyOf('openai-chat', 40) });
  expect(response.headers.get('x-epitome-status')).toMatch(/^compacted/);
  const id = response.headers.get('x-epitome-conversation') ?? '';
  const recordId = response.headers.get('x-epitome-record') ?? '';
  const page = await fetch(`${running.url}/v1/conversations/${id}/messages?limit=2`, { headers: HEADERS });
  const { messages } = (await page.json()) as { messages: { id: string }[] };
  names = { id, recordId, messageId: messages[1]?.id ?? '' };
});
afterAll(() => running.stop());

type Asked = {
  readonly query?: string;
  readonly body?: unknown;
  readonly headers?: object;
  readonly messageId?: string;
};

/** What is wrong with an answer by what the document says of it. */
async function problemsOf(method: string, path: string, asked: Asked) {
  const { query = '', body, headers = {}, ...others } = asked;
  const ids: Readonly<Record<string, string>> = { ...names, ...others };
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? '');
  const response = await fetch(`${running.url}${filled}${query}`, {
    method,
    headers: { ...HEADERS, ...headers },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const value: unknown = await response.json();
  const said = document.paths[path]?.[method.toLowerCase()]?.responses[String(response.status)];
  const schema = said?.content['application/json']?.schema;
  if (schema === undefined) return { status: response.status, problems: ['the document says nothing of it'] };
  const check = ajv.compile({ ...schema, components: document.components });
  check(value);
  return { status: response.status, problems: check.errors ?? [] };
}

test('no schema of the document is only a reference, and each says what it holds', () => {
  const { schemas } = document.components;
  expect(Object.keys(schemas).length).toBeGreaterThan(15);
  for (const [name, schema] of Object.entries(schemas)) {
    expect(schema, name).not.toHaveProperty('$ref');
    expect(schema, name).toMatchObject({ type: 'object', properties: expect.anything() });
  }
  expect(JSON.stringify(document)).not.toContain('#/$defs/');
});

const ID = '/v1/conversations/{id}';

test.each<[string, string, Asked]>([
  ['GET', '/v1/conversations', {}],
  ['GET', ID, {}],
  ['GET', `${ID}/tree`, { query: '?limit=5' }],
  ['GET', `${ID}/messages`, {}],
  ['GET', `${ID}/messages/{messageId}`, {}],
  ['GET', `${ID}/view`, {}],
  ['GET', `${ID}/records`, {}],
  ['GET', `${ID}/records/{recordId}`, {}],
  ['GET', `${ID}/recall`, { query: '?q=word' }],
  ['POST', '/v1/conversations/recall', { body: { query: 'word' } }],
  ['POST', `${ID}/undo`, { body: {} }],
  ['POST', `${ID}/redo`, { body: {} }],
  ['POST', `${ID}/branches`, { body: { name: 'try' } }],
  ['GET', '/healthz', {}],
  ['GET', '/readyz', {}],
  ['POST', '/compact', { body: { messages: historyOf('openai-chat', 4) } }],
])('%s %s answers as the document says', async (method, path, asked) => {
  expect(await problemsOf(method, path, asked)).toEqual({ status: 200, problems: [] });
});

test('a message that is brought back, and forgetting, answer as the document says', async () => {
  const body = { messageIds: [names['messageId']] };
  expect(await problemsOf('POST', `${ID}/restore`, { body })).toEqual({ status: 200, problems: [] });
  expect(await problemsOf('DELETE', ID, {})).toEqual({ status: 200, problems: [] });
});

test.each<[number, string, string, Asked]>([
  [400, 'GET', '/v1/conversations', { query: '?limit=9999' }],
  [401, 'GET', '/v1/conversations', { headers: { authorization: '' } }],
  [404, 'GET', `${ID}/messages/{messageId}`, { messageId: 'none' }],
  [415, 'POST', '/v1/conversations/recall', { body: 'a', headers: { 'content-type': 'text/plain' } }],
])('%s of %s %s answers as the document says', async (status, method, path, asked) => {
  expect(await problemsOf(method, path, asked)).toEqual({ status, problems: [] });
});

test('each operation names the answers that any of them may have', () => {
  for (const { method, path } of ROUTES) {
    const { responses } = document.paths[path]?.[method.toLowerCase()] ?? { responses: {} };
    expect(Object.keys(responses)).toEqual(expect.arrayContaining(['405', '408', '413', '415', '429', '500', '507']));
  }
});
