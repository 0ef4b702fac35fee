/** A provider's real prompt tokens beside our estimate of that same request. */
export type Calibration = { readonly real: number; readonly heuristic: number };

/** How an estimate is corrected: the factor before any real count, and the most a real count may correct. */
export type CorrectionRule = { readonly defaultFactor: number; readonly maxFactor: number };

/** For meters that are right on average: no correction until usage is reported. */
export const PLAIN_RULE: CorrectionRule = { defaultFactor: 1, maxFactor: 5 };

/** Factor between the estimate and real tokens, clamped to 1..max: a correction never makes a request look smaller. */
export function correctionFactor(calibration: Calibration | undefined, rule: CorrectionRule): number {
  if (calibration === undefined || !(calibration.heuristic > 0) || !(calibration.real > 0)) return rule.defaultFactor;
  return Math.min(Math.max(calibration.real / calibration.heuristic, 1), rule.maxFactor);
}
