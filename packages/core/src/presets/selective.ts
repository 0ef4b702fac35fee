import type { Prompt } from '../model/brief.ts';
import type { Policy, Split, Trigger } from '../model/policy.ts';
import { type CommonOptions, commonPolicy } from './common.ts';
import { COMMON_RULES, checkOptions, type OptionRules, tokens } from './options.ts';

/** Options of `selective`. */
export type SelectiveOptions = CommonOptions & {
  /**
   * Tokens of the request at which a run is compacted.
   * @default 60000
   */
  readonly tokenThreshold?: number;
  /** Messages at which a run is compacted; off unless set. */
  readonly messageThreshold?: number;
  /** Prompts at which a run is compacted; off unless set. */
  readonly turnThreshold?: number;
  /**
   * Newest messages that are never compacted.
   * @default 6
   */
  readonly retentionWindow?: number;
  /**
   * Length a run's summary is asked to have, in tokens.
   * @default 2000
   */
  readonly maxTokens?: number;
  /**
   * Tag whose content is the summary, where the model writes it.
   * @default 'summary'
   */
  readonly summaryTag?: string;
  /** Builds the prompt in place of the built-in one. */
  readonly prompt?: Prompt;
  /** Model the summarizer is asked to use. */
  readonly model?: string;
  /**
   * Whether one call compacts runs until the thresholds are no longer reached.
   * @default false
   */
  readonly untilBelow?: boolean;
};

export const SELECTIVE_RULES: OptionRules = {
  ...COMMON_RULES,
  tokenThreshold: tokens(),
  messageThreshold: { kind: 'integer', min: 1, max: 1_000_000 },
  turnThreshold: { kind: 'integer', min: 1, max: 1_000_000 },
  retentionWindow: { kind: 'integer', min: 0, max: 1_000_000 },
  maxTokens: tokens(16),
  summaryTag: { kind: 'text' },
  prompt: { kind: 'function' },
  model: { kind: 'text' },
  untilBelow: { kind: 'boolean' },
};

/** Forge's compaction: the earliest run of assistant and tool messages becomes one assistant message; users stay. */
export function selective(options: SelectiveOptions): Policy {
  checkOptions('selective', SELECTIVE_RULES, options);
  const { retentionWindow = 6, summaryTag = 'summary', untilBelow = false } = options;
  const split: Split = { kind: 'earliest-run', retain: retentionWindow, runs: untilBelow ? 'until-below' : 'one' };
  return {
    ...commonPolicy('selective', options),
    preset: 'selective',
    triggers: triggersOf(options),
    split,
    goalSplit: split,
    template: { kind: 'tagged', tag: summaryTag },
    handover: { role: 'assistant' },
    summaryMaxTokens: options.summaryMaxTokens ?? options.maxTokens ?? 2000,
    mustClear: [],
    // Runs are taken one by one, so the next check may follow at once.
    waitsForGrowth: false,
    ...(options.prompt === undefined ? {} : { prompt: options.prompt }),
    ...(options.model === undefined ? {} : { model: options.model }),
  };
}

function triggersOf(options: SelectiveOptions): readonly Trigger[] {
  const reached = { fires: 'reached', force: 'plain' } as const;
  const { tokenThreshold = 60_000, messageThreshold, turnThreshold } = options;
  const triggers: Trigger[] = [
    { ...reached, measure: 'request', limit: { tokens: tokenThreshold }, reason: 'token-threshold' },
  ];
  if (messageThreshold !== undefined) {
    triggers.push({ ...reached, measure: 'messages', limit: { count: messageThreshold }, reason: 'message-threshold' });
  }
  if (turnThreshold !== undefined) {
    triggers.push({ ...reached, measure: 'turns', limit: { count: turnThreshold }, reason: 'turn-threshold' });
  }
  return triggers;
}
