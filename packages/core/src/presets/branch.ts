import type { Policy, Reuse } from '../model/policy.ts';
import { type CommonOptions, commonPolicy } from './common.ts';
import { COMMON_RULES, checkOptions, type OptionRules } from './options.ts';

/** Options of `branch`. */
export type BranchOptions = CommonOptions & {
  /**
   * Share of the available window the history may take.
   * @default 0.75
   */
  readonly triggerRatio?: number;
  /**
   * Share of the history's tokens that is kept.
   * @default 0.2
   */
  readonly recentRatio?: number;
  /**
   * `shared-cutoff` also accepts a summary made on another branch if its cutoff is on this one.
   * @default 'strict'
   */
  readonly reuse?: Reuse;
};

export const BRANCH_RULES: OptionRules = {
  ...COMMON_RULES,
  triggerRatio: { kind: 'number', min: 0, max: 1, above: true },
  recentRatio: { kind: 'number', min: 0, max: 1, above: true, below: true },
  reuse: { kind: 'choice', values: ['strict', 'shared-cutoff'] },
};

/** Onyx's chat history compression: progressive summaries that belong to a branch of the conversation. */
export function branch(options: BranchOptions): Policy {
  checkOptions('branch', BRANCH_RULES, options);
  const { triggerRatio = 0.75, recentRatio = 0.2, reuse = 'strict' } = options;
  return {
    ...commonPolicy('branch', options),
    preset: 'branch',
    triggers: [
      {
        measure: 'history',
        limit: { ofAvailable: triggerRatio },
        fires: 'above',
        reason: 'history-ratio',
        force: 'plain',
      },
    ],
    split: { kind: 'recent-ratio', ratio: recentRatio },
    goalSplit: { kind: 'recent-ratio', ratio: recentRatio },
    template: { kind: 'progressive' },
    handover: { role: 'user', acknowledge: 'before-user' },
    mustClear: ['history-ratio'],
    reuse,
    showsRecent: true,
  };
}
