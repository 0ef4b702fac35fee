import { DELIBERATE_RULES, type DeliberateOptions } from '../presets/deliberate.ts';

/** The settings a check-in goes by, under their names in files. */
export type CheckInSettings = { readonly [Key in SettingName]: NonNullable<DeliberateOptions[Key]> };

type SettingName =
  | 'compressionStrategy'
  | 'compressionInteractive'
  | 'compressionPromptTimeout'
  | 'compressionTriggerTokens'
  | 'compressionMinMessagesSinceLastCompress'
  | 'compressionFrequencyMultiplier';

/** What they are where nobody set them. */
export const CHECK_IN_DEFAULTS: CheckInSettings = {
  compressionStrategy: 'since-last-prompt',
  compressionInteractive: true,
  compressionPromptTimeout: 30,
  compressionTriggerTokens: 40_000,
  compressionMinMessagesSinceLastCompress: 25,
  compressionFrequencyMultiplier: 1.5,
};

/** The most a setting takes. */
export function maximumOf(key: keyof CheckInSettings): number {
  const rule = DELIBERATE_RULES[key];
  return rule !== undefined && 'max' in rule && typeof rule.max === 'number' ? rule.max : Number.POSITIVE_INFINITY;
}
