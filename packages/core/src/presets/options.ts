import { CompactionError } from '../model/errors.ts';

/** What one option takes. `above` excludes the minimum itself. */
export type OptionRule =
  | {
      readonly kind: 'number';
      readonly min: number;
      readonly max: number;
      readonly above?: true;
      readonly below?: true;
    }
  | { readonly kind: 'integer'; readonly min: number; readonly max: number }
  | { readonly kind: 'choice'; readonly values: readonly string[] }
  | { readonly kind: 'auto-or-integer'; readonly min: number; readonly max: number }
  | { readonly kind: 'boolean' }
  | { readonly kind: 'text' }
  | { readonly kind: 'function' };

/** Rules by option name. */
export type OptionRules = Readonly<Record<string, OptionRule>>;

const MOST_TOKENS = 1_000_000_000;

/** Rule of an option that counts tokens. */
export const tokens = (min = 1): OptionRule => ({ kind: 'integer', min, max: MOST_TOKENS });

/** Options every preset takes. */
export const COMMON_RULES: OptionRules = {
  window: tokens(),
  target: tokens(),
  reserved: tokens(0),
  summaryMaxTokens: tokens(16),
};

/** Checks option names and values; the error names the key, the value and the range. */
export function checkOptions(preset: string, rules: OptionRules, given: Readonly<Record<string, unknown>>): void {
  for (const [key, value] of Object.entries(given)) {
    if (value === undefined) continue;
    const rule = Object.hasOwn(rules, key) ? rules[key] : undefined;
    if (rule === undefined) {
      const known = Object.keys(rules).join(', ');
      throw new CompactionError('unknown-option', `Preset ${preset} has no option \`${key}\`; it takes ${known}.`);
    }
    if (!fits(rule, value)) {
      throw new CompactionError(
        'option-out-of-range',
        `Option \`${key}\` of preset ${preset} is ${show(value)}; it takes ${describe(rule)}.`,
      );
    }
  }
}

function fits(rule: OptionRule, value: unknown): boolean {
  switch (rule.kind) {
    case 'number':
      return (
        typeof value === 'number' &&
        isWithin(rule, value) &&
        !(rule.above && value === rule.min) &&
        !(rule.below && value === rule.max)
      );
    case 'integer':
      return Number.isInteger(value) && isWithin(rule, Number(value));
    case 'auto-or-integer':
      return value === 'auto' || (Number.isInteger(value) && isWithin(rule, Number(value)));
    case 'choice':
      return typeof value === 'string' && rule.values.includes(value);
    case 'boolean':
      return typeof value === 'boolean';
    case 'text':
      return typeof value === 'string' && value !== '';
    case 'function':
      return typeof value === 'function';
    default:
      return rule satisfies never;
  }
}

function isWithin({ min, max }: { min: number; max: number }, value: number): boolean {
  return value >= min && value <= max;
}

function describe(rule: OptionRule): string {
  switch (rule.kind) {
    case 'number':
      return `a number ${rule.above ? 'above' : 'from'} ${rule.min} ${rule.below ? 'and below' : 'to'} ${rule.max}`;
    case 'integer':
      return `a whole number from ${rule.min} to ${rule.max}`;
    case 'auto-or-integer':
      return `auto or a whole number from ${rule.min} to ${rule.max}`;
    case 'choice':
      return `one of ${rule.values.join(', ')}`;
    case 'boolean':
      return 'true or false';
    case 'text':
      return 'a text that is not empty';
    case 'function':
      return 'a function';
    default:
      return rule satisfies never;
  }
}

function show(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value) : String(value);
}
