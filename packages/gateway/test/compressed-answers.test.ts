import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import zlib from 'node:zlib';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { ask, historyOf } from './faults/running.ts';
import { startGateway, type Tested } from './support/gateway.ts';

const CODINGS = {
  gzip: zlib.gzipSync,
  deflate: zlib.deflateSync,
  br: zlib.brotliCompressSync,
  unheard: (bytes: Buffer) => bytes,
} as const;
type Coding = keyof typeof CODINGS;

const usage = { prompt_tokens: 7000, completion_tokens: 9, total_tokens: 7009 };
const EVENTS = [
  { choices: [{ index: 0, delta: { role: 'assistant', content: 'hello' } }] },
  { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
  { choices: [], usage },
];
const STREAM = `${EVENTS.map((event) => `data: ${JSON.stringify({ id: '1', ...event })}\n\n`).join('')}data: [DONE]\n\n`;
const message = { role: 'assistant', content: 'ok '.repeat(500) };
const WHOLE = JSON.stringify({ id: 'x', choices: [{ index: 0, message, finish_reason: 'stop' }], usage });
const TOO_LONG = JSON.stringify({
  error: { message: "This model's maximum context length is 4000 tokens.", code: 'context_length_exceeded' },
});

let answers: { readonly bytes: Buffer; readonly status?: number; readonly type: string; readonly coding: Coding }[] =
  [];
let asked = 0;
let tested: Tested;
const upstream = createServer((request, response) => {
  request.resume().on('end', async () => {
    const { bytes, status = 200, type, coding } = answers[asked] ?? { bytes: Buffer.of(), type: '', coding: 'gzip' };
    asked += 1;
    response.writeHead(status, { 'content-type': type, 'content-encoding': coding });
    response.write(bytes.subarray(0, 20));
    await sleep(20);
    response.end(bytes.subarray(20));
  });
});

beforeAll(async () => {
  await once(upstream.listen(0, '127.0.0.1'), 'listening');
  tested = await startGateway(`http://127.0.0.1:${(upstream.address() as AddressInfo).port}`);
});
beforeEach(() => {
  asked = 0;
});
afterAll(async () => {
  await tested.gateway.close();
  upstream.close();
});

const coded = (coding: Coding, text: string): Buffer => CODINGS[coding](Buffer.from(text));
const events = 'text/event-stream';
const json = 'application/json';

/** What a client got, and what was told of it. */
async function told(stream: boolean) {
  const before = tested.exchanges.length;
  const response = await ask(tested.url, 'openai-chat', { stream, messages: historyOf('openai-chat', 30) });
  const text = await response.text().catch(() => 'unreadable');
  while (tested.exchanges.length === before) await sleep(5);
  return { text, ...tested.exchanges.at(-1) };
}

test.each(['gzip', 'deflate', 'br'] as const)(
  'a stream that is compressed with %s is read to its end',
  async (coding) => {
    answers = [{ bytes: coded(coding, STREAM), type: events, coding }];
    const { text, end, usage: read, answer } = await told(true);
    expect([text, end]).toEqual([STREAM, 'complete']);
    expect([read, answer]).toMatchObject([{ input: 7000, output: 9 }, { finishReasons: ['stop'] }]);
  },
);

test.each(['gzip', 'deflate', 'br'] as const)(
  'one with %s that lacks its last bytes is incomplete, streamed or not',
  async (coding) => {
    const bytes = (text: string): Buffer => coded(coding, text).subarray(0, -12);
    answers = [{ bytes: bytes(STREAM), type: events, coding }];
    expect((await told(true)).end).toBe('incomplete');
    asked = 0;
    answers = [{ bytes: bytes(WHOLE), type: json, coding }];
    expect((await told(false)).end).toBe('incomplete');
  },
);

test('a compressed stream that ends before its protocol says so is incomplete', async () => {
  answers = [
    { bytes: coded('gzip', STREAM.slice(0, STREAM.indexOf('data: [DONE]') - 200)), type: events, coding: 'gzip' },
  ];
  expect((await told(true)).end).toBe('incomplete');
});

test('a coding that nobody here knows is passed on as it is, and said to be nothing that it may not be', async () => {
  answers = [{ bytes: coded('unheard', STREAM), type: events, coding: 'unheard' }];
  const { text, end } = await told(true);
  expect([text, end]).toEqual([STREAM, 'complete']);
});

test('a compressed error that says the request is too long has it compacted and sent once more', async () => {
  const refusal = { bytes: coded('gzip', TOO_LONG), status: 400, type: json, coding: 'gzip' } as const;
  answers = [refusal, { bytes: coded('gzip', WHOLE), type: json, coding: 'gzip' }];
  const { status, report } = await told(false);
  expect([status, report?.retried]).toEqual([200, true]);
});
