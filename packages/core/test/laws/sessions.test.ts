import { holdLaws } from '../support/harness.ts';
import { atEachStep, LINEAGE } from '../support/lineage.ts';
import { RECORDS } from '../support/records.ts';
import { runSession, sessionArbitrary } from '../support/session.ts';
import { SIZES } from '../support/sizes.ts';
import { STRUCTURE } from '../support/structure.ts';
import { TEXTS } from '../support/texts.ts';

holdLaws({ name: 'sessions', given: (format) => sessionArbitrary(format), run: runSession, runs: 100 }, [
  ...LINEAGE,
  ...[...STRUCTURE, ...SIZES, ...TEXTS, ...RECORDS].map(atEachStep),
]);
