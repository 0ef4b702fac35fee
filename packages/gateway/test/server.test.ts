import { afterEach, describe, expect, test } from 'vitest';
import { paramsOf } from '../src/api/match.ts';
import { targetOf } from '../src/http/path.ts';
import { pointerAt } from '../src/json/pointer.ts';
import { reprint } from '../src/json/reprint.ts';
import { elementsOf, membersOf, NotJson } from '../src/json/scan.ts';
import { post } from './support/chat.ts';
import { startGateway } from './support/gateway.ts';
import { startUpstream } from './upstream/index.ts';

let open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open) await close();
  open = [];
});

const CHAT = { model: 'm', messages: [{ role: 'user', content: 'hello' }] };

describe('a stop', () => {
  test('lets an open stream come to its end, and takes nothing new', async () => {
    const upstream = await startUpstream({ paceMs: 40, reply: () => ({ text: 'one two three four five six seven' }) });
    const { gateway, url } = await startGateway(upstream.url);
    open.push(upstream.close);
    const answer = await fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer k' },
      body: JSON.stringify({ ...CHAT, stream: true }),
    });
    const closing = gateway.close();
    expect(await answer.text()).toContain('data: [DONE]');
    await closing;
    await expect(post(url, CHAT)).rejects.toThrow();
  });
});

describe('other paths of an upstream', () => {
  test('go through with their bodies, both ways', async () => {
    const upstream = await startUpstream();
    const { gateway, url } = await startGateway(upstream.url);
    open.push(gateway.close, upstream.close);
    const bytes = Buffer.from(Array.from({ length: 70_000 }, (_, at) => (at * 31) % 256));
    const headers = { 'content-type': 'application/octet-stream', authorization: 'Bearer k' };
    const echo = await fetch(`${url}/v1/files/echo?x=%20y`, { method: 'POST', headers, body: bytes });
    expect(Buffer.from(await echo.arrayBuffer()).equals(bytes)).toBe(true);
    expect(upstream.requests.at(-1)?.path).toBe('/v1/files/echo?x=%20y');
    expect(upstream.requests.at(-1)?.headers['content-length']).toBe('70000');
    const coded = { ...headers, 'content-encoding': 'gzip', 'accept-encoding': 'zstd' };
    await fetch(`${url}/v1/files/echo`, { method: 'POST', headers: coded, body: bytes });
    const { headers: sent } = upstream.requests.at(-1) ?? {};
    expect([sent?.['content-encoding'], sent?.['accept-encoding']]).toEqual(['gzip', 'zstd']);
    expect((await fetch(`${url}/local/v1/models`, { headers })).status).toBe(200);
    expect((await fetch(`${url}/nowhere`, { headers })).status).toBe(404);
  });
});

describe('a path with encoded characters', () => {
  test.each([
    ['/v1/models/ft%3Agpt%2B1', '/v1/models/ft%3Agpt%2B1'],
    ['/local/v1/models/ft%3agpt+1', '/v1/models/ft%3agpt+1'],
    ['/v1/models/a%20b%3Fc%23d', '/v1/models/a%20b%3Fc%23d'],
    ['/v1/models/%C3%A9', '/v1/models/%C3%A9'],
    ['/v1/models/a:b@c?d=%3A', '/v1/models/a:b@c?d=%3A'],
  ])('%s goes out as it came', async (asked, sent) => {
    const upstream = await startUpstream();
    const { gateway, url } = await startGateway(upstream.url);
    open.push(gateway.close, upstream.close);
    await fetch(`${url}${asked}`, { headers: { authorization: 'Bearer k' } });
    expect(upstream.requests.at(-1)?.path).toBe(sent);
  });
});

describe('paths', () => {
  test.each([
    '//v1/messages',
    '/v1/../metrics',
    '/v1/%2e%2e/metrics',
    '/v1%2fmessages',
    '/v1/\\x',
    '/a\u0000b',
    '/%zz',
  ])('%j has two readings and is refused', (url) =>
    expect(targetOf(url)).toMatchObject({ status: 400, code: 'bad-path' }),
  );
  test.each(['/v1/messages', '/v1beta/models/gemini-2.5-pro:generateContent?alt=sse&key=a?b', '/'])(
    '%s has one',
    (url) => {
      expect(targetOf(url)).toMatchObject({ path: url.split('?')[0] });
    },
  );
});

test('a name with a slash is one name in paths of our own, and nowhere else', () => {
  const url = '/v1/conversations/api%2Fsession.json%231/view';
  expect(targetOf(url)).toMatchObject({ path: url });
  expect(paramsOf('/v1/conversations/{id}/view', url)).toEqual({ id: 'api/session.json#1' });
  for (const odd of ['/v1/conversations/%2e%2e/x', '/v1/conversations/a%5Cb', '/v1/conversations//x', '/v1/x%2Fy'])
    expect(targetOf(odd)).toMatchObject({ status: 400, code: 'bad-path' });
});

describe('bodies are read by position', () => {
  test('members and elements stand where JSON has them, whatever their strings hold', () => {
    const text = ' { "a\\u0062" : "x\\\\\\"]}" , "list":[ {"k":"]"} , 12e3,null , [[]] ] } ';
    const { members } = membersOf(text);
    expect(members.map(({ key, value }) => [key, JSON.parse(text.slice(value.start, value.end))])).toEqual(
      Object.entries(JSON.parse(text)),
    );
    const list = members[1]?.value.start ?? 0;
    expect(elementsOf(text, list).elements.map(({ start, end }) => text.slice(start, end))).toEqual([
      '{"k":"]"}',
      '12e3',
      'null',
      '[[]]',
    ]);
  });

  test.each(['', '[', '{', '{"a"}', '{"a":}', '{"a":1,}', '{"a":"x', '{"a":[1,2}'])('%j is no JSON', (text) => {
    expect(() => {
      const [member] = membersOf(text).members;
      elementsOf(text, member?.value.start ?? 0);
    }).toThrow(NotJson);
  });

  test('a changed value keeps the characters of what did not change', () => {
    const original = '{"id":12345678901234567890, "content":[{"a":1e2},{"b":"\\u00e9", "drop":1}, {"c":2.50}] }';
    const value = JSON.parse(original);
    const changed = { ...value, content: [value.content[1], { ...value.content[2], text: 'new' }] };
    expect(reprint(changed, original)).toBe(
      '{"id":12345678901234567890,"content":[{"b":"\\u00e9", "drop":1},{"c":2.50,"text":"new"}]}',
    );
  });
});

test.each([
  ['{"a":[1,{"b":"x', '/a/1/b'],
  ['{"a":1,"b/c~":{"d":2}, "e":', '/e'],
  ['{"a":1,"b/c~":[', '/b~1c~0/0'],
  ['{"a\\"[":[[],[', '/a\\"[/1/0'],
  ['{"a":1,', ''],
  ['', ''],
  ['}]},[', '/0'],
])('%j ends in %j', (text, pointer) => {
  expect(pointerAt(text, text.length)).toBe(pointer);
});
