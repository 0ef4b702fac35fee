import { expect, test } from 'vitest';
import type { CompactInput } from '../engine/request.ts';
import { type Count, shrank } from './count.ts';

const reported: Count<'reported'> = { basis: 'reported', tokens: 10 };
const estimated: Count<'estimated'> = { basis: 'estimated', tokens: 8 };

test('counts of one basis compare', () => {
  expect(shrank(estimated, { basis: 'estimated', tokens: 7 })).toBe(true);
  expect(shrank(estimated, estimated)).toBe(false);
});

test('counts of unlike origin do not compile', () => {
  // @ts-expect-error a provider's count with a local estimate
  shrank(reported, estimated);
  // @ts-expect-error and the other way round
  shrank(estimated, reported);
});

test('options stand beside the name of their preset, and only theirs', () => {
  const base = { format: 'openai-chat', messages: [] } as const;
  const inputs: readonly CompactInput[] = [
    { ...base, policy: 'selective', window: 1000, tokenThreshold: 500 },
    { ...base, policy: 'forge', window: 1000, retentionWindow: 2 },
    // @ts-expect-error a preset needs its window
    { ...base, policy: 'snapshot' },
    // @ts-expect-error no such preset
    { ...base, policy: 'best', window: 1000 },
    // @ts-expect-error a share is a number
    { ...base, policy: 'snapshot', window: 1000, keep: 'half' },
  ];
  expect(inputs.length).toBe(5);
});
