import { type OptionRule, PRESET_RULES, presetNamed } from 'epitome';
import { UsageError } from './errors.ts';

/** What both commands take, as the command line gave it. */
export type RunOptions = {
  readonly format?: string;
  readonly session?: string;
  readonly branch?: string;
  readonly live?: true;
  readonly preset?: string;
  /** A file with `compact:` blocks, and whose block of it. */
  readonly config?: string;
  readonly agent?: string;
  readonly model?: string;
  readonly window?: string;
  readonly target?: string;
  readonly set?: readonly string[];
  readonly goal?: string;
  readonly focus?: string;
  readonly force?: true;
  readonly system?: string;
  readonly tools?: string;
  readonly summarizer?: string;
  readonly summarizerWindow?: string;
  readonly timeout?: string;
  readonly quiet?: true;
};

/** Preset options by name; a `prompt` is still its text and not yet a function. */
export type PresetSettings = Readonly<Record<string, unknown>>;

/** Reads `key=value` settings by the preset's own rules. The preset itself says what is out of range. */
export function readSettings(preset: string, settings: readonly string[]): PresetSettings {
  const rules = PRESET_RULES[presetNamed(preset)];
  return Object.fromEntries(
    settings.map((setting) => {
      const at = setting.indexOf('=');
      if (at < 1) throw new UsageError(`--set takes key=value, not ${JSON.stringify(setting)}.`);
      const written = setting.slice(0, at).trim();
      const key = Object.hasOwn(rules, written) ? written : toCamelCase(written);
      const rule = Object.hasOwn(rules, key) ? rules[key] : undefined;
      return [rule === undefined ? written : key, parseValue(setting.slice(at + 1).trim(), rule)];
    }),
  );
}

/** A number of tokens such as `128000`, `128k` or `1m`; `undefined` where it is none. */
export function readAmount(text: string): number | undefined {
  const match = AMOUNT.exec(text.replaceAll('_', ''));
  if (match === null) return undefined;
  const unit = UNITS[match[2]?.toLowerCase() ?? ''] ?? 1;
  return Math.round(Number(match[1]) * unit * 1e6) / 1e6;
}

/** Reads the value of an option that must be more than zero. */
export function positive(option: string, text: string): number {
  const amount = readAmount(text);
  if (amount !== undefined && amount > 0) return amount;
  throw new UsageError(`${option} takes a number above zero, such as 128000 or 128k, not ${JSON.stringify(text)}.`);
}

/** Reads a number of seconds; units of amounts would be mistaken for minutes. */
export function seconds(option: string, text: string): number {
  const given = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : 0;
  if (given > 0) return given;
  throw new UsageError(`${option} takes a number of seconds above zero, such as 90, not ${JSON.stringify(text)}.`);
}

const AMOUNT = /^(-?\d+(?:\.\d+)?|-?\.\d+)([km]?)$/i;
const UNITS: Readonly<Record<string, number>> = { k: 1000, m: 1_000_000 };

/** The name of an option as code has it: configuration files write token_threshold for tokenThreshold. */
export function toCamelCase(key: string): string {
  return key.replace(/_+([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

// What cannot be read stays text: the preset's own error then names key, value and range.
function parseValue(text: string, rule: OptionRule | undefined): unknown {
  switch (rule?.kind) {
    case 'number':
    case 'integer':
    case 'auto-or-integer':
    case 'auto-off-or-integer':
    case 'off-or-integer':
    case 'off-or-number':
      return readAmount(text) ?? text;
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : text;
    case 'choice':
    case 'text':
    case 'function':
    case undefined:
      return text;
    default:
      return rule satisfies never;
  }
}
