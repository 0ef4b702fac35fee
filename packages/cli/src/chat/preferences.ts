import { homedir } from 'node:os';
import { presets } from 'epitome';
import { CHECK_IN_DEFAULTS, NO_REDUCTIONS } from 'epitome/goals';
import type { Environment } from '../models/provider.ts';
import { readBlockFile } from '../settings/block-file.ts';
import { settingsPlaces } from '../settings/places.ts';
import { type Policies, policiesOf, settingNotes } from '../settings/policies.ts';
import { openSettings } from '../settings/settings.ts';
import type { TelemetryChoice } from '../telemetry/telemetry.ts';
import type { ChatOptions } from './options.ts';
import { type McpServer, mcpServersIn } from './tools/mcp.ts';

/** Where a chat is begun. */
export type Place = { readonly folder: string; readonly env: Environment };

/** What the user's settings say of chats. */
export type Preferences = {
  readonly policies: Policies;
  readonly model?: string;
  readonly window?: number;
  /** Who writes summaries; absent: the chat's own model. */
  readonly summarizer?: string;
  readonly disabledTools: readonly string[];
  readonly mcpServers: readonly McpServer[];
  readonly telemetry: TelemetryChoice;
  readonly notes: readonly string[];
};

/** Reads the settings of the user and of the project; a file that was named has its own blocks. */
export async function readPreferences(
  { folder, env }: Place,
  { config, agent }: Pick<ChatOptions, 'config' | 'agent'> = {},
): Promise<Preferences> {
  const settings = openSettings(settingsPlaces({ folder, env, platform: process.platform, home: homedir() }));
  const loaded = await settings.read();
  const textOf = (key: string): string | undefined => {
    const { value } = loaded.get(key);
    return typeof value === 'string' ? value : undefined;
  };
  const [model, summarizer, file] = [textOf('model.name'), textOf('summarizer'), textOf('telemetry.file')];
  const { value: window } = loaded.get('model.window');
  const { value: disabled } = loaded.get('tools.disabled');
  return {
    policies: policiesOf(settings, {
      ...(agent === undefined ? {} : { agent }),
      ...(config === undefined ? {} : { blocks: await readBlockFile(config) }),
    }),
    ...(model === undefined ? {} : { model }),
    ...(typeof window === 'number' ? { window } : {}),
    ...(summarizer === undefined || summarizer === 'model' ? {} : { summarizer }),
    disabledTools: Array.isArray(disabled) ? disabled.map(String) : [],
    mcpServers: mcpServersIn(loaded.user.mcpServers ?? {}, settings.places.user),
    telemetry: { file, openTelemetry: loaded.get('telemetry.openTelemetry').value === true },
    notes: settingNotes(loaded),
  };
}

/** Preferences that nobody set and that last as long as the chat. */
export function passingPreferences(): Preferences {
  let [settings, reductions] = [CHECK_IN_DEFAULTS, NO_REDUCTIONS];
  return {
    disabledTools: [],
    mcpServers: [],
    telemetry: {},
    notes: [],
    policies: {
      settings: async () => settings,
      reductions: async () => reductions,
      policy: async (window) => {
        const policy = presets.deliberate({ window, ...settings });
        return { ...policy, keeps: { factTokens: Math.floor(policy.summaryMaxTokens / 4), redacts: true } };
      },
      show: async () => Object.entries(settings).map(([key, value]) => `${key}: ${value}`),
      set: async () => ['Nothing is kept in a demo; epitome config sets settings.'],
      save: async (changes, more) => {
        settings = { ...settings, ...changes };
        reductions = more ?? reductions;
      },
    },
  };
}
