import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hashOf } from '../../src/config/load.ts';
import type { Dialect, Json } from '../upstream/index.ts';
import { answerOf, ask, DIALECTS, errorIn, type Running, run, userOf } from './running.ts';

let running: Running;
beforeAll(async () => {
  running = await run();
});
afterAll(() => running.stop());

const LINEAR = { 'x-epitome-linear': 'true' };
const said = (dialect: Dialect, ...texts: readonly string[]): readonly Json[] =>
  texts.map((text, at) => (at % 2 === 0 ? userOf : answerOf)(dialect, text));

async function branches(conversation: string): Promise<readonly string[]> {
  const log = running.store.forTenant(`key-${hashOf('test-key').slice(0, 32)}`);
  return (await log.branches(decodeURIComponent(conversation))).map(({ name, length }) => `${name} ${length}`);
}

describe.each(DIALECTS)('%s in linear mode', (dialect) => {
  const first = `Linear in ${dialect}?`;

  test('a history that goes on, or is sent again, is served', async () => {
    for (const texts of [[first], [first], [first, 'Yes.', 'Go on.'], [first, 'Yes.', 'Go on.', 'Done.', 'Thanks.']]) {
      const response = await ask(running.url, dialect, { messages: said(dialect, ...texts), headers: LINEAR });
      expect([response.status, response.headers.get('x-epitome-branch')]).toEqual([200, 'main']);
    }
  });

  test.each([
    ['edited', [first, 'Yes.', 'Stop.']],
    ['shorter', [first, 'Yes.', 'Go on.']],
    ['regenerated', [first, 'No.', 'Go on.']],
  ])('a history that was %s is 409 with the branch it leaves; nothing is sent or stored', async (_how, texts) => {
    const messages = said(dialect, ...texts);
    const before = running.upstream.requests.length;
    const response = await ask(running.url, dialect, { messages, headers: LINEAR });
    expect([response.status, response.headers.get('x-should-retry')]).toEqual([409, 'false']);
    expect(errorIn(dialect, (await response.json()) as Json)).toMatch(/leaves branch "main" .*x-epitome-linear/);
    expect(running.upstream.requests).toHaveLength(before);
  });

  test('without it the same history is a branch', async () => {
    const messages = said(dialect, first, 'Yes.', 'Stop.');
    const response = await ask(running.url, dialect, { messages });
    expect(response.status).toBe(200);
    expect(response.headers.get('x-epitome-branch')).not.toBe('main');
    const stored = await branches(response.headers.get('x-epitome-conversation') ?? '');
    expect(stored).toEqual(['b2 3', 'main 5']);
  });
});

test('of 64 parallel turns on one conversation one goes on, and 63 are told of its branch', async () => {
  const start = said('openai-chat', 'Parallel and linear?');
  const opened = await ask(running.url, 'openai-chat', { messages: start, headers: LINEAR });
  const answers = await Promise.all(
    Array.from({ length: 64 }, async (_, at) => {
      const messages = [...start, answerOf('openai-chat', 'Yes.'), userOf('openai-chat', `Turn ${at}`)];
      const response = await ask(running.url, 'openai-chat', { messages, headers: LINEAR });
      await response.text();
      return response.status;
    }),
  );
  expect(answers.filter((status) => status === 200)).toHaveLength(1);
  expect(answers.filter((status) => status === 409)).toHaveLength(63);
  expect(await branches(opened.headers.get('x-epitome-conversation') ?? '')).toEqual(['main 3']);
});

test('a named conversation is not begun anew', async () => {
  const headers = { ...LINEAR, 'x-epitome-conversation': 'named-linear' };
  const first = await ask(running.url, 'openai-chat', { messages: said('openai-chat', 'One'), headers });
  const other = await ask(running.url, 'openai-chat', { messages: said('openai-chat', 'Two'), headers });
  expect([first.status, other.status]).toEqual([200, 409]);
});
