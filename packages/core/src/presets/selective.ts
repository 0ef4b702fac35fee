import type { Prompt } from '../model/brief.ts';
import type { Policy, Split, Trigger } from '../model/policy.ts';
import { type CommonOptions, commonPolicy, triggerAt } from './common.ts';
import { COMMON_RULES, type Filled, type OptionRules, readOptions } from './options.ts';

/** Options of `selective`. */
export type SelectiveOptions = CommonOptions & {
  /**
   * Tokens of the request at which a run is compacted.
   * @default 60000
   */
  readonly tokenThreshold?: number | undefined;
  /** Messages at which a run is compacted; off unless set. */
  readonly messageThreshold?: number | undefined;
  /** Prompts at which a run is compacted; off unless set. */
  readonly turnThreshold?: number | undefined;
  /**
   * Newest messages that are never compacted.
   * @default 6
   */
  readonly retentionWindow?: number | undefined;
  /**
   * Length a run's summary is asked to have, in tokens.
   * @default 2000
   */
  readonly maxTokens?: number | undefined;
  /**
   * Tag whose content is the summary, where the model writes it.
   * @default 'summary'
   */
  readonly summaryTag?: string | undefined;
  /** Builds the prompt in place of the built-in one. */
  readonly prompt?: Prompt | undefined;
  /** Model the summarizer is asked to use. */
  readonly model?: string | undefined;
  /**
   * Whether one call compacts runs until the thresholds are no longer reached.
   * @default false
   */
  readonly untilBelow?: boolean | undefined;
};

const RULES = {
  ...COMMON_RULES,
  tokenThreshold: { kind: 'integer', min: 1, max: 1_000_000_000, default: 60_000 },
  messageThreshold: { kind: 'integer', min: 1, max: 1_000_000 },
  turnThreshold: { kind: 'integer', min: 1, max: 1_000_000 },
  retentionWindow: { kind: 'integer', min: 0, max: 1_000_000, default: 6 },
  maxTokens: { kind: 'integer', min: 16, max: 1_000_000_000, default: 2000 },
  summaryTag: { kind: 'text', tag: true, default: 'summary' },
  prompt: { kind: 'function' },
  model: { kind: 'text' },
  untilBelow: { kind: 'boolean', default: false },
} as const satisfies OptionRules;

export const SELECTIVE_RULES: OptionRules = RULES;

/** Forge's compaction: the earliest run of assistant and tool messages becomes one assistant message; users stay. */
export function selective(options: SelectiveOptions): Policy {
  const given = readOptions('selective', RULES, options);
  const { retentionWindow, summaryTag, untilBelow, prompt, model } = given;
  const split: Split = { kind: 'earliest-run', retain: retentionWindow, runs: untilBelow ? 'until-below' : 'one' };
  return {
    ...commonPolicy('selective', split, { ...given, summaryMaxTokens: given.summaryMaxTokens ?? given.maxTokens }),
    triggers: triggersOf(given),
    template: { kind: 'tagged', tag: summaryTag },
    handover: { role: 'assistant' },
    mustClear: [],
    // Runs are taken one by one, so the next check may follow at once.
    waitsForGrowth: false,
    ...(prompt === undefined ? {} : { prompt }),
    ...(model === undefined ? {} : { model }),
  };
}

function triggersOf(given: Filled<SelectiveOptions, typeof RULES>): readonly Trigger[] {
  const { window, reserved, tokenThreshold, messageThreshold: messages, turnThreshold: turns } = given;
  const triggers: Trigger[] = [triggerAt({ tokens: tokenThreshold }, 'token-threshold')];
  if (messages !== undefined) triggers.push(triggerAt({ count: messages }, 'message-threshold', 'messages'));
  if (turns !== undefined) triggers.push(triggerAt({ count: turns }, 'turn-threshold', 'turns'));
  // Thresholds may lie beyond a small window, and no request can.
  return [...triggers, { ...triggerAt({ tokens: window - reserved }, 'overflow'), fires: 'above' }];
}
