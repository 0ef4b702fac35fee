import { z } from 'zod';
import { nearest } from '../nearest.ts';
import { ruleOf, takes } from './rules.ts';
import { SETTINGS_SHAPE } from './schema.ts';

/** One setting, as it is listed, set and explained. */
export type SettingKey = {
  /** With dots where it is nested, such as `model.name`. */
  readonly key: string;
  readonly path: readonly string[];
  readonly about: string;
  readonly takes: string;
  readonly default?: unknown;
  /** `user`: a project may not decide it, because it starts programs or tells where data goes. */
  readonly scope: 'any' | 'user';
  readonly check: (value: unknown) => boolean;
};

// A cloned project must not start programs, send data elsewhere or write files by its mere presence.
const OF_THE_USER: ReadonlySet<string> = new Set(['mcpServers', 'telemetry.file', 'telemetry.openTelemetry']);

const TAKES: Readonly<Record<string, string>> = {
  'model.name': 'PROVIDER/MODEL',
  'model.window': 'a whole number from 1000 to 1000000000',
  summarizer: 'model, mechanical or PROVIDER/MODEL',
  'tools.disabled': 'a list of names',
  mcpServers: 'names with {command, args, env} or {url, headers}',
  'telemetry.file': 'a path',
  'telemetry.openTelemetry': 'true or false',
  'checkIns.timesLessOften': 'a whole number from 0 to 1000000',
  'checkIns.cumulativeReduction': 'a number from 1 to 1000000000000',
  compact: 'a preset and its options, such as {token_threshold: 60000}',
  agents: 'names with {compact: …}, or a list with ids',
};

/** All settings, in the order of the file. */
export const SETTING_KEYS: readonly SettingKey[] = leaves(SETTINGS_SHAPE, []);

/** The setting of that name. */
export function settingNamed(name: string): SettingKey | undefined {
  return SETTING_KEYS.find(({ key }) => key === name);
}

/** The setting whose name is near one that does not exist. */
export function nearKey(name: string): string | undefined {
  const keys = SETTING_KEYS.map(({ key }) => key);
  return nearest(name, keys, Math.max(2, Math.floor(name.length / 3)));
}

type Shape = Readonly<Record<string, z.ZodType>>;

function leaves(shape: Shape, above: readonly string[]): readonly SettingKey[] {
  return Object.entries(shape).flatMap(([name, schema]) => {
    const path = [...above, name];
    const inner = schema instanceof z.ZodOptional ? schema.unwrap() : schema;
    if (inner instanceof z.ZodObject) return leaves(inner.shape, path);
    return [keyOf(path, schema)];
  });
}

function keyOf(path: readonly string[], schema: z.ZodType): SettingKey {
  const key = path.join('.');
  const { description = '', default: standard } = schema.meta() ?? {};
  return {
    key,
    path,
    about: description,
    takes: TAKES[key] ?? takes(ruleOf(key)),
    ...(standard === undefined ? {} : { default: standard }),
    scope: OF_THE_USER.has(key) ? 'user' : 'any',
    check: (value) => value !== undefined && schema.safeParse(value).success,
  };
}
