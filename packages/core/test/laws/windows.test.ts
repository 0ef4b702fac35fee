import fc from 'fast-check';
import { expect } from 'vitest';
import type { FormatName } from '../../src/index.ts';
import type { Behaviour } from '../../src/testing/index.ts';
import { type Case, caseArbitrary } from '../support/case.ts';
import { keptOf } from '../support/fates.ts';
import { holdLaws } from '../support/harness.ts';
import { type Run, runCase } from '../support/run.ts';

type Pair = { readonly tight: Run; readonly roomy: Run };

holdLaws({ name: 'windows', given: twoWindows, run: runBoth, runs: 120 }, [
  {
    name: 'law 46: a larger window never loses a message that a smaller one kept',
    check: ({ tight, roomy }: Pair) => {
      // A limit that cannot be met is not chased: a larger one that can be may well cost more.
      const isMissed = ({ outcome }: Run): boolean => outcome.findings.some(({ code }) => code === 'unshrinkable');
      // A run whose summary failed keeps everything for that reason, not for its limit.
      const hasFailed = tight.outcome.status.startsWith('failed');
      // What the roomy run has a summary of and the tight one cut off is not lost.
      const isBetter = tight.outcome.status === 'truncated' && roomy.outcome.status === 'compressed';
      if (hasFailed || isBetter || isMissed(tight) || isMissed(roomy)) return;
      const kept = keptOf(roomy.fates);
      expect([...keptOf(tight.fates)].filter((at) => !kept.has(at))).toEqual([]);
    },
  },
]);

function twoWindows(format: FormatName): fc.Arbitrary<readonly [Case, number]> {
  // The same words whatever the brief, so that only the window makes a difference.
  const behaviours = fc.constantFrom<readonly Behaviour[]>(['snapshot'], ['scratchpad'], []);
  return fc.tuple(caseArbitrary(format, { behaviours }), fc.integer({ min: 101, max: 2000 }));
}

async function runBoth([given, percent]: readonly [Case, number]): Promise<Pair> {
  const { target: _, reserved: __, ...rest } = given.options;
  const options = { ...rest, summaryMaxTokens: 400, window: given.options.window };
  const wide = { ...options, window: Math.ceil((options.window * percent) / 100) };
  return { tight: await runCase({ ...given, options }), roomy: await runCase({ ...given, options: wide }) };
}
