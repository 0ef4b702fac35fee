import type { Finding } from '../model/finding.ts';
import type { Policy, Split, Trigger } from '../model/policy.ts';
import { type CommonOptions, commonPolicy, triggerAt } from './common.ts';
import { COMMON_RULES, type Filled, type OptionRules, readOptions } from './options.ts';

/** Options of `deliberate`: its settings by their names, and those of its splits. */
export type DeliberateOptions = CommonOptions & {
  /**
   * What a chosen goal keeps.
   * @default 'since-last-prompt'
   */
  readonly compressionStrategy?: 'since-last-prompt' | 'percentage' | undefined;
  /**
   * Whether the user is asked what they are working on.
   * @default true
   */
  readonly compressionInteractive?: boolean | undefined;
  /**
   * Seconds the question waits for an answer.
   * @default 30
   */
  readonly compressionPromptTimeout?: number | undefined;
  /**
   * Tokens of the request above which it checks in.
   * @default 40000
   */
  readonly compressionTriggerTokens?: number | undefined;
  /**
   * Share of the window at which compaction is required.
   * @default 0.5
   */
  readonly compressionTriggerUtilization?: number | undefined;
  /**
   * Prompts and replies there must be since the last compaction.
   * @default 25
   */
  readonly compressionMinMessagesSinceLastCompress?: number | undefined;
  /**
   * Seconds there must be since the last compaction.
   * @default 300
   */
  readonly compressionMinTimeBetweenPrompts?: number | undefined;
  /**
   * What "check in less often" multiplies the thresholds by.
   * @default 1.5
   */
  readonly compressionFrequencyMultiplier?: number | undefined;
  /** Deprecated name of `compressionTriggerUtilization`; the new name wins where both are given. */
  readonly 'model.compressionThreshold'?: number | undefined;
  /**
   * Share of the history the percentage split keeps.
   * @default 0.3
   */
  readonly keep?: number | undefined;
  /**
   * Fewer messages than this before the last prompt fall back to the percentage split.
   * @default 5
   */
  readonly minMessagesToCompact?: number | undefined;
};

const RULES = {
  ...COMMON_RULES,
  compressionStrategy: { kind: 'choice', values: ['since-last-prompt', 'percentage'], default: 'since-last-prompt' },
  compressionInteractive: { kind: 'boolean', default: true },
  compressionPromptTimeout: { kind: 'number', min: 10, max: 300, default: 30 },
  compressionTriggerTokens: { kind: 'integer', min: 10_000, max: 200_000, default: 40_000 },
  compressionTriggerUtilization: { kind: 'number', min: 0.3, max: 0.95, default: 0.5 },
  compressionMinMessagesSinceLastCompress: { kind: 'integer', min: 5, max: 100, default: 25 },
  compressionMinTimeBetweenPrompts: { kind: 'number', min: 60, max: 1800, default: 300 },
  compressionFrequencyMultiplier: { kind: 'number', min: 1.2, max: 3, default: 1.5 },
  'model.compressionThreshold': { kind: 'number', min: 0, max: 1, above: true },
  keep: { kind: 'number', min: 0, max: 1, above: true, below: true, default: 0.3 },
  minMessagesToCompact: { kind: 'integer', min: 1, max: 1000, default: 5 },
} as const satisfies OptionRules;

export const DELIBERATE_RULES: OptionRules = RULES;

/** Goal-focused compaction: checks in at 40,000 tokens behind guards, and always at half the window. */
export function deliberate(options: DeliberateOptions): Policy {
  const given = readOptions('deliberate', RULES, options);
  const { keep, minMessagesToCompact, compressionStrategy } = given;
  const share: Split = { kind: 'share', keep };
  const sincePrompt: Split = { kind: 'since-last-prompt', minMessages: minMessagesToCompact, keep };
  return {
    ...commonPolicy('deliberate', share, given),
    triggers: triggersOf(given, options),
    guards: {
      minMessages: given.compressionMinMessagesSinceLastCompress,
      minSeconds: given.compressionMinTimeBetweenPrompts,
    },
    waitsForCalls: true,
    goalSplit: compressionStrategy === 'percentage' ? share : sincePrompt,
    template: { kind: 'snapshot' },
    mustClear: ['utilization'],
    ...(options['model.compressionThreshold'] === undefined ? {} : { findings: [DEPRECATED] }),
  };
}

const DEPRECATED: Finding = {
  code: 'deprecated-option',
  detail: '`model.compressionThreshold` is deprecated; use `compressionTriggerUtilization`',
};

function triggersOf(
  given: Filled<DeliberateOptions, typeof RULES>,
  { compressionTriggerUtilization, 'model.compressionThreshold': old }: DeliberateOptions,
): readonly Trigger[] {
  const utilization = compressionTriggerUtilization ?? old ?? given.compressionTriggerUtilization;
  return [
    { ...triggerAt({ tokens: utilization * given.window }, 'utilization'), force: 'valve' },
    { ...triggerAt({ tokens: given.compressionTriggerTokens }, 'absolute-tokens'), fires: 'above', force: 'guarded' },
  ];
}
