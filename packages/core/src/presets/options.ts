import { CompactionError, shown } from '../model/errors.ts';
import { firstCodePoints } from '../model/text.ts';

/** What one option takes, and what it is where it is not given. `above` and `below` leave the end of the range out. */
export type OptionRule = { readonly default?: number | string | boolean } & (
  | NumberRule
  | { readonly kind: 'choice'; readonly values: readonly string[] }
  | { readonly kind: 'boolean' }
  | { readonly kind: 'text'; readonly tag?: true }
  | { readonly kind: 'function' }
);

type NumberRule = {
  readonly kind: 'number' | 'integer' | 'auto-or-integer' | 'off-or-integer' | 'auto-off-or-integer' | 'off-or-number';
  readonly min: number;
  /** `window`: less than the window is. */
  readonly max: number | 'window';
  readonly above?: true;
  readonly below?: true;
};

/** Rules by option name. */
export type OptionRules = Readonly<Record<string, OptionRule>>;

/** Options every preset takes; more tokens than a billion are a mistake. */
export const COMMON_RULES = {
  window: { kind: 'integer', min: 1, max: 1_000_000_000 },
  target: { kind: 'off-or-integer', min: 1, max: 1_000_000_000 },
  reserved: { kind: 'integer', min: 0, max: 'window', default: 0 },
  summaryMaxTokens: { kind: 'off-or-integer', min: 16, max: 1_000_000_000 },
} as const;

/** Options of which those with a default are there. */
export type Filled<Options, Rules> = Options & {
  readonly [Key in keyof Options & keyof Rules as Rules[Key] extends { readonly default: unknown }
    ? Key
    : never]-?: NonNullable<Options[Key]>;
};

// Of a value that was given; a prompt may be as long as a page.
const MOST_SHOWN = 60;

/** Checks option names and values, and fills defaults in; an error names the key, the value and the range. */
export function readOptions<Options extends Readonly<Record<string, unknown>>, Rules extends OptionRules>(
  preset: string,
  rules: Rules,
  options: Options,
): Filled<Options, Rules> {
  const given: Readonly<Record<string, unknown>> = { ...options };
  const unknown = Object.keys(given).find((key) => given[key] !== undefined && !Object.hasOwn(rules, key));
  if (unknown !== undefined) {
    const known = Object.keys(rules).join(', ');
    const value = firstCodePoints(shown(given[unknown]), MOST_SHOWN);
    throw new CompactionError(
      'unknown-option',
      `Preset ${preset} has no option \`${unknown}\` (given as ${value}); it takes ${known}.`,
    );
  }
  const { window } = given;
  if (window === undefined) {
    throw new CompactionError(
      'missing-window',
      `Preset ${preset} needs \`window\`, the model's context window in tokens.`,
    );
  }
  // The window comes first among the rules: what is measured by it can rely on it.
  const filled = Object.entries(rules).map(([key, rule]) => {
    const { [key]: value = rule.default } = given;
    const wanted = value === undefined ? undefined : wantedBy(rule, value, window);
    if (wanted === undefined) return [key, value];
    throw new CompactionError(
      'option-out-of-range',
      `Option \`${key}\` of preset ${preset} is ${shown(value)}; it takes ${wanted}.`,
    );
  });
  return Object.fromEntries(filled) as Filled<Options, Rules>;
}

const TAG = /^[\w-]{1,64}$/;

/** What a rule takes, in words, where the value is none of it. */
function wantedBy(rule: OptionRule, value: unknown, window: unknown): string | undefined {
  switch (rule.kind) {
    case 'choice':
      return rule.values.some((known) => known === value) ? undefined : `one of ${rule.values.join(', ')}`;
    case 'boolean':
      return typeof value === 'boolean' ? undefined : 'true or false';
    case 'text':
      if (typeof value === 'string' && (rule.tag ? TAG.test(value) : value !== '')) return undefined;
      return rule.tag ? 'a name of 1 to 64 letters, digits, - and _' : 'a text, not empty';
    case 'function':
      return typeof value === 'function' ? undefined : 'a function';
    default:
      return numberWantedBy(rule, value, window);
  }
}

function numberWantedBy(rule: NumberRule, value: unknown, window: unknown): string | undefined {
  const { kind, min, above, below } = rule;
  const max = rule.max === 'window' ? Number(window) - 1 : rule.max;
  const [words = '', number = words] = kind.split('-or-');
  const names = words === number ? [] : words.split('-');
  if (names.some((name) => name === value)) return undefined;
  const isWhole = number === 'integer';
  const isKind = typeof value === 'number' && (!isWhole || Number.isInteger(value));
  if (isKind && (above ? value > min : value >= min) && (below ? value < max : value <= max)) return undefined;
  const what = `${names.map((name) => `${name} or `).join('')}a ${isWhole ? 'whole ' : ''}number`;
  return `${what} ${above ? 'above' : 'from'} ${min} ${below ? 'and below' : 'to'} ${max}`;
}
