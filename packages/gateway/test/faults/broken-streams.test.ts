import { Agent, createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Dialect } from '../upstream/index.ts';
import { DIALECTS, errorIn, PATHS, type Running, run } from './running.ts';

type Broken = { readonly type: string; readonly sent: string };

const EVENTS: Broken = { type: 'text/event-stream', sent: 'data: {"choices":[{"index":0,"delta":{}}]}\n\n' };
const ARRAY: Broken = { type: 'application/json', sent: '[{"candidates":[]}' };
const IN_ELEMENT: Broken = {
  type: 'application/json',
  sent: '[{"candidates":[]},\r\n{"candidates":[{"content":"a ]} b',
};
const IN_FIRST: Broken = { type: 'application/json', sent: '[{"candi' };
const BEHIND_COMMA: Broken = { type: 'application/json', sent: '[{"candidates":[]},' };
const BEHIND_END: Broken = { type: 'application/json', sent: '[{"candidates":[]}]' };
const HALF: Broken = { type: 'application/json', sent: '{"id":' };

let running: Running;
let upstream: Server;
let broken: Broken;

/** An upstream that promises more than it sends before its connection breaks. */
beforeAll(async () => {
  upstream = createServer((asked, response) => {
    asked.resume().on('end', () => {
      response.writeHead(200, { 'content-type': broken.type, 'content-length': broken.sent.length + 30 });
      response.write(broken.sent);
      setTimeout(() => response.destroy(), 30);
    });
  });
  await new Promise<void>((resolve) => void upstream.listen(0, '127.0.0.1', resolve));
  const { port } = upstream.address() as AddressInfo;
  const dialects = DIALECTS.join(', ');
  running = await run({
    yaml: `upstreams: [{ name: broken, baseUrl: "http://127.0.0.1:${port}", dialects: [${dialects}] }]`,
  });
});
afterAll(async () => {
  await running.stop();
  upstream.close();
});

const BODIES: Readonly<Record<Dialect, object>> = {
  'openai-chat': { model: 'm', stream: true, messages: [{ role: 'user', content: 'a' }] },
  'openai-responses': { model: 'm', stream: true, store: false, input: [{ role: 'user', content: 'a' }] },
  anthropic: { model: 'm', max_tokens: 9, stream: true, messages: [{ role: 'user', content: 'a' }] },
  gemini: { contents: [{ role: 'user', parts: [{ text: 'a' }] }] },
};

type Heard = { readonly text: string; readonly length: string | undefined; readonly isReused: boolean };

/** One request on the connection of an agent. */
function hear(agent: Agent, path: string, body?: object): Promise<Heard> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', authorization: 'Bearer k' };
    const method = body === undefined ? 'GET' : 'POST';
    const asked = request(`${running.url}${path}`, { agent, method, headers, timeout: 3000 }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      const length = response.headers['content-length'];
      response.on('end', () => resolve({ text, length, isReused: asked.reusedSocket })).on('error', reject);
    });
    asked.on('timeout', () => asked.destroy(new Error('the client was left hanging'))).on('error', reject);
    asked.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

const STREAM = PATHS.gemini.replace(':generateContent', ':streamGenerateContent');

describe.each<[string, Broken, Dialect, string]>([
  ['events', EVENTS, 'openai-chat', PATHS['openai-chat']],
  ['an array', ARRAY, 'gemini', STREAM],
  ['an array, inside an element', IN_ELEMENT, 'gemini', STREAM],
  ['an array, inside its first element', IN_FIRST, 'gemini', STREAM],
  ['an array, behind a comma', BEHIND_COMMA, 'gemini', STREAM],
  ['an array, behind its end', BEHIND_END, 'gemini', STREAM],
])('a stream of %s whose length was promised and that breaks off', (_form, what, dialect, path) => {
  test('ends with the error, and leaves the connection fit for the next request', async () => {
    broken = what;
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const { text, length } = await hear(agent, path, BODIES[dialect]);
    expect(length).toBeUndefined();
    const last: unknown =
      dialect === 'gemini' ? JSON.parse(text).at(-1) : JSON.parse(text.split('data: ').at(-1) ?? '');
    expect(errorIn(dialect, last as never)).toMatch(/broke the answer off/);
    const next = await hear(agent, '/healthz');
    expect(next).toMatchObject({ text: '{"status":"ok"}', isReused: true });
    agent.destroy();
  });
});

test.each(DIALECTS)(
  '%s: a stream answered with JSON that breaks off does not leave the client hanging',
  async (dialect) => {
    broken = HALF;
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const path = dialect === 'gemini' ? STREAM : PATHS[dialect];
    await expect(hear(agent, path, BODIES[dialect])).rejects.toThrow(/aborted|socket hang up|ECONNRESET/);
    agent.destroy();
  },
);
