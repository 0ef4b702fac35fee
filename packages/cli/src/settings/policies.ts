import { type Policy, PRESET_RULES, presets } from 'epitome';
import { CHECK_IN_DEFAULTS, type CheckInSettings, type Reductions } from 'epitome/goals';
import { type BlockSource, blockOf, blockPolicy } from './blocks.ts';
import { requireSetting } from './document.ts';
import type { Scope } from './places.ts';
import type { Loaded, SettingChanges, Settings } from './settings.ts';
import { readValue, showValue } from './value.ts';

/** How a chat is compacted, by settings that may change while it runs. */
export type Policies = {
  readonly settings: () => Promise<CheckInSettings>;
  readonly policy: (window: number) => Promise<Policy>;
  /** How often fewer check-ins were asked for. */
  readonly reductions: () => Promise<Reductions>;
  /** The settings as lines, and one set for good; both answer in sentences. */
  readonly show: () => Promise<readonly string[]>;
  readonly set: (key: string, value: string) => Promise<readonly string[]>;
  /** Saves what a choice changed, where it takes effect. */
  readonly save: (changes: Partial<CheckInSettings>, reductions?: Reductions) => Promise<void>;
};

/** Which blocks of the settings apply. */
export type PolicyChoice = {
  /** Whose `compact:` block, beside the global one. */
  readonly agent?: string;
  /** A file whose blocks count instead of those of the settings. */
  readonly blocks?: BlockSource;
};

/** Policies that follow the settings as they are at each call. */
export function policiesOf(settings: Settings, { agent, blocks }: PolicyChoice = {}): Policies {
  const read = lastGood(settings);
  return {
    settings: async () => checkInSettings(await read()),
    policy: async (window) => {
      const loaded = await read();
      const block = blockOf(blocks === undefined ? blockSources(settings, loaded) : [blocks], agent);
      return block === undefined ? deliberatePolicy(loaded, window) : blockPolicy(block, window);
    },
    reductions: async () => reductionsOf(await read()),
    show: async () => (await settings.read()).all.map(({ setting, value }) => `${setting.key}: ${showValue(value)}`),
    set: async (key, text) => {
      const setting = requireSetting(key);
      const value = readValue(setting, text);
      const scope = decidingScope(await read(), key);
      await settings.change(scope, { [key]: value });
      return [`${key} is now ${showValue(value)}, saved in ${settings.places[scope]}.`];
    },
    save: async (changes, reductions) => {
      const counted = reductions === undefined ? {} : countsOf(reductions);
      await saveWhereItCounts(settings, { ...changes, ...counted });
    },
  };
}

/** Reads the settings; a file that somebody breaks while they are in use does not stop what is under way. */
function lastGood({ read }: Settings): () => Promise<Loaded> {
  let good: Loaded | undefined;
  return async () => {
    try {
      good = await read();
    } catch (cause) {
      if (good === undefined) throw cause;
    }
    return good;
  };
}

function checkInSettings({ get }: Loaded): CheckInSettings {
  const keys = Object.keys(CHECK_IN_DEFAULTS).map((key) => [key, get(key).value]);
  return { ...CHECK_IN_DEFAULTS, ...Object.fromEntries(keys) };
}

const TIMES = 'checkIns.timesLessOften';
const CUMULATIVE = 'checkIns.cumulativeReduction';

function reductionsOf({ get }: Loaded): Reductions {
  return { times: Number(get(TIMES).value), cumulative: Number(get(CUMULATIVE).value) };
}

function countsOf({ times, cumulative }: Reductions): SettingChanges {
  return { [TIMES]: Math.min(times, 1_000_000), [CUMULATIVE]: Math.min(cumulative, 1e12) };
}

/** A project's value would win over what is saved elsewhere: then it is saved in the project. */
async function saveWhereItCounts(settings: Settings, changes: SettingChanges): Promise<void> {
  const loaded = await settings.read();
  for (const scope of ['user', 'project'] as const) {
    const own = Object.entries(changes).filter(([key]) => decidingScope(loaded, key) === scope);
    if (own.length > 0) await settings.change(scope, Object.fromEntries(own));
  }
}

function decidingScope({ get }: Loaded, key: string): Scope {
  return get(key).from === 'project' ? 'project' : 'user';
}

function blockSources({ places }: Settings, { user, project }: Loaded): readonly BlockSource[] {
  return [
    { file: places.user, compact: user.compact, agents: user.agents },
    { file: places.project, compact: project.compact, agents: project.agents },
  ];
}

/** The preset `deliberate` by the settings, with exact facts behind its summaries, which chats have room for. */
function deliberatePolicy({ all }: Loaded, window: number): Policy {
  const given = all.filter(({ setting, from }) => from !== 'default' && setting.key in PRESET_RULES.deliberate);
  const options = Object.fromEntries(given.map(({ setting, value }) => [setting.key, value]));
  // Whoever opens the settings says once that a name is deprecated.
  const { findings: _, ...policy } = presets.deliberate({ window, ...options });
  return { ...policy, keeps: { factTokens: Math.floor(policy.summaryMaxTokens / 4), redacts: true } };
}

/** Sentences about settings that work but should be written otherwise. */
export function settingNotes({ get }: Loaded): readonly string[] {
  if (get('model.compressionThreshold').from === 'default') return [];
  const isUsed = get('compressionTriggerUtilization').from === 'default';
  const rest = isUsed ? 'it still holds' : 'compressionTriggerUtilization holds instead';
  return [`model.compressionThreshold is deprecated, ${rest}; use compressionTriggerUtilization.`];
}
