import type { Ports } from 'epitome';
import { describe, expect, test } from 'vitest';
import { createBreaker } from '../src/turn/breaker.ts';
import { answerOf, ask, run, userOf } from './faults/running.ts';

const BRIEF = { system: '', prompt: '', maxTokens: 10, purpose: 'summary' } as const;
const signal = new AbortController().signal;

describe('a summarizer that fails', () => {
  function setUp() {
    const world = { now: 0, fails: true, calls: 0, told: [] as string[] };
    const engine: Ports = {
      summarizer: async () => {
        world.calls += 1;
        if (world.fails) throw new Error('500');
        return { text: 'ok' };
      },
    };
    const breaker = createBreaker(engine, { now: () => world.now, onChange: (state) => world.told.push(state) });
    const call = async (given: AbortSignal = signal): Promise<void> => {
      await breaker
        .ports()
        .summarizer?.(BRIEF as never, given)
        .catch(() => undefined);
    };
    return { world, call };
  }

  test('three times in a row is left alone, told once, and tried again after a while', async () => {
    const { world, call } = setUp();
    for (let at = 0; at < 10; at += 1) await call();
    expect([world.calls, world.told]).toEqual([3, ['resting']]);
    world.now += 5 * 60_000;
    for (let at = 0; at < 10; at += 1) await call();
    expect([world.calls, world.told]).toEqual([4, ['resting']]);
    world.now += 5 * 60_000;
    world.fails = false;
    for (let at = 0; at < 10; at += 1) await call();
    expect([world.calls, world.told]).toEqual([14, ['resting', 'working']]);
  });

  test('now and then is not left alone', async () => {
    const { world, call } = setUp();
    for (let at = 0; at < 12; at += 1) {
      world.fails = at % 3 !== 0;
      await call();
    }
    expect([world.calls, world.told]).toEqual([12, []]);
  });

  test('because nobody waits for it any more has not failed; because it took too long it has', async () => {
    const { world, call } = setUp();
    const gone = AbortSignal.abort(new DOMException('gone', 'AbortError'));
    for (let at = 0; at < 6; at += 1) await call(gone);
    expect(world.told).toEqual([]);
    for (let at = 0; at < 6; at += 1) await call(AbortSignal.abort(new Error('the deadline passed')));
    expect(world.told).toEqual(['resting']);
  });
});

test('a model that answers every summary with an error is asked three times; the log says so once, and turns go on', async () => {
  let calls = 0;
  const engine: Ports = {
    summarizer: async () => {
      calls += 1;
      throw new Error('503');
    },
  };
  const running = await run({ yaml: 'policies: [{ window: 6000 }]', engine });
  for (let at = 0; at < 8; at += 1) {
    const messages = Array.from({ length: 40 }, (_, turn) =>
      (turn % 2 === 0 ? userOf : answerOf)('openai-chat', `Question ${at} ${turn}: ${'word '.repeat(120)}`),
    );
    const answer = await ask(running.url, 'openai-chat', { messages: [...messages, userOf('openai-chat', 'And?')] });
    expect([answer.status, answer.headers.get('x-epitome-status')]).toEqual([200, expect.stringMatching(/^compacted/)]);
  }
  await running.stop();
  expect(calls).toBe(3);
  expect(running.lines.filter((line) => line.includes('left alone'))).toHaveLength(1);
});
