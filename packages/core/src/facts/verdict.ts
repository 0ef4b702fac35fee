/** What a test run's own count says at its end; `''` where it counts nothing. */
export type Verdict = 'green' | 'red' | '';

/** Reads the closing count of a test run: its lines that count, not lines of a log that tell of something. */
export function verdictOf(text: string): Verdict {
  const { passed, failed } = countsIn(text);
  return failed > 0 ? 'red' : passed > 0 ? 'green' : '';
}

/** How many passed and failed by the lines that count them. */
function countsIn(text: string): { readonly passed: number; readonly failed: number } {
  let passed = 0;
  let failed = 0;
  for (const line of countingLines(text.slice(-TAIL).split('\n'))) {
    const counts = [...line.matchAll(COUNT)];
    for (const [, before, one, other, behind] of counts) {
      const times = Number(before ?? behind);
      if (BAD.test(one ?? other ?? '')) failed += times;
      else passed += times;
    }
  }
  return { passed, failed };
}

/** How many tests a run counts at its end, its files aside; 0 where it counts none. */
export function testsIn(text: string): number {
  const lines = countingLines(text.slice(-TAIL).split('\n')).filter((line) => !OF_FILES.test(line));
  const { passed, failed } = countsIn(lines.join('\n'));
  return passed + failed;
}

const OF_FILES = /^[^\p{L}\p{N}\n]*(?:test )?(?:suites?|files?)\b/iu;

/** The lines that count what passed and failed. */
export function countingLines(lines: readonly string[]): readonly string[] {
  return lines.filter((line) => line.length < WIDEST && COUNTING.test(line));
}

const TAIL = 20_000;
const WIDEST = 200;
// `3 passed, 1 failed`, `# pass 3`, `Tests run: 3, Failures: 0`.
const WORDS = 'pass(?:ed|ing|es)?|succeeded|fail(?:ed|ing|ures?|s)?|errors?|examples?|run';
const COUNT = new RegExp(
  String.raw`\b(\d{1,7}) (?:tests? |specs? )?(${WORDS})\b|\b(${WORDS}):? +(\d{1,7})\b(?! (?:${WORDS}))`,
  'gi',
);
const BAD = /^(?:fail|error)/i;
const LABEL = String.raw`(?:test(?:s|(?: |_)(?:suites?|files?|cases?))?|test result|tests run|suites?|specs?|result|summary|passed|failed)\b[ !:.\w-]{0,12}?[:. \t-]`;
const COUNTING = new RegExp(
  String.raw`^[^\p{L}\p{N}\n]*ℹ?[^\p{L}\p{N}\n]*(?:(?:${LABEL})?[^\p{L}\p{N}\n]*\d{1,7} (?:tests? |specs? )?(?:${WORDS})\b|(?:(?:tests run|tests|failures|passed|failed|pass|fail)\b[ !:-]*){1,2}\d{1,7}\b)`,
  'iu',
);
