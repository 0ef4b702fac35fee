import type { Policy, Trigger } from '../model/policy.ts';
import { type CommonOptions, commonPolicy } from './common.ts';
import { COMMON_RULES, checkOptions, type OptionRules } from './options.ts';

/** Options of `snapshot`. */
export type SnapshotOptions = CommonOptions & {
  /**
   * Share of the window above which the request is compacted; 1 turns this trigger off.
   * @default 0.5
   */
  readonly threshold?: number;
  /**
   * Share of the window at which a request about to be sent is compacted; 1 turns this trigger off.
   * @default 0.95
   */
  readonly overflowAt?: number;
  /**
   * Share of the history that is kept.
   * @default 0.3
   */
  readonly keep?: number;
};

export const SNAPSHOT_RULES: OptionRules = {
  ...COMMON_RULES,
  threshold: { kind: 'number', min: 0, max: 1, above: true },
  overflowAt: { kind: 'number', min: 0, max: 1, above: true },
  keep: { kind: 'number', min: 0, max: 1, above: true, below: true },
};

/** Gemini CLI's chat compression: at half the window, keep the newest 30%, hand the rest over as a state snapshot. */
export function snapshot(options: SnapshotOptions): Policy {
  checkOptions('snapshot', SNAPSHOT_RULES, options);
  const { threshold = 0.5, overflowAt = 0.95, keep = 0.3 } = options;
  const common = commonPolicy('snapshot', options);
  const triggers: Trigger[] = [];
  if (threshold < 1) triggers.push(requestTrigger('threshold', threshold * common.window, 'above'));
  if (overflowAt < 1) triggers.push(requestTrigger('overflow', overflowAt * common.window, 'reached'));
  return {
    ...common,
    preset: 'snapshot',
    triggers,
    split: { kind: 'share', keep },
    goalSplit: { kind: 'share', keep },
    template: { kind: 'snapshot' },
    handover: { role: 'user', acknowledge: 'before-user' },
    mustClear: ['threshold', 'overflow'],
  };
}

function requestTrigger(reason: Trigger['reason'], limit: number, fires: Trigger['fires']): Trigger {
  return {
    measure: 'request',
    limit: { tokens: limit },
    fires,
    reason,
    force: reason === 'overflow' ? 'valve' : 'plain',
  };
}
