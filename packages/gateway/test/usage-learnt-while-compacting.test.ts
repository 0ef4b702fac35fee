import { memoryStore } from '@epitome/store';
import { afterEach, expect, test } from 'vitest';
import type { GatewayPorts } from '../src/gateway.ts';
import { interrupted } from './faults/interrupted.ts';
import { answerOf, ask, historyOf, type Running, run, userOf } from './faults/running.ts';

let running: Running | undefined;
afterEach(async () => {
  await running?.stop();
  running = undefined;
});

const dialect = 'openai-chat';

// Long made-up identifiers count for more at the provider than at a glance.
const dense = (at: number): string =>
  Array.from({ length: 20 }, (_, each) => `${(at * 7919 + each * 104729).toString(36)}_Zq${each}`).join('');
const DENSE = [userOf(dialect, dense(0)), answerOf(dialect, dense(1)), userOf(dialect, dense(2))];

// Fits a window of 8000 by our estimate, and not by what the provider says of the part in front.
const LONG = [...DENSE, answerOf(dialect, 'fine'), ...historyOf(dialect, 29)];

/** What is told of a long request in whose compaction the answer to a parallel one arrives. */
async function sentMeanwhile(engine: GatewayPorts['engine']): Promise<(name: string) => string | null> {
  const { store, at } = interrupted(memoryStore());
  let release: () => void = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const reply = async ({ units }: { readonly units: readonly unknown[] }) => {
    if (units.length === DENSE.length) await held;
    return { text: 'fine' };
  };
  const yaml = 'models: [{ match: "*", window: 8000 }]';
  running = await run({ store, yaml, engine, upstream: { window: 100_000, reply } });
  const { url, upstream } = running;
  const parallel = ask(url, dialect, { messages: DENSE });
  await expect.poll(() => upstream.requests.length).toBe(1);
  at({ name: 'workOf', when: 'before' }, async () => {
    release();
    await (await parallel).text();
  });
  const { headers } = await ask(url, dialect, { messages: LONG });
  return (name) => headers.get(`x-epitome-${name}`);
}

test.each<[string, string, GatewayPorts['engine']]>([
  [
    'comes to nothing',
    'compacted; reason=overflow',
    { costs: () => ({ tokensShed: 0, tokensRebilled: 0, breakEvenCall: undefined, netCost: 1, pays: false }) },
  ],
  [
    'waits for its summary',
    'compacted; reason=utilization',
    {
      summarizer: async () => {
        await new Promise((resolve) => setTimeout(resolve, 2500));
        return { text: 'The user asked about the parts of src, one after the other, and every answer was fine.' };
      },
    },
  ],
])('usage that arrives while a compaction %s leaves no request over the window', async (_, status, engine) => {
  const told = await sentMeanwhile(engine);
  expect(told('status')).toBe(status);
  expect(Number(told('tokens-before'))).toBeGreaterThan(8000);
  expect(Number(told('tokens-after'))).toBeLessThan(8000);
});
