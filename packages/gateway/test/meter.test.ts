import { policyNamed } from 'epitome';
import { expect, test } from 'vitest';
import { type MeterKeeper, meterOf } from '../src/turn/meter.ts';

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
