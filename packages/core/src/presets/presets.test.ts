import { describe, expect, test } from 'vitest';
import { isCompactionError } from '../model/errors.ts';
import { PRESET_NAMES } from '../model/policy.ts';
import { PRESET_ALIASES, PRESET_RULES, policyNamed, presets } from './index.ts';
import type { OptionRule } from './options.ts';

const window = 100_000;

function errorOf(name: string, options: Readonly<Record<string, unknown>>): string {
  try {
    policyNamed(name, options);
    return '';
  } catch (error) {
    return isCompactionError(error) ? `${error.code}: ${error.message}` : String(error);
  }
}

const TAGS = ['two words', '<summary>', 'a>b', 'a/b', '$&', 'x'.repeat(65)];

function mostOf({ max }: Extract<OptionRule, { readonly max: unknown }>): number {
  return max === 'window' ? window - 1 : max;
}

/** Values inside and outside a rule's range. */
function samples(rule: OptionRule): { good: readonly unknown[]; bad: readonly unknown[] } {
  switch (rule.kind) {
    case 'number': {
      const max = mostOf(rule);
      return {
        good: [(rule.min + max) / 2, ...(rule.above ? [] : [rule.min]), ...(rule.below ? [] : [max])],
        bad: [
          rule.min - 0.1,
          max + 0.1,
          Number.NaN,
          '1',
          ...(rule.above ? [rule.min] : []),
          ...(rule.below ? [max] : []),
        ],
      };
    }
    case 'integer':
      return { good: [rule.min, mostOf(rule)], bad: [rule.min - 1, mostOf(rule) + 1, rule.min + 0.5, '10', null] };
    case 'off-or-number':
      return { good: ['off', 0.5, mostOf(rule)], bad: [rule.min, mostOf(rule) + 0.1, 'none', '1'] };
    case 'off-or-integer':
      return { good: ['off', rule.min, mostOf(rule)], bad: [rule.min - 1, mostOf(rule) + 1, 'none', 1.5] };
    case 'auto-or-integer':
      return { good: ['auto', rule.min, mostOf(rule)], bad: [rule.min - 1, mostOf(rule) + 1, 'none', 1.5] };
    case 'auto-off-or-integer':
      return { good: ['auto', 'off', rule.min, mostOf(rule)], bad: [rule.min - 1, mostOf(rule) + 1, 'none', 1.5] };
    case 'choice':
      return { good: rule.values, bad: ['other', 1, ''] };
    case 'boolean':
      return { good: [true, false], bad: ['true', 1] };
    case 'text':
      return { good: ['x'], bad: ['', 1, ...(rule.tag ? TAGS : [])] };
    case 'function':
      return { good: [() => ''], bad: ['text', 1] };
    default:
      return rule satisfies never;
  }
}

describe.each(PRESET_NAMES)('%s', (preset) => {
  test.each(Object.entries(PRESET_RULES[preset]))('%s is taken inside its range and refused outside', (key, rule) => {
    const { good, bad } = samples(rule);
    for (const value of good) expect(errorOf(preset, { window, [key]: value })).toBe('');
    for (const value of bad) {
      const message = errorOf(preset, { window, [key]: value });
      expect(message).toMatch(/^option-out-of-range: /);
      expect(message).toContain(`\`${key}\``);
      expect(message).toContain(`is ${typeof value === 'string' ? JSON.stringify(value) : String(value)}; it takes`);
    }
  });

  test('needs a window, and knows its own options only', () => {
    expect(errorOf(preset, {})).toBe(
      `missing-window: Preset ${preset} needs \`window\`, the model's context window in tokens.`,
    );
    expect(errorOf(preset, { window, best: 1 })).toMatch(
      new RegExp(
        `^unknown-option: Preset ${preset} has no option \`best\` \\(given as [^)]{1,60}\\); it takes window,`,
      ),
    );
    expect(errorOf(preset, { window, __proto__: { keep: 7 } })).toBe('');
    expect(errorOf(preset, { window, constructor: 1 })).toMatch(/^unknown-option/);
  });

  test('is plain data but for a prompt', () => {
    const policy = policyNamed(preset, { window });
    expect(JSON.parse(JSON.stringify(policy))).toEqual(policy);
  });
});

test.each(Object.entries(PRESET_ALIASES))('%s is %s', (alias, name) => {
  expect(policyNamed(alias, { window })).toEqual(policyNamed(name, { window }));
  expect(presets[alias as keyof typeof PRESET_ALIASES]({ window })).toEqual(presets[name]({ window }));
});

test('an unknown preset is answered with the list of those there are', () => {
  expect(errorOf('best', { window })).toBe(
    'unknown-preset: There is no preset "best"; there are epitome, snapshot, deliberate, selective, branch, threshold, gemini-cli, forge, onyx, context-guard.',
  );
  expect(errorOf('toString', { window })).toMatch(/^unknown-preset/);
});

test('a range is given in words', () => {
  expect(errorOf('snapshot', { window, keep: 1 })).toBe(
    'option-out-of-range: Option `keep` of preset snapshot is 1; it takes a number above 0 and below 1.',
  );
  expect(errorOf('deliberate', { window, compressionTriggerTokens: 5 })).toContain(
    'a whole number from 10000 to 200000',
  );
});

test('the old name of the utilization still works, and says that it is old', () => {
  const policy = presets.deliberate({ window, 'model.compressionThreshold': 0.8 });
  expect(policy.triggers[0]?.limit).toEqual({ tokens: 80_000 });
  expect(policy.findings?.[0]?.code).toBe('deprecated-option');
  expect(presets.deliberate({ window }).findings).toBeUndefined();
});

test('without exceptions no tool is protected from placeholders, not even one without a name', () => {
  expect(presets.epitome({ window: 1000 }).mask?.protectTools).toEqual([]);
  expect(presets.epitome({ window: 1000, maskExcept: ' read_file, search,' }).mask?.protectTools).toEqual([
    'read_file',
    'search',
  ]);
});
