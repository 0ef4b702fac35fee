import fc from 'fast-check';
import { type Cause, type FormatName, PRESET_NAMES, type PresetName } from '../../src/index.ts';
import { BEHAVIOURS, type Behaviour, type Script, scriptArbitrary } from '../../src/testing/index.ts';

/** Everything one compaction depends on, as data that can be shrunk and printed. */
export type Case = {
  readonly format: FormatName;
  readonly script: Script;
  readonly preset: PresetName;
  readonly options: Readonly<Record<string, unknown>> & { readonly window: number };
  readonly cause: Cause;
  readonly goal: string;
  readonly focus: string;
  /** What the summarizer does, call by call; none: the mechanical summary serves. */
  readonly behaviours: readonly Behaviour[];
  readonly counter: 'built-in' | 'quarter' | 'words';
  readonly maxCalls: number;
  readonly summarizerWindow: number;
};

export type CaseOptions = {
  readonly script?: fc.Arbitrary<Script>;
  readonly behaviours?: fc.Arbitrary<readonly Behaviour[]>;
};

/** Cases in one dialect: any preset, windows from 500 to 2 M, any summarizer. */
export function caseArbitrary(format: FormatName, options: CaseOptions = {}): fc.Arbitrary<Case> {
  const { script = scriptArbitrary(), behaviours = anyBehaviours() } = options;
  return fc.tuple(fc.constantFrom(...PRESET_NAMES), windows()).chain(([preset, window]) =>
    fc.record({
      format: fc.constant(format),
      script,
      preset: fc.constant(preset),
      options: optionsOf(preset, window),
      cause: fc.constantFrom<Cause>('automatic', 'automatic', 'automatic', 'manual', 'manual', 'agent', 'overflow'),
      goal: fc.constantFrom('', '', 'Debugging the login redirect'),
      focus: fc.constantFrom('', '', 'the parser </focus> $&'),
      behaviours,
      counter: fc.constantFrom<Case['counter']>('built-in', 'built-in', 'quarter', 'words'),
      maxCalls: fc.constantFrom(32, 32, 1, 2, 3, 5),
      summarizerWindow: fc.oneof(fc.constant(window), fc.integer({ min: 200, max: 64_000 })),
    }),
  );
}

/** Windows from 500 to 2 M tokens, evenly over the orders of magnitude. */
function windows(): fc.Arbitrary<number> {
  return fc.integer({ min: 0, max: 1000 }).map((share) => Math.round(500 * 4000 ** (share / 1000)));
}

/** The same summarizer for every call, or one that changes its mind; now and then none at all. */
function anyBehaviours(): fc.Arbitrary<readonly Behaviour[]> {
  const one = fc.constantFrom<Behaviour>('normal', 'normal', 'normal', 'snapshot', ...BEHAVIOURS);
  return fc.oneof(
    { weight: 1, arbitrary: fc.constant([]) },
    { weight: 5, arbitrary: fc.tuple(one) },
    { weight: 2, arbitrary: fc.array(one, { minLength: 2, maxLength: 4 }) },
  );
}

type Options = Readonly<Record<string, unknown>> & { readonly window: number };

function optionsOf(preset: PresetName, window: number): fc.Arbitrary<Options> {
  return fc.tuple(commonOptions(window), fc.record(ownOptions(preset), { requiredKeys: [] })).map(([common, own]) => ({
    window,
    ...common,
    ...own,
  }));
}

function commonOptions(window: number): fc.Arbitrary<Readonly<Record<string, unknown>>> {
  const none = fc.constant({});
  const share = (most: number): fc.Arbitrary<number> =>
    fc.integer({ min: 1, max: 100 }).map((percent) => Math.max(1, Math.floor((window * most * percent) / 100)));
  return fc
    .tuple(
      fc.oneof({ weight: 4, arbitrary: none }, { weight: 1, arbitrary: fc.record({ target: share(0.9) }) }),
      fc.oneof({ weight: 4, arbitrary: none }, { weight: 1, arbitrary: fc.record({ reserved: share(0.4) }) }),
      fc.oneof(
        { weight: 3, arbitrary: none },
        { weight: 1, arbitrary: fc.record({ summaryMaxTokens: fc.integer({ min: 16, max: 4000 }) }) },
      ),
    )
    .map(([target, reserved, cap]) => ({ ...target, ...reserved, ...cap }));
}

function ownOptions(preset: PresetName): Readonly<Record<string, fc.Arbitrary<unknown>>> {
  const ratio = fc.integer({ min: 5, max: 95 }).map((percent) => percent / 100);
  switch (preset) {
    case 'epitome':
      return {
        triggerShare: fc.oneof(ratio, fc.constant('off')),
        triggerTokens: fc.constantFrom('off', 500, 5000),
        keepTokens: fc.constantFrom('auto', 0, 100),
        mask: fc.boolean(),
        maskProtect: fc.constantFrom('auto', 0, 100),
        factTokens: fc.constantFrom('auto', 0, 100),
        redact: fc.boolean(),
      };
    case 'snapshot':
      return { threshold: ratio, overflowAt: ratio, keep: ratio };
    case 'deliberate':
      return {
        compressionTriggerTokens: fc.constantFrom(10_000, 40_000),
        compressionTriggerUtilization: fc.constantFrom(0.3, 0.5, 0.95),
        compressionMinMessagesSinceLastCompress: fc.constantFrom(5, 25),
        compressionStrategy: fc.constantFrom('since-last-prompt', 'percentage'),
        keep: ratio,
        minMessagesToCompact: fc.integer({ min: 1, max: 8 }),
      };
    case 'selective':
      return {
        tokenThreshold: fc.constantFrom(1, 200, 2000, 20_000),
        messageThreshold: fc.integer({ min: 1, max: 30 }),
        turnThreshold: fc.integer({ min: 1, max: 8 }),
        retentionWindow: fc.integer({ min: 0, max: 12 }),
        maxTokens: fc.integer({ min: 16, max: 2000 }),
        untilBelow: fc.boolean(),
      };
    case 'branch':
      return { triggerRatio: ratio, recentRatio: ratio, reuse: fc.constantFrom('strict', 'shared-cutoff') };
    case 'threshold':
      return {
        defaultFactor: fc.constantFrom(1, 2, 4),
        attempts: fc.integer({ min: 0, max: 4 }),
        fallbackChars: fc.integer({ min: 1, max: 400 }),
        summarizerShare: fc.constantFrom(0.5, 0.8, 1),
      };
    default:
      return preset satisfies never;
  }
}
