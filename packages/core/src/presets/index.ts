import { CompactionError, shown } from '../model/errors.ts';
import type { Policy, PresetName } from '../model/policy.ts';
import { BRANCH_RULES, type BranchOptions, branch } from './branch.ts';
import { DELIBERATE_RULES, type DeliberateOptions, deliberate } from './deliberate.ts';
import { EPITOME_RULES, type EpitomeOptions, epitome } from './epitome.ts';
import type { OptionRules } from './options.ts';
import { SELECTIVE_RULES, type SelectiveOptions, selective } from './selective.ts';
import { SNAPSHOT_RULES, type SnapshotOptions, snapshot } from './snapshot.ts';
import { THRESHOLD_RULES, type ThresholdOptions, threshold } from './threshold.ts';

/** The presets, by name and by the system they come from: options in, a policy out. */
export const presets: Presets = {
  epitome,
  snapshot,
  deliberate,
  selective,
  branch,
  threshold,
  'gemini-cli': snapshot,
  forge: selective,
  onyx: branch,
  'context-guard': threshold,
};

/** Names of the systems the presets come from. */
export const PRESET_ALIASES = {
  'gemini-cli': 'snapshot',
  forge: 'selective',
  onyx: 'branch',
  'context-guard': 'threshold',
} as const;

/** The name of a system a preset comes from. */
export type PresetAlias = keyof typeof PRESET_ALIASES;

/** The preset an alias stands for. */
export type PresetOf<Alias extends PresetAlias> = (typeof PRESET_ALIASES)[Alias];

/** A preset by its name or by that of the system it comes from. */
export type PresetKey = PresetName | PresetAlias;

/** One function per preset, also by its alias. */
export type Presets = { readonly [Name in PresetName]: (options: PresetOptions[Name]) => Policy } & {
  readonly [Alias in PresetAlias]: (options: PresetOptions[PresetOf<Alias>]) => Policy;
};

/** Options by preset. */
export type PresetOptions = {
  readonly epitome: EpitomeOptions;
  readonly snapshot: SnapshotOptions;
  readonly deliberate: DeliberateOptions;
  readonly selective: SelectiveOptions;
  readonly branch: BranchOptions;
  readonly threshold: ThresholdOptions;
};

/** The rules of each preset's options, for tools that read options from text. */
export const PRESET_RULES: Readonly<Record<PresetName, OptionRules>> = {
  epitome: EPITOME_RULES,
  snapshot: SNAPSHOT_RULES,
  deliberate: DELIBERATE_RULES,
  selective: SELECTIVE_RULES,
  branch: BRANCH_RULES,
  threshold: THRESHOLD_RULES,
};

/** The preset's own name for a name or alias; an error that lists what there is for any other. */
export function presetNamed(name: string): PresetName {
  if (Object.hasOwn(PRESET_ALIASES, name)) return PRESET_ALIASES[name as PresetAlias];
  if (Object.hasOwn(presets, name)) return name as PresetName;
  const known = Object.keys(presets).join(', ');
  throw new CompactionError('unknown-preset', `There is no preset ${shown(name)}; there are ${known}.`);
}

/** A policy from a preset's name and its options, whatever their source. */
export function policyNamed(name: string, options: Readonly<Record<string, unknown>>): Policy {
  // Each preset checks its options at run time before it reads them.
  const preset = presets[presetNamed(name)] as (unchecked: Readonly<Record<string, unknown>>) => Policy;
  return preset(options);
}
