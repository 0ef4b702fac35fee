import { appendFileSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { FORMAT_NAMES, type FormatName } from '../../src/index.ts';

// Seeds of failures that were found once; replayed in every run.
type Seed = { readonly experiment: string; readonly format: string; readonly seed: number; readonly path: string };
const seeds: readonly Seed[] = JSON.parse(readFileSync(new URL('../laws/seeds.json', import.meta.url), 'utf8'));

/** A law: what holds of everything that was carried out. A check throws where it does not. */
export type Law<Result> = { readonly name: string; readonly check: (result: Result) => void | Promise<void> };

/** Histories and what is done with them. */
export type Experiment<Given, Result> = {
  /** Name under which seeds of failures are kept. */
  readonly name: string;
  readonly given: (format: FormatName) => fc.Arbitrary<Given>;
  readonly run: (given: Given) => Promise<Result>;
  readonly runs: number;
  readonly formats?: readonly FormatName[];
};

// Fixed, so that a change which did not touch anything stays green; `npm run fuzz` looks further.
const SEED = Number(process.env['EPITOME_FUZZ_SEED'] ?? 20_260_731);
// Seconds each file of laws may take; 0: a fixed number of histories.
const FUZZ_SECONDS = Number(process.env['EPITOME_FUZZ_SECONDS'] ?? 0);

/**
 * Carries each history out once and holds every law against it. A law that fails is run again by itself, so that its own
 * smallest history is found and its seed printed.
 */
export function holdLaws<Given, Result>(experiment: Experiment<Given, Result>, laws: readonly Law<Result>[]): void {
  describe.each(experiment.formats ?? FORMAT_NAMES)('%s', (format) => {
    const broken = new Map<string, fc.Parameters<[Given]>>();
    let histories = 0;

    beforeAll(async () => {
      for (const parameters of parametersOf(experiment, format)) {
        const tried = await survey({ experiment, laws, format, parameters, broken });
        histories += tried;
        report({
          experiment: experiment.name,
          format,
          seed: parameters.seed,
          histories: tried,
          broken: [...broken.keys()],
        });
      }
    }, 3_600_000);

    test('histories were tried', () => {
      expect(histories).toBeGreaterThanOrEqual(FUZZ_SECONDS > 0 ? 1 : experiment.runs);
    });

    test.each(laws.map(({ name, check }) => [name, check] as const))('%s', async (name, check) => {
      const parameters = broken.get(name);
      if (parameters === undefined) return;
      const property = fc.asyncProperty(experiment.given(format), async (given) => check(await experiment.run(given)));
      const limits = { numRuns: 10_000, interruptAfterTimeLimit: SHRINK_MILLISECONDS };
      expect.fail(describeFailure(await fc.check(property, { ...parameters, ...limits })));
    });
  });
}

// Shrinking stops here: a history of a few steps says enough.
const SHRINK_MILLISECONDS = 20_000;

function describeFailure<Given>(details: fc.RunDetails<[Given]>): string {
  const { failed, seed, counterexamplePath, counterexample, errorInstance } = details;
  if (!failed) return `failed once with seed ${seed}, and not again: it is not deterministic`;
  const shortened = (_key: string, value: unknown): unknown =>
    typeof value === 'string' && value.length > 120 ? `${value.slice(0, 80)}… (${value.length})` : value;
  const history = JSON.stringify(counterexample, shortened);
  const reason = errorInstance instanceof Error ? errorInstance.message : String(errorInstance);
  return `${reason}\nseed ${seed}, path "${counterexamplePath}"\n${history}`;
}

type Survey<Given, Result> = {
  readonly experiment: Experiment<Given, Result>;
  readonly laws: readonly Law<Result>[];
  readonly format: FormatName;
  readonly parameters: fc.Parameters<[Given]>;
  readonly broken: Map<string, fc.Parameters<[Given]>>;
};

async function survey<Given, Result>(given: Survey<Given, Result>): Promise<number> {
  const { experiment, laws, format, parameters, broken } = given;
  let tried = 0;
  const property = fc.asyncProperty(experiment.given(format), async (one) => {
    const at = tried;
    tried += 1;
    const fail = (name: string): unknown => broken.set(name, { ...parameters, path: pathOf(parameters, at) });
    const result = await experiment.run(one).catch(() => undefined);
    for (const { name, check } of laws) {
      if (broken.has(name)) continue;
      if (result === undefined) fail(name);
      else
        await Promise.resolve()
          .then(() => check(result))
          .catch(() => fail(name));
    }
  });
  await fc.check(property, parameters);
  return tried;
}

// The history that failed comes first again, so that only it has to be shrunk.
function pathOf({ path }: { readonly path?: string | undefined }, at: number): string {
  return path === undefined || path === '' ? String(at) : path;
}

function parametersOf<Given, Result>(
  { name, runs }: Experiment<Given, Result>,
  format: FormatName,
): readonly fc.Parameters<[Given]>[] {
  const kept = seeds.filter((entry) => entry.experiment === name && entry.format === format);
  const replayed = kept.map(({ seed, path }) => ({ seed, path, numRuns: 1 }));
  if (FUZZ_SECONDS === 0) return [...replayed, { seed: SEED, numRuns: runs }];
  const milliseconds = (FUZZ_SECONDS * 1000) / FORMAT_NAMES.length;
  return [{ seed: SEED, numRuns: 1_000_000_000, interruptAfterTimeLimit: milliseconds, markInterruptAsFailure: false }];
}

function report(line: Readonly<Record<string, unknown>>): void {
  const file = process.env['EPITOME_FUZZ_REPORT'];
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(line)}\n`);
}
