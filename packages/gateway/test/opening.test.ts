import { PassThrough } from 'node:stream';
import { isContextOverflow } from 'epitome/overflow';
import { expect, test, vi } from 'vitest';
import { RULES } from '../src/dialects/index.ts';
import { openingOf } from '../src/upstream/opening.ts';
import type { Answer } from '../src/upstream/send.ts';

const event = (name: string, data: object): string => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
const CREATED = event('response.created', { type: 'response.created', response: { id: 'r', error: null } });
const FAILED = event('response.failed', {
  type: 'response.failed',
  response: { error: { code: 'context_length_exceeded', message: 'Your input exceeds the context window.' } },
});

/** A body as far as an opening needs one. */
function bodyOf(...pieces: readonly string[]): PassThrough & Answer['body'] {
  const body = new PassThrough() as PassThrough & Answer['body'];
  for (const piece of pieces) body.write(piece);
  return body;
}

test.each([
  ['openai-responses', [CREATED, FAILED], true],
  ['openai-responses', [CREATED, FAILED.slice(0, 60), FAILED.slice(60)], true],
  ['openai-responses', [CREATED, event('response.output_item.added', { error: 'context_length_exceeded' })], false],
  ['anthropic', [event('ping', {}), event('error', { error: { message: 'prompt is too long' } })], true],
  ['anthropic', [event('message_start', {}), event('error', { error: { message: 'prompt is too long' } })], false],
  ['openai-chat', ['data: {"error":{"code":"context_length_exceeded"}}\n\n'], true],
  ['openai-chat', ['data: {"choices":[{"delta":{"content":"\\"error\\" prompt is too long"}}]}\n\n'], false],
  ['gemini', ['data: not json "error"\n\n'], false],
] as const)('%s %j: too long, %s', async (dialect, pieces, isTooLong) => {
  const { bytes, failure } = await openingOf(bodyOf(...pieces), RULES[dialect]);
  expect(failure !== undefined && isContextOverflow({ body: failure })).toBe(isTooLong);
  expect(pieces.join('').startsWith(bytes.toString())).toBe(true);
});

test('whoever is only told that an answer is to come sees that after a moment, and what follows in order', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const body = bodyOf(CREATED);
  const opening = openingOf(body, RULES['openai-responses']);
  await new Promise((resolve) => setImmediate(resolve));
  vi.advanceTimersByTime(1000);
  vi.useRealTimers();
  expect((await opening).bytes.toString()).toBe(CREATED);
  body.end(FAILED);
  const rest: Buffer[] = [];
  for await (const chunk of body) rest.push(chunk as Buffer);
  expect(Buffer.concat(rest).toString()).toBe(FAILED);
});

test('a stream that ends at once is over', async () => {
  const body = bodyOf();
  body.end();
  expect((await openingOf(body, RULES['openai-chat'])).bytes).toHaveLength(0);
});
