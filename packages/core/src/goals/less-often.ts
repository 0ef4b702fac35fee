import { type CheckInSettings, maximumOf } from './settings.ts';

/** How often a user has asked for fewer check-ins, over all sessions, and by what factor that made them rarer. */
export type Reductions = { readonly times: number; readonly cumulative: number };

/** Nobody has asked for fewer. */
export const NO_REDUCTIONS: Reductions = { times: 0, cumulative: 1 };

/** What "check in less often" changes. */
export type LessOften = {
  readonly multiplier: number;
  readonly tokens: { readonly before: number; readonly after: number };
  readonly messages: { readonly before: number; readonly after: number };
  readonly reductions: Reductions;
  /** Whether it is time to suggest turning the question off. */
  readonly suggestsTurningOff: boolean;
};

// Somebody who asked three times would rather not be asked.
const ENOUGH = 3;

/** Each threshold times the multiplier, rounded, up to the most its setting takes. */
export function lessOften(settings: CheckInSettings, before: Reductions = NO_REDUCTIONS): LessOften {
  const { compressionFrequencyMultiplier: multiplier } = settings;
  const grown = (key: 'compressionTriggerTokens' | 'compressionMinMessagesSinceLastCompress'): LessOften['tokens'] => {
    const { [key]: value } = settings;
    // 1.1 × 50 comes out a hair above 55: without the hair it rounds as on paper.
    const raised = Math.round(Math.round(value * multiplier * 1e6) / 1e6);
    return { before: value, after: Math.max(value, Math.min(raised, maximumOf(key))) };
  };
  const times = before.times + 1;
  return {
    multiplier,
    tokens: grown('compressionTriggerTokens'),
    messages: grown('compressionMinMessagesSinceLastCompress'),
    reductions: { times, cumulative: Math.round(before.cumulative * multiplier * 1e6) / 1e6 },
    suggestsTurningOff: times >= ENOUGH,
  };
}
