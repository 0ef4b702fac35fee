import { caseArbitrary } from '../support/case.ts';
import { holdLaws } from '../support/harness.ts';
import { RECORDS } from '../support/records.ts';
import { runCase } from '../support/run.ts';
import { SIZES } from '../support/sizes.ts';
import { STRUCTURE } from '../support/structure.ts';
import { TEXTS } from '../support/texts.ts';

holdLaws({ name: 'one-compaction', given: (format) => caseArbitrary(format), run: runCase, runs: 1000 }, [
  ...STRUCTURE,
  ...SIZES,
  ...TEXTS,
  ...RECORDS,
]);
