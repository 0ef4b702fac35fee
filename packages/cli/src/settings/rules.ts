import { type OptionRule, PRESET_RULES } from 'epitome';
import { z } from 'zod';

/** What a setting takes, in words. */
export function takes(rule: OptionRule): string {
  switch (rule.kind) {
    case 'choice':
      return rule.values.join(' or ');
    case 'boolean':
      return 'true or false';
    case 'text':
      return 'a text';
    case 'function':
      return 'a function';
    default: {
      const { min, max, above } = rule;
      const what = rule.kind.endsWith('integer') ? 'a whole number' : 'a number';
      return `${what} ${above ? 'above' : 'from'} ${min} to ${max}`;
    }
  }
}

/** The rule of one of `deliberate`'s options, which are settings under the same names. */
export function ruleOf(key: string): OptionRule {
  const rule = PRESET_RULES.deliberate[key];
  if (rule === undefined) throw new Error(`deliberate has no option ${key}`);
  return rule;
}

/** A number setting with the range and default of the option of that name. */
export function numberSetting(key: string, about: string): z.ZodOptional<z.ZodNumber> {
  const rule = ruleOf(key);
  if (!('min' in rule) || typeof rule.max !== 'number') throw new Error(`${key} is no number`);
  const whole = rule.kind.endsWith('integer') ? z.int() : z.number();
  const bounded = (rule.above ? whole.gt(rule.min) : whole.min(rule.min)).max(rule.max);
  return bounded.optional().meta(metaOf(key, about));
}

/** What is published about a setting. */
export function metaOf(key: string, about: string): { description: string; default?: unknown } {
  const rule = ruleOf(key);
  return { description: about, ...(rule.default === undefined ? {} : { default: rule.default }) };
}
