/** What a test run's own count says at its end; `''` where it counts nothing. */
export type Verdict = 'green' | 'red' | '';

/** Reads the closing count of a test run, a linter or a compiler: its lines that count, not lines of a log that tell of something. */
export function verdictOf(text: string): Verdict {
  const lines = linesOf(text);
  if (lines.some((line) => line.length < WIDEST && (RED.test(line) || foundIn(line) > 0))) return 'red';
  return testVerdict(lines);
}

/** What the tests of a run say, whatever a linter behind them found. */
export function testVerdictOf(text: string): Verdict {
  return testVerdict(linesOf(text));
}

const linesOf = (text: string): readonly string[] => text.slice(-TAIL).split('\n');

function testVerdict(lines: readonly string[]): Verdict {
  const { passed, failed } = countsIn(lines);
  if (failed > 0) return 'red';
  if (passed > 0) return 'green';
  return lines.some((line) => NOT_OK.test(line)) ? 'red' : '';
}

type Counts = { readonly passed: number; readonly failed: number };

/** How many passed and failed by the lines that count them. */
function countsIn(lines: readonly string[]): Counts {
  let passed = 0;
  let failed = 0;
  for (const line of countingLines(lines)) {
    if (foundIn(line) > 0) continue;
    const counts = closedBy(line) ?? addedUp(line);
    passed += counts.passed;
    failed += counts.failed;
  }
  return { passed, failed };
}

function addedUp(line: string): Counts {
  let passed = 0;
  let failed = 0;
  for (const [, before, one, other, behind] of line.matchAll(COUNT)) {
    const times = Number(before ?? behind);
    if (BAD.test(one ?? other ?? '')) failed += times;
    else passed += times;
  }
  return { passed, failed };
}

/** What a line in a runner's own words counts; `undefined` for any other. */
function closedBy(line: string): Counts | undefined {
  const { all, bad, worse } = CLOSING.map((words) => words.exec(line)).find((match) => match !== null)?.groups ?? {};
  if (all === undefined && bad === undefined) return undefined;
  const failed = Number(bad ?? 0) + Number(worse ?? 0);
  return { passed: Math.max(0, Number(all ?? 0) - failed), failed };
}

/** How many errors a linter or a type checker counts in a line. */
function foundIn(line: string): number {
  if (!DIGIT.test(line)) return 0;
  return Number(FOUND.map((words) => words.exec(line)).find((match) => match !== null)?.groups?.['bad'] ?? 0);
}

/** How many tests a run counts at its end, its files aside; 0 where it counts none. */
export function testsIn(text: string): number {
  const { passed, failed } = countsIn(linesOf(text).filter((line) => !OF_FILES.test(line)));
  return passed + failed;
}

const OF_FILES = /^[^\p{L}\p{N}\n]*(?:test )?(?:suites?|files?)\b/iu;

/** The lines that count what passed and failed. */
export function countingLines(lines: readonly string[]): readonly string[] {
  return lines.filter(
    (line) =>
      line.length < WIDEST &&
      DIGIT.test(line) &&
      (COUNTING.test(line) || closedBy(line) !== undefined || foundIn(line) > 0),
  );
}

// Nearly all lines count nothing, which is seen sooner.
const DIGIT = /\d/;
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
const NUMBER = String.raw`\d{1,7}`;
// What each counts in words of its own: all there were, and those that failed.
const CLOSING: readonly RegExp[] = [
  // ExUnit, RSpec, minitest, Bats, Jasmine, Gradle.
  `(?:${NUMBER} (?:doctests?|propert(?:y|ies)|features?), ){0,3}(?<all>${NUMBER}) (?:tests?|examples?|specs?|runs|tests completed)(?:, ${NUMBER} assertions?)?, (?<bad>${NUMBER}) (?:failures?|failed)\\b(?:, (?<worse>${NUMBER}) errors?)?`,
  // XCTest, Swift Testing.
  `Executed (?<all>${NUMBER}) tests?, with (?:${NUMBER} tests? skipped and )?(?<bad>${NUMBER}) failures?\\b`,
  `.{0,3}Test run with (?<all>${NUMBER}) tests? .{0,60}with (?<bad>${NUMBER}) issues?\\b`,
  // dotnet, CTest, Bazel, Karma.
  `Test summary: total: (?<all>${NUMBER}), failed: (?<bad>${NUMBER})\\b`,
  `${NUMBER}% tests passed, (?<bad>${NUMBER}) tests? failed out of (?<all>${NUMBER})\\b`,
  `Executed ${NUMBER} out of (?<all>${NUMBER}) tests?: (?:.{0,60}\\b(?<bad>${NUMBER}) fails?\\b)?`,
  `.{0,60}Executed ${NUMBER} of (?<all>${NUMBER}) .{0,20}\\((?<bad>${NUMBER}) FAILED\\)`,
].map((words) => new RegExp(`^\\s{0,8}${words}`));
const FOUND: readonly RegExp[] = [
  // Ruff tells what it mended, ESLint and its kin what is no error.
  `Found ${NUMBER} errors? \\(${NUMBER} fixed, (?<bad>${NUMBER}) remaining\\)`,
  `Found (?<bad>${NUMBER}) errors?\\b(?! \\()`,
  `Found (?<bad>${NUMBER}) errors? \\((?!\\d)`,
  `[✖×x]? ?${NUMBER} problems? \\((?<bad>${NUMBER}) errors?\\b`,
  `[✖×] (?<bad>${NUMBER}) problems?$`,
  // RuboCop, golangci-lint.
  `${NUMBER} files? inspected, (?:no|(?<bad>${NUMBER})) offenses? detected`,
  `(?<bad>${NUMBER}) issues[:.]$`,
].map((words) => new RegExp(`^\\s{0,8}${words}`));
// What a whole run is called at its end.
const RED =
  /^\s*\d\d:\d\d \+\d+(?: ~\d+)? -\d+: |^\s*(?:FAILURES|ERRORS)!$|^\s*[\w.-]{1,40}: FAIL(?:URE)? (?:code -?\d|✖)|^\s*evaluation failed\b|^\/\/\S+\s+(?:\(cached\) )?(?:FAILED|TIMEOUT)\b|^(?:\[(?:INFO|ERROR)\] )?BUILD FAIL(?:ED|URE)\b|^Result: FAIL|^nox > .{0,80}\bfailed\b|Code style issues (?:were )?found in/;
// Of TAP, where nothing is counted: not what is still to be done or was left out.
const NOT_OK = /^\s{0,40}not ok \d+\b(?!.{0,200} # (?:todo|skip)\b)/i;
