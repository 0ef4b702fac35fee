import { policyNamed } from 'epitome';
import { costModel } from 'epitome/economics';
import { expect, test } from 'vitest';
import { type MeterKeeper, meterOf } from '../src/turn/meter.ts';
import { historyOf } from './faults/running.ts';

const policy = policyNamed('epitome', { window: 8000 });

/** Measures a turn, and tells whether its system prompt and tools were read for it. */
function isReadBy(keeper: MeterKeeper, fixedText: string): boolean {
  let isRead = false;
  meterOf(keeper, {
    ...{ format: 'openai-chat', policy, fixedText },
    readFixed: () => {
      isRead = true;
      return { system: fixedText };
    },
  });
  return isRead;
}

test('tools that did not change are not parsed again on every turn', () => {
  const keeper: MeterKeeper = { meters: [] };
  const turns = ['some tools', 'some tools', 'other tools', 'other tools', 'some tools'];
  expect(turns.map((tools) => isReadBy(keeper, tools))).toEqual([true, false, true, false, true]);
});

test('a conversation that has gone on for long is not held to the calls expected at its beginning', () => {
  const keeper: MeterKeeper = { meters: [] };
  const messages = historyOf('openai-chat', 28);
  const reasons = [1, 100].map((callsLeft) => {
    const costs = costModel({ prices: { input: 3, output: 15, cachedRead: 0.3 }, callsLeft });
    const measuring = { format: 'openai-chat', policy, fixedText: '', readFixed: () => ({}), costs } as const;
    return meterOf(keeper, measuring).compactor.decide(messages).reason;
  });
  expect(reasons).toEqual(['does-not-pay', 'utilization']);
});
