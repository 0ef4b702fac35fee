import type { Policy, Reuse } from '../model/policy.ts';
import { type CommonOptions, commonPolicy, triggerAt } from './common.ts';
import { COMMON_RULES, type OptionRules, readOptions } from './options.ts';

/** Options of `branch`. */
export type BranchOptions = CommonOptions & {
  /**
   * Share of the available window the history may take.
   * @default 0.75
   */
  readonly triggerRatio?: number | undefined;
  /**
   * Share of the history's tokens that is kept.
   * @default 0.2
   */
  readonly recentRatio?: number | undefined;
  /**
   * `shared-cutoff` also accepts a summary made on another branch if its cutoff is on this one.
   * @default 'strict'
   */
  readonly reuse?: Reuse | undefined;
};

const RULES = {
  ...COMMON_RULES,
  triggerRatio: { kind: 'number', min: 0, max: 1, above: true, default: 0.75 },
  recentRatio: { kind: 'number', min: 0, max: 1, above: true, below: true, default: 0.2 },
  reuse: { kind: 'choice', values: ['strict', 'shared-cutoff'], default: 'strict' },
} as const satisfies OptionRules;

export const BRANCH_RULES: OptionRules = RULES;

/** Onyx's chat history compression: progressive summaries that belong to a branch of the conversation. */
export function branch(options: BranchOptions): Policy {
  const given = readOptions('branch', RULES, options);
  const { triggerRatio, recentRatio, reuse } = given;
  return {
    ...commonPolicy('branch', { kind: 'recent-ratio', ratio: recentRatio }, given),
    triggers: [{ ...triggerAt({ ofAvailable: triggerRatio }, 'history-ratio', 'history'), fires: 'above' }],
    template: { kind: 'progressive' },
    mustClear: ['history-ratio'],
    reuse,
    showsRecent: true,
  };
}
