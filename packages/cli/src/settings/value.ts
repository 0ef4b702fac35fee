import { parse } from 'yaml';
import { UsageError } from '../errors.ts';
import { readAmount } from '../options.ts';
import { outOfRange } from './document.ts';
import type { SettingKey } from './keys.ts';

/** Reads a value as somebody types it: YAML, and amounts such as 60k. Checked; an error names key, value and range. */
export function readValue(setting: SettingKey, text: string): unknown {
  const candidates = [yamlOf(text), readAmount(text.trim()), text.trim()];
  const value = candidates.find(setting.check);
  if (value !== undefined) return value;
  throw new UsageError(outOfRange(setting, yamlOf(text) ?? text));
}

/** A value as it is shown: texts as they are, lists and mappings as JSON. */
export function showValue(value: unknown): string {
  if (value === undefined) return 'not set';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function yamlOf(text: string): unknown {
  try {
    return parse(text) ?? undefined;
  } catch {
    return undefined;
  }
}
