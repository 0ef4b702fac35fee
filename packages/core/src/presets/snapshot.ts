import type { Policy } from '../model/policy.ts';
import { type CommonOptions, commonPolicy, triggerAt } from './common.ts';
import { COMMON_RULES, type OptionRules, readOptions } from './options.ts';

/** Options of `snapshot`. */
export type SnapshotOptions = CommonOptions & {
  /**
   * Share of the window above which the request is compacted; 1 turns this trigger off.
   * @default 0.5
   */
  readonly threshold?: number | undefined;
  /**
   * Share of the window at which a request about to be sent is compacted; 1 turns this trigger off.
   * @default 0.95
   */
  readonly overflowAt?: number | undefined;
  /**
   * Share of the history that is kept.
   * @default 0.3
   */
  readonly keep?: number | undefined;
};

const RULES = {
  ...COMMON_RULES,
  threshold: { kind: 'number', min: 0, max: 1, above: true, default: 0.5 },
  overflowAt: { kind: 'number', min: 0, max: 1, above: true, default: 0.95 },
  keep: { kind: 'number', min: 0, max: 1, above: true, below: true, default: 0.3 },
} as const satisfies OptionRules;

export const SNAPSHOT_RULES: OptionRules = RULES;

/** Gemini CLI's chat compression: at half the window, keep the newest 30%, hand the rest over as a state snapshot. */
export function snapshot(options: SnapshotOptions): Policy {
  const given = readOptions('snapshot', RULES, options);
  const { window, threshold, overflowAt, keep } = given;
  const triggers = [
    { ...triggerAt({ tokens: threshold * window }, 'threshold'), fires: 'above' },
    { ...triggerAt({ tokens: overflowAt * window }, 'overflow'), force: 'valve' },
  ] as const;
  return {
    ...commonPolicy('snapshot', { kind: 'share', keep }, given),
    // At the window itself nothing can be sent any more: 1 turns a trigger off.
    triggers: triggers.filter(({ limit }) => limit.tokens < window),
    template: { kind: 'snapshot' },
    mustClear: ['threshold', 'overflow'],
  };
}
